import { Link, getRouteApi } from '@tanstack/react-router';
import type { User } from '@carillon/client';
import { useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { Forbidden } from '../../components/forbidden';
import { intoView } from '../../components/into-view';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { text } from '../../text/text';
import { Addresses } from './addresses';
import { Deliveries } from './deliveries';
import { Devices } from './devices';
import { Inbox } from './inbox';
import { PersonHead } from './person-head';
import { Profile } from './profile';
import { Preferences } from '../preference/preferences';
import { Settings } from './settings';
import { WhyTab } from './why-tab';
import './person.css';

const route = getRouteApi('/o/$org/people/$username');

export function Person() {
  const { org, username } = route.useParams();
  const can = useCan();
  const mayRead = can('user:read');
  const path = { org, username };
  const { data, error, refetch } = useRead('/api/o/{org}/u/{username}/', { path }, { enabled: mayRead, poll: true });
  if (mayRead && data)
    return (
      <div className="page">
        <Known org={org} user={data} />
      </div>
    );
  return (
    <div className="page">
      <h1>{mayRead ? username : text.pages.people}</h1>
      {!mayRead && <Forbidden what={text.forbidden.people} permission="user:read" />}
      {mayRead && (error ? <Problem error={error} again={() => void refetch()} /> : <Rows count={8} />)}
    </div>
  );
}

/** The parts between which one chooses, and the permission that each needs. */
const TABS = [
  { tab: undefined, label: text.person.deliveries, needs: 'occurrence:read', Part: Deliveries },
  { tab: 'why', label: text.person.whyTab, needs: 'occurrence:read', Part: WhyTab },
  { tab: 'inbox', label: text.person.inbox, needs: 'user:read', Part: Inbox },
  { tab: 'devices', label: text.person.devices, needs: 'device:read', Part: Devices },
  { tab: 'preferences', label: text.person.preferences, needs: 'preference:read', Part: Preferences },
] as const;

function Known({ org, user }: { org: string; user: User }) {
  const can = useCan();
  const { tab } = route.useSearch();
  const tabs = TABS.filter(({ needs }) => can(needs));
  const shown = tabs.find((each) => each.tab === tab) ?? tabs[0]!;
  return (
    <>
      <PersonHead org={org} user={user} />
      <div className="person">
        <div className="stack">
          <nav className="tabs" aria-label={text.person.parts}>
            {tabs.map((each) => (
              <Link
                key={each.label}
                to="/o/$org/people/$username"
                params={{ org, username: user.username }}
                search={{ tab: each.tab }}
                className="tab"
                ref={each === shown ? intoView : undefined}
                data-active={each === shown || undefined}
                aria-current={each === shown ? 'page' : undefined}
                activeProps={{}}
              >
                {each.label}
              </Link>
            ))}
          </nav>
          <shown.Part org={org} username={user.username} />
        </div>
        <aside className="stack" aria-label={text.person.facts}>
          <Addresses org={org} username={user.username} />
          <Settings org={org} username={user.username} />
          {can('user:read', 'organization') && <Profile org={org} username={user.username} />}
        </aside>
      </div>
    </>
  );
}
