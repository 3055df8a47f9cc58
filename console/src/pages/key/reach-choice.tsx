import { useProjects } from '../../api/projects';
import { useRead } from '../../api/read';
import { useCan, useSession } from '../../api/session';
import { Field } from '../../form/field';
import { useProjectNames } from '../../api/names';
import { text } from '../../text/text';

export interface Reach {
  project?: string;
  application?: string;
}

interface Props {
  org: string;
  reach: Reach;
  error: Error | null;
  onChange: (reach: Reach) => void;
}

/** What a key reaches: the organization, one project, or one application; never more than the session itself. */
export function ReachChoice({ org, reach, error, onChange }: Props) {
  const can = useCan();
  const session = useSession();
  const { projects = [] } = useProjects(org);
  const nameOf = useProjectNames(org);
  const prj = reach.project ?? session?.project ?? undefined;
  const applications = useRead(
    '/api/o/{org}/p/{prj}/a/',
    { path: { org, prj: prj ?? '-' }, query: { limit: 1000 } },
    { enabled: prj !== undefined && !session?.application && can('organization:read') },
  );
  return (
    <>
      {!session?.project && (
        <Field label={text.key.project} error={error} name="project">
          <select
            className="input"
            value={reach.project ?? ''}
            onChange={({ target }) => onChange(target.value ? { project: target.value } : {})}
          >
            <option value="">{text.key.wholeOrganization}</option>
            {projects.map((slug) => (
              <option key={slug} value={slug}>
                {nameOf(slug)}
              </option>
            ))}
          </select>
        </Field>
      )}
      {prj && !session?.application && (
        <Field label={text.key.application} error={error} name="application">
          <select
            className="input"
            value={reach.application ?? ''}
            onChange={({ target }) =>
              onChange(target.value ? { project: prj, application: target.value } : { project: prj })
            }
          >
            <option value="">{text.key.wholeProject}</option>
            {applications.data?.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      )}
    </>
  );
}
