import { Link, getRouteApi } from '@tanstack/react-router';
import { useRead } from '../../api/read';
import { useCan, useSession } from '../../api/session';
import { Badge } from '../../components/badge';
import { MoreMenu } from '../../components/more-menu';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { useProjectNames } from '../../api/names';
import { text } from '../../text/text';
import { pathOf } from './calls';
import { ChannelForm } from './channel-form';
import { ChannelSwitch } from './channel-switch';
import { ChannelWaiting } from './channel-waiting';
import { SettingsCheck } from './settings-check';
import { Domains } from './domain/domains';
import { Health } from './health';
import { Reports } from './reports';
import { TestMessage } from './test-message';
import { useChannel } from './use-channel';
import './channel.css';

const route = getRouteApi('/o/$org/channels/$prj/$channel');

export function Channel() {
  const { org, prj: owner, channel: slug } = route.useParams();
  const prj = owner === '-' ? null : owner;
  const can = useCan();
  const session = useSession();
  const nameOf = useProjectNames(org);
  const { data: channel, error, refetch } = useChannel(org, prj, slug);
  const dispatchers = useRead('/api/dispatchers/', {}).data;
  const dispatcher = dispatchers?.find(({ type }) => type === channel?.type);
  const list = useRead('/api/o/{org}/channel-health/', { path: { org }, query: { limit: 1000 } }, { poll: true });
  const health = list.data?.find((one) => one.project === prj && one.channel === slug);
  const place = { org, prj, slug };
  return (
    <div className="page">
      <div>
        <p className="soft">
          <Link to="/o/$org/channels" params={{ org }} search={{}}>
            {text.pages.channels}
          </Link>{' '}
          / {prj === null ? text.channel.organization : text.channel.project(nameOf(prj))}
        </p>
        <div className="head">
          <div className="head-title">
            <h1>{channel?.name ?? slug}</h1>
            {channel && (
              <Badge tone={channel.enabled ? 'good' : 'warn'}>{channel.enabled ? text.event.on : text.event.off}</Badge>
            )}
          </div>
          <MoreMenu live={list.error ? 'lost' : 'polled'} call={{ path: pathOf(org, prj, slug) }} />
        </div>
      </div>
      {error && <Problem error={error} again={() => void refetch()} />}
      {!channel && !error && <Rows />}
      {channel && dispatcher && (
        <div className="columns">
          <ChannelForm {...{ place, channel, dispatcher }} />
          <div className="stack">
            <section className="card">
              <h2>{text.channel.about}</h2>
              <dl className="facts">
                <dt>{text.channel.type}</dt>
                <dd>{dispatcher.label}</dd>
                <dt>{text.channel.health}</dt>
                <dd>{health ? <Health health={health} /> : <span className="skeleton" />}</dd>
                <dt>{text.channel.needs}</dt>
                <dd>{dispatcher.address_kind ?? text.channel.noAddress}</dd>
                <dt>{text.channel.sends}</dt>
                <dd>{dispatcher.parts.join(', ')}</dd>
              </dl>
            </section>
            {channel.type === 'email' && <Domains place={place} />}
            <Reports place={place} channel={channel} dispatcher={dispatcher} />
            {health && can('occurrence:read') && (prj !== null || !session?.project) && (
              <ChannelWaiting place={place} channel={channel} isFine={channel.enabled && health.state === 'ok'} />
            )}
            {can('channel:write') && (
              <>
                {dispatcher.settings_check !== null && (
                  <SettingsCheck place={place} isCharged={dispatcher.settings_check === 'charged'} />
                )}
                <TestMessage place={place} dispatcher={dispatcher} />
                <ChannelSwitch place={place} channel={channel} />
              </>
            )}
          </div>
        </div>
      )}
    </div>
  );
}
