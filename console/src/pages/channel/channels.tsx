import type { ChannelHealth } from '@carillon/client';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useList, useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { Badge } from '../../components/badge';
import { MoreMenu } from '../../components/more-menu';
import { Empty } from '../../components/empty';
import { SearchBox } from '../../form/search-box';
import { RowCounts, useRowCounts } from '../../components/row-counts';
import { Table } from '../../components/table';
import { useProjectNames } from '../../api/names';
import { text } from '../../text/text';
import { CreateChannel } from './create-channel';
import { Health } from './health';
import { useChannel } from './use-channel';
import './channel.css';

const route = getRouteApi('/o/$org/channels');

/** The channels of the organization and of its projects, with their health. */
export function Channels() {
  const { org } = route.useParams();
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  const nameOf = useProjectNames(org);
  const countsOf = useRowCounts(org, 'channel');
  const [isCreating, setCreating] = useState(false);
  const list = useList('/api/o/{org}/channel-health/', { path: { org }, query: { limit: 200 } }, { poll: true });
  const dispatchers = useRead('/api/dispatchers/', {}).data;
  const labelOf = (type: string) => dispatchers?.find((one) => one.type === type)?.label ?? type;
  const has = ({ channel, name, type, project }: ChannelHealth) =>
    `${channel} ${name} ${labelOf(type)} ${project === null ? '' : `${project} ${nameOf(project)}`}`
      .toLowerCase()
      .includes(q.toLowerCase());
  const create = can('channel:write') && (
    <button className="button primary" onClick={() => setCreating(true)}>
      {text.channel.create}
    </button>
  );
  return (
    <div className="page channels">
      <div className="head">
        <h1>{text.pages.channels}</h1>
        <MoreMenu live={list.error ? 'lost' : 'polled'} call={{ path: `/api/o/${org}/channel-health/` }} />
        {create}
      </div>
      <SearchBox
        label={text.channel.search}
        value={q}
        onSearch={(words) => void navigate({ search: { q: words }, replace: true })}
      />
      <Table
        label={text.pages.channels}
        list={{ ...list, items: list.items?.filter(has) }}
        keyOf={({ project, channel }) => `${project}/${channel}`}
        columns={[
          { name: text.channel.channel, kind: 'main', cell: (one) => <Name org={org} health={one} /> },
          { name: text.channel.type, kind: 'narrow', cell: ({ type }) => labelOf(type) },
          {
            name: text.channel.owner,
            kind: 'narrow',
            cell: ({ project }) =>
              project === null ? <span className="soft">{text.channel.organization}</span> : nameOf(project),
          },
          { name: text.channel.health, cell: (one) => <Health health={one} /> },
          ...(countsOf
            ? [
                {
                  name: text.figures.column,
                  cell: ({ project, channel }: ChannelHealth) => (
                    <RowCounts counts={countsOf(project === null ? channel : `${project}/${channel}`)} />
                  ),
                },
              ]
            : []),
          { name: text.channel.rate, kind: 'number', cell: (one) => <Rate org={org} health={one} /> },
          {
            name: text.channel.state,
            kind: 'narrow',
            cell: ({ enabled }) => (
              <Badge tone={enabled ? 'good' : 'warn'}>{enabled ? text.event.on : text.event.off}</Badge>
            ),
          },
        ]}
        empty={
          q ? (
            <Empty title={text.channel.notFound} />
          ) : (
            <Empty title={text.channel.none} action={create}>
              {text.channel.noneHint}
            </Empty>
          )
        }
      />
      {isCreating && <CreateChannel org={org} onClose={() => setCreating(false)} />}
    </div>
  );
}

function Name({ org, health: { project, channel, name } }: { org: string; health: ChannelHealth }) {
  return (
    <span>
      <Link to="/o/$org/channels/$prj/$channel" params={{ org, prj: project ?? '-', channel }}>
        {name}
      </Link>{' '}
      {name !== channel && <span className="soft mono">{channel}</span>}
    </span>
  );
}

function Rate({ org, health: { project, channel } }: { org: string; health: ChannelHealth }) {
  const { data } = useChannel(org, project, channel);
  if (!data) return <span className="skeleton" />;
  const { rate } = data.config;
  return rate === undefined ? (
    <span className="soft">{text.channel.noRate}</span>
  ) : (
    text.channel.perSecond(Number(rate))
  );
}
