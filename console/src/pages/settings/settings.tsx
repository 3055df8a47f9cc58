import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { Forbidden } from '../../components/forbidden';
import { MoreMenu } from '../../components/more-menu';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { LeaveForm } from '../../form/leave-form';
import { text } from '../../text/text';
import { Alerts } from './alerts';
import { DirtySections } from './dirty';
import { BrandLink, SenderDomains } from './elsewhere';
import { Limit } from './limit';
import { Name } from './name';
import { Origins } from './origins';
import { Projects } from './project/projects';
import { QuietHours } from './quiet-hours';
import { Quotas } from './quotas';
import { Region } from './region';
import { RemoveOrganization } from './remove-organization';
import './settings.css';

const route = getRouteApi('/o/$org/settings');

/** Everything that the API lets one set for an organization, and where the rest is. Each section saves by itself. */
export function Settings() {
  const { org } = route.useParams();
  const can = useCan();
  const mayRead = can('organization:read');
  const { dirty, report } = useDirtySections();
  return (
    <div className="page narrow settings">
      <div className="head">
        <h1>{text.pages.settings}</h1>
        <MoreMenu call={{ path: `/api/o/${org}/settings/` }} />
      </div>
      <p className="soft">{text.settings.intro}</p>
      <LeaveForm isDirty={dirty.size > 0} />
      {mayRead ? (
        <DirtySections.Provider value={report}>
          <Sections org={org} />
          {can('organization:read', 'organization') && <Quotas org={org} />}
          <Projects org={org} />
          {can('organization:write', 'service') && <RemoveOrganization org={org} />}
        </DirtySections.Provider>
      ) : (
        <Forbidden what={text.forbidden.settings} permission="organization:read" />
      )}
    </div>
  );
}

function Sections({ org }: { org: string }) {
  const organization = useRead('/api/o/{org}/', { path: { org } });
  const settings = useRead('/api/o/{org}/settings/', { path: { org } });
  const error = organization.error ?? settings.error;
  function again() {
    void organization.refetch();
    void settings.refetch();
  }
  if (error) return <Problem error={error} again={again} />;
  if (!organization.data || !settings.data) return <Rows count={8} />;
  const about = { org, settings: settings.data };
  return (
    <>
      <Name org={org} organization={organization.data} />
      <Region {...about} />
      <QuietHours {...about} />
      <Limit {...about} />
      <Origins {...about} />
      <Alerts {...about} />
      <BrandLink org={org} />
      <SenderDomains org={org} />
    </>
  );
}

function useDirtySections() {
  const [dirty, setDirty] = useState<ReadonlySet<string>>(new Set());
  const report = useCallback((section: string, isDirty: boolean) => {
    setDirty((before) => {
      if (before.has(section) === isDirty) return before;
      const after = new Set(before);
      if (isDirty) after.add(section);
      else after.delete(section);
      return after;
    });
  }, []);
  return { dirty, report };
}
