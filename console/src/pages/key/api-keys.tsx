import type { ApiKey } from '@carillon/client';
import { useState } from 'react';
import { useList } from '../../api/read';
import { useCan } from '../../api/session';
import { Badge } from '../../components/badge';
import { MoreMenu } from '../../components/more-menu';
import { ReachName } from '../../components/links';
import { Empty } from '../../components/empty';
import { Table } from '../../components/table';
import { Time } from '../../components/time';
import { text } from '../../text/text';
import { KeyDialog } from './key-dialog';
import { Permissions } from './permissions';
import { Revoke } from './revoke';

export function ApiKeys({ org }: { org: string }) {
  const can = useCan();
  const [isCreating, setCreating] = useState(false);
  const [isAll, setAll] = useState(false);
  const list = useList('/api/o/{org}/k/', { path: { org }, query: { limit: 200 } }, { poll: true });
  const mayWrite = can('apikey:write');
  const shown = { ...list, items: list.items?.filter((key) => isAll || stateOf(key) === 'active') };
  const hidden = (list.items?.length ?? 0) - (shown.items?.length ?? 0);
  const create = mayWrite && (
    <button className="button primary" onClick={() => setCreating(true)}>
      {text.key.create}
    </button>
  );
  return (
    <section className="stack" aria-label={text.key.keys}>
      <div className="head">
        <h2 className="title">{text.key.keys}</h2>
        <MoreMenu live={list.error ? 'lost' : 'polled'} call={{ path: `/api/o/${org}/k/` }} />
        {create}
      </div>
      <Table
        label={text.key.keys}
        list={shown}
        keyOf={({ id }) => id}
        columns={columnsOf(org, mayWrite)}
        empty={
          <Empty title={text.key.none} action={create}>
            {text.key.noneHint}
          </Empty>
        }
      />
      {(isAll || hidden > 0) && (
        <div className="row">
          <button className="button small" onClick={() => setAll(!isAll)}>
            {isAll ? text.key.hideEnded : text.key.showEnded(hidden)}
          </button>
        </div>
      )}
      {isCreating && <KeyDialog org={org} onClose={() => setCreating(false)} />}
    </section>
  );
}

const stateOf = ({ revoked_at, expires_at }: ApiKey) =>
  revoked_at ? 'revoked' : expires_at && new Date(expires_at).getTime() < Date.now() ? 'expired' : 'active';

const columnsOf = (org: string, mayWrite: boolean) => [
  {
    name: text.key.name,
    kind: 'main' as const,
    cell: (key: ApiKey) => (
      <>
        {key.name} {stateOf(key) !== 'active' && <Badge tone="bad">{text.key.states[stateOf(key)]}</Badge>}
      </>
    ),
  },
  { name: text.key.permissions, cell: ({ permissions }: ApiKey) => <Permissions permissions={permissions} /> },
  {
    name: text.key.reach,
    kind: 'narrow' as const,
    cell: ({ project, application }: ApiKey) =>
      project === null ? text.key.organization : <ReachName {...{ org, project, application }} />,
  },
  {
    name: text.key.lastUsed,
    kind: 'narrow' as const,
    cell: ({ last_used_at }: ApiKey) => (last_used_at ? <Time at={last_used_at} /> : text.key.never),
  },
  {
    name: text.key.expires,
    kind: 'narrow' as const,
    cell: ({ expires_at }: ApiKey) => (expires_at ? <Time at={expires_at} /> : text.key.never),
  },
  ...(mayWrite
    ? [
        {
          name: '',
          kind: 'narrow' as const,
          cell: (key: ApiKey) => (stateOf(key) === 'active' ? <Revoke org={org} apiKey={key} /> : null),
        },
      ]
    : []),
];
