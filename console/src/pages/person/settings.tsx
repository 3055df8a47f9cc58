import type { UserSettings, WeeklyRange } from '@carillon/client';
import { useState } from 'react';
import { useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { text } from '../../text/text';
import { SettingsDialog } from './settings-dialog';

/** The clock and the locale of a user, and when messages to the user wait. */
export function Settings({ org, username }: { org: string; username: string }) {
  const can = useCan();
  const [isChanging, setChanging] = useState(false);
  const path = { org, username };
  const { data, error, refetch } = useRead('/api/o/{org}/u/{username}/settings/', { path }, { poll: true });
  return (
    <section className="card stack">
      <div className="row card-head">
        <h2>{text.person.settings}</h2>
        {data && can('user:write', 'organization') && (
          <button className="button small" onClick={() => setChanging(true)}>
            {text.person.change}
          </button>
        )}
      </div>
      {error && <Problem error={error} again={() => void refetch()} />}
      {!data && !error && <Rows count={2} />}
      {data && <Facts settings={data} />}
      {isChanging && data && <SettingsDialog {...path} settings={data} onClose={() => setChanging(false)} />}
    </section>
  );
}

function Facts({ settings: { time_zone, quiet_hours, locale } }: { settings: UserSettings }) {
  return (
    <dl className="facts">
      <dt>{text.person.timeZone}</dt>
      <dd>{time_zone ?? <span className="soft">{text.person.ofOrganization}</span>}</dd>
      <dt>{text.person.locale}</dt>
      <dd>{locale ?? <span className="soft">{text.person.ofOrganization}</span>}</dd>
      <dt>{text.person.quietHours}</dt>
      <dd>
        {quiet_hours === null && <span className="soft">{text.person.ofOrganization}</span>}
        {quiet_hours?.length === 0 && text.person.noQuietHours}
        {quiet_hours?.map((range) => (
          <div key={JSON.stringify(range)}>{rangeText(range)}</div>
        ))}
      </dd>
    </dl>
  );
}

function rangeText({ days, from, to }: WeeklyRange): string {
  const on = days.length === 7 ? text.person.everyDay : days.map((day) => text.days[day]).join(', ');
  return `${on} ${from}–${to}`;
}
