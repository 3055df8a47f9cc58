import { useRead } from '../../../api/read';
import { useCan } from '../../../api/session';
import { Badge } from '../../../components/badge';
import { useRowCounts } from '../../../components/row-counts';
import { useRowKeys } from '../../../components/row-keys';
import { text } from '../../../text/text';
import type { Wanted } from './create-place';
import { EventRow } from './event-row';
import type { TreeApplication, useTree } from './use-tree';

interface Props {
  org: string;
  tree: Pick<ReturnType<typeof useTree>, 'projects' | 'applications'>;
  words: string;
  create: (wanted: Wanted) => void;
}

const COLUMNS = [text.event.event, text.event.category, text.figures.column, text.event.state];

/** One table, with a line above the events of each application. */
export function EventTable({ org, tree: { projects, applications }, words, create }: Props) {
  useRowKeys();
  const can = useCan();
  const countsOf = useRowCounts(org, 'event');
  const has = (named: { name: string; slug: string }) =>
    `${named.name} ${named.slug}`.toLowerCase().includes(words.toLowerCase());
  const shown = (one: TreeApplication) => (has(one) || has(one.project) ? one.events : one.events.filter(has));
  const bare = projects.filter(({ slug }) => !applications.some(({ project }) => project.slug === slug));
  return (
    <table className="table events" aria-label={text.pages.events}>
      <thead>
        <tr>
          {COLUMNS.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {applications
          .filter((one) => words === '' || shown(one).length > 0)
          .flatMap((one) => [
            <Group key={`${one.project.slug}/${one.slug}`} org={org} application={one} create={create} />,
            ...shown(one).map((event) => (
              <EventRow
                key={`${one.project.slug}/${one.slug}/${event.slug}`}
                place={{ org, prj: one.project.slug, app: one.slug, evt: event.slug }}
                name={event.name}
                countsOf={countsOf}
              />
            )),
          ])}
        {words === '' &&
          bare.map((project) => (
            <tr key={project.slug} className="group">
              <th colSpan={COLUMNS.length} scope="rowgroup">
                <span className="row">
                  <strong>{project.name}</strong> <span className="soft">{text.event.noApplication}</span>
                  {can('organization:write') && (
                    <button className="button small" onClick={() => create({ prj: project.slug })}>
                      {text.event.newApplication}
                    </button>
                  )}
                </span>
              </th>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

function Group({ org, application, create }: { org: string; application: TreeApplication; create: Props['create'] }) {
  const can = useCan();
  const { slug: app, project } = application;
  const prj = project.slug;
  const settings = useRead('/api/o/{org}/p/{prj}/a/{app}/', { path: { org, prj, app } }).data;
  const projectSettings = useRead('/api/o/{org}/p/{prj}/settings/', { path: { org, prj } }).data;
  return (
    <tr className="group">
      <th colSpan={COLUMNS.length} scope="rowgroup">
        <span className="row">
          <span>
            <span className="soft">{project.name} / </span>
            <strong>{application.name}</strong>
          </span>
          {projectSettings?.enabled === false && <Badge tone="warn">{text.event.projectOff}</Badge>}
          {settings?.enabled === false && <Badge tone="warn">{text.event.applicationOff}</Badge>}
          <span className="space" />
          {can('organization:write') && (
            <button className="button small plain" onClick={() => create({ prj })}>
              {text.event.newApplication}
            </button>
          )}
          {can('event:write') && (
            <button
              className="button small"
              onClick={() => create({ prj, app })}
              aria-label={text.event.newEventIn(application.name)}
            >
              {text.event.newEvent}
            </button>
          )}
        </span>
      </th>
    </tr>
  );
}
