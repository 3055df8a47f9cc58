import { Link, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { Badge } from '../../components/badge';
import { CopyCurl } from '../../components/curl';
import { intoView } from '../../components/into-view';
import { PathName } from '../../components/links';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { useEventNames } from '../../api/names';
import { text } from '../../text/text';
import { RulePage } from '../rule/rule-page';
import { ContextFields } from './context-fields';
import { EventSettings } from './event-settings';
import { History } from './history';
import { EVENT, pathOf } from './place';
import { Rules } from './rules';
import { EventSchedule } from './schedule/schedule';
import { TriggerDialog } from './trigger/trigger';
import './event.css';

const route = getRouteApi('/o/$org/events/$prj/$app/$evt');

const TABS = [
  { tab: undefined, label: text.event.tabs.rules, needs: 'notification:read', Shown: Rules },
  { tab: 'context', label: text.event.tabs.context, needs: 'event:list', Shown: ContextFields },
  { tab: 'schedule', label: text.event.tabs.schedule, needs: 'event:list', Shown: EventSchedule },
  { tab: 'history', label: text.event.tabs.history, needs: 'notification:read', Shown: History },
  { tab: 'settings', label: text.event.tabs.settings, needs: 'event:list', Shown: EventSettings },
];

export function Event() {
  const place = route.useParams();
  const { tab, rule } = route.useSearch();
  const can = useCan();
  const [isTriggering, setTriggering] = useState(false);
  const { data: event, error, refetch } = useRead(EVENT, { path: place });
  const names = useEventNames(place.org, { project: place.prj, application: place.app, event: place.evt });
  const tabs = TABS.filter(({ needs }) => can(needs));
  const { Shown } = tabs.find((one) => one.tab === tab) ?? tabs[0] ?? TABS[1]!;
  if (rule !== undefined) return <RulePage key={rule} place={place} rule={rule} />;
  return (
    <div className="page medium">
      <div>
        <p className="soft">
          <Link to="/o/$org/events" params={{ org: place.org }} search={{ q: place.app }}>
            {names.place}
          </Link>
        </p>
        <div className="head">
          <div className="head-title">
            <h1>{event?.name ?? place.evt}</h1>
            {event && (
              <Badge tone={event.enabled ? 'good' : 'warn'}>{event.enabled ? text.event.on : text.event.off}</Badge>
            )}
          </div>
          <CopyCurl call={{ path: pathOf(place) }} />
          {can('occurrence:read') && (
            <Link
              className="button"
              to="/o/$org/occurrences"
              params={{ org: place.org }}
              search={{ event: `${place.prj}/${place.app}/${place.evt}` }}
            >
              {text.pages.occurrences}
            </Link>
          )}
          {can('event:trigger') && (
            <button className="button" onClick={() => setTriggering(true)}>
              {text.event.trigger.open}
            </button>
          )}
        </div>
      </div>
      {event?.resolves_event && (
        <p>
          {text.event.ends}{' '}
          <Link to="/o/$org/events/$prj/$app/$evt" params={{ ...place, evt: event.resolves_event }} search={{}}>
            <PathName org={place.org} path={`${place.prj}/${place.app}/${event.resolves_event}`} />
          </Link>
        </p>
      )}
      {error && <Problem error={error} again={() => void refetch()} />}
      {!event && !error && <Rows />}
      {event && (
        <>
          <nav className="tabs" aria-label={text.event.tabs.label}>
            {tabs.map((one) => (
              <Link
                key={one.label}
                from={route.id}
                to="."
                search={{ tab: one.tab }}
                className="tab"
                ref={one.Shown === Shown ? intoView : undefined}
                data-active={one.Shown === Shown || undefined}
                aria-current={one.Shown === Shown ? 'page' : undefined}
                activeProps={{}}
              >
                {one.label}
              </Link>
            ))}
          </nav>
          <Shown place={place} />
        </>
      )}
      {isTriggering && <TriggerDialog place={place} onClose={() => setTriggering(false)} />}
    </div>
  );
}
