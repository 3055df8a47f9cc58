import { text } from '../../text/text';
import { AlertsButton } from '../now/alerts-button';
import type { SettingsProps } from './settings-section';

const words = text.settings.alerts;

/** Who is told when something fails. The form is the one of the page Now. */
export function Alerts({ org, settings: { alerts } }: SettingsProps) {
  return (
    <section className="card stack" aria-label={words.title} data-field="alerts">
      <div>
        <h2>{words.title}</h2>
        <p className="soft">{words.hint}</p>
      </div>
      {alerts ? (
        <dl className="facts">
          <dt>{words.users}</dt>
          <dd>{alerts.users.join(', ') || <span className="soft">{words.nobody}</span>}</dd>
          <dt>{words.channels}</dt>
          <dd>{alerts.channels.join(', ') || <span className="soft">{words.noChannel}</span>}</dd>
          <dt>{words.waiting}</dt>
          <dd>{alerts.waiting_minutes === null ? words.never : words.minutes(alerts.waiting_minutes)}</dd>
          <dt>{text.alerts.perHour}</dt>
          <dd>{alerts.per_hour}</dd>
        </dl>
      ) : (
        <p>{words.nobody}</p>
      )}
      <div className="row">
        <AlertsButton org={org} />
      </div>
    </section>
  );
}
