import type { ChannelSettings, Dispatcher } from '@carillon/client';
import { serviceUrl } from '../../api/place';
import { text } from '../../text/text';
import type { ChannelPlace } from './place';

interface Props {
  place: ChannelPlace;
  channel: ChannelSettings;
  dispatcher: Dispatcher;
}

/** Where the provider of the channel reports to, and what to enter there. */
export function Reports({ place: { org, prj, slug }, channel, dispatcher: { report_setups: setups } }: Props) {
  if (setups.length === 0) return null;
  const { report_service: service = null } = channel.config;
  const setup = setups.find((one) => one.service === service);
  const url = [serviceUrl, 'reports', ...[org, prj, slug].filter((part) => part !== null)].join('/');
  return (
    <section className="card stack">
      <h2>{text.channel.reports.title}</h2>
      <p className="soft">{text.channel.reports.hint}</p>
      {setup ? (
        <>
          <label className="stack">
            <span className="label">{text.channel.reports.url}</span>
            <input className="input mono" readOnly value={url} onFocus={({ target }) => target.select()} />
          </label>
          <p>{setup.steps}</p>
        </>
      ) : (
        <p>{text.channel.reports.choose}</p>
      )}
    </section>
  );
}
