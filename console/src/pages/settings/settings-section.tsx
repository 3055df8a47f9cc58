import type { OrganizationSettings, UpdateOrganizationSettings } from '@carillon/client';
import type { ReactNode } from 'react';
import { useAuthors } from '../../api/authors';
import { carillon } from '../../api/carillon';
import { useCan } from '../../api/session';
import { Section } from './section';
import type { SectionForm } from './section';

const SETTINGS = '/api/o/{org}/settings/';

export interface SettingsProps {
  org: string;
  settings: OrganizationSettings;
}

interface Props<Draft extends object> extends SettingsProps {
  title: string;
  hint: string;
  draftOf: (settings: OrganizationSettings) => Draft;
  /** What the section changes, as the API takes it. */
  bodyOf: (draft: Draft) => UpdateOrganizationSettings;
  children: (form: SectionForm<Draft>) => ReactNode;
}

/** A section of the settings that belong to the organization itself. */
export function SettingsSection<Draft extends object>({ org, settings, bodyOf, ...section }: Props<Draft>) {
  const path = { org };
  return (
    <Section
      {...section}
      stored={settings}
      mayWrite={useCan()('organization:write', 'organization')}
      read={() => carillon.get(SETTINGS, { path })}
      write={(draft, headers) => carillon.patch(SETTINGS, { path, headers, body: bodyOf(draft) })}
      authors={useAuthors(org, 'organization', org)}
      reads={[SETTINGS]}
    />
  );
}
