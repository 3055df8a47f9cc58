import type { FragmentUse } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { usePathName } from '../../api/names';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { text } from '../../text/text';
import { useChannelNames } from '../channel/use-channels';
import { MOST_USES, useUses } from './calls';
import type { FragmentPlace } from './place';

/** The notifications that a change touches. */
export function FragmentUses({ place }: { place: FragmentPlace }) {
  const { items, error, refetch } = useUses(place);
  return (
    <section className="card stack" aria-label={text.layout.usedBy}>
      <h2>{text.layout.usedBy}</h2>
      {error && <Problem error={error} again={() => void refetch()} />}
      {!items && !error && <Rows count={2} />}
      {items?.length === 0 && <p className="soft">{text.layout.unusedHint}</p>}
      {items && items.length > 0 && <UseList org={place.org} uses={items} />}
    </section>
  );
}

/** With more than these, the rest is counted. */
const SHOWN = 50;

/** Each notification once, with its channels. */
export function UseList({ org, uses }: { org: string; uses: readonly FragmentUse[] }) {
  const ids = [...new Set(uses.map(({ notification }) => notification))];
  const groups = ids.map((id) => uses.filter(({ notification }) => notification === id));
  return (
    <ul className="uses">
      {groups.slice(0, SHOWN).map((group) => {
        const [{ project, application, event, notification, name }] = group as [FragmentUse];
        return (
          <li key={notification}>
            <Link
              to="/o/$org/events/$prj/$app/$evt"
              params={{ org, prj: project, app: application, evt: event }}
              search={{ rule: String(notification), channel: group[0]!.channel }}
            >
              {name}
            </Link>{' '}
            <UsedAt {...{ org, project }} path={`${project}/${application}/${event}`} group={group} />
          </li>
        );
      })}
      {groups.length > SHOWN && <li className="soft">{text.layout.more(groups.length - SHOWN)}</li>}
      {uses.length === MOST_USES && <li className="soft">{text.layout.evenMore}</li>}
    </ul>
  );
}

interface UsedAtProps {
  org: string;
  project: string;
  path: string;
  group: readonly FragmentUse[];
}

/** The event of a notification, and its channels. */
function UsedAt({ org, project, path, group }: UsedAtProps) {
  const nameOf = useChannelNames(org, project);
  const event = usePathName(org, path);
  return (
    <span className="soft" title={path}>
      {text.layout.useAt(
        event,
        group.map(({ channel }) => nameOf(channel)),
      )}
    </span>
  );
}
