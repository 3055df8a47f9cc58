import type { Organization } from '@carillon/client';
import { useAuthors } from '../../api/authors';
import { carillon } from '../../api/carillon';
import { useCan } from '../../api/session';
import { Field } from '../../form/field';
import { text } from '../../text/text';
import { Section } from './section';

const ORGANIZATION = '/api/o/{org}/';

/** The name, which operators of the service change, and the slug, which nobody does. */
export function Name({ org, organization }: { org: string; organization: Organization }) {
  const mayWrite = useCan()('organization:write', 'service');
  const path = { org };
  return (
    <Section
      title={text.settings.name.title}
      hint={mayWrite ? text.settings.name.hint : text.settings.name.fixed}
      stored={organization}
      draftOf={({ name }) => ({ name })}
      mayWrite={mayWrite}
      read={() => carillon.get(ORGANIZATION, { path })}
      write={(body) => carillon.patch(ORGANIZATION, { path, body })}
      authors={useAuthors(org, 'organization', org)}
      reads={[ORGANIZATION, '/api/o/']}
    >
      {({ draft, change, disabled, error }) => (
        <div className="columns pair">
          <Field label={text.settings.name.name} error={error} name="name">
            <input
              className="input"
              value={draft.name}
              disabled={disabled}
              required
              onChange={(event) => change({ name: event.target.value })}
            />
          </Field>
          <Field label={text.event.slug} hint={text.event.slugHint}>
            <input className="input mono" value={org} readOnly />
          </Field>
        </div>
      )}
    </Section>
  );
}
