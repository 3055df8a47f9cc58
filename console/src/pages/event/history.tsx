import type { Revision } from '@carillon/client';
import { useState } from 'react';
import { useList } from '../../api/read';
import { useCan } from '../../api/session';
import { Compare } from '../../compare/compare';
import { Badge } from '../../components/badge';
import { Empty } from '../../components/empty';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { Time } from '../../components/time';
import { text } from '../../text/text';
import { useChannelNames } from '../channel/use-channels';
import { partsOf } from '../rule/parts';
import type { ChannelName } from '../rule/parts';
import type { EventPlace } from './place';
import { Restore } from './restore';
import type { Revised } from './restore';

type Change = Revision['changes'][number];

const TONES = { created: 'good', updated: 'accent', deleted: 'bad' } as const;

/** What the rules and templates were, and who changed what. */
export function History({ place }: { place: EventPlace }) {
  const input = { path: { ...place }, query: { limit: 20 } };
  const mayWrite = useCan()('notification:write');
  const nameOf = useChannelNames(place.org, place.prj);
  const [restoring, setRestoring] = useState<{ id: number; was: Revised } | null>(null);
  const list = useList('/api/o/{org}/p/{prj}/a/{app}/e/{evt}/revisions/', input);
  const { items, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = list;
  if (error) return <Problem error={error} again={() => void refetch()} />;
  if (!items) return <Rows />;
  if (items.length === 0) return <Empty title={text.event.history.none}>{text.event.history.noneHint}</Empty>;
  return (
    <div className="stack">
      <p className="soft">{text.event.history.hint}</p>
      <ol className="stack">
        {items.map((revision, i) => (
          <li key={revision.id} className="card revision">
            <div className="row">
              <strong>
                <Time at={revision.created_at} />
              </strong>
              {revision.superseded_at === null && <Badge tone="good">{text.event.history.inForce}</Badge>}
              {revision.actor && <span className="soft">{text.event.history.by(revision.actor)}</span>}
            </div>
            {revision.changes.map((change) => (
              <ChangeOf
                key={change.notification}
                {...{ nameOf, change }}
                older={items.slice(i + 1)}
                isAll={!hasNextPage}
                isOpen={i === 0}
                restore={
                  mayWrite && (i > 0 || !change.rule) ? (was) => setRestoring({ id: change.notification, was }) : null
                }
              />
            ))}
          </li>
        ))}
      </ol>
      {restoring && <Restore place={place} {...restoring} onClose={() => setRestoring(null)} />}
      {hasNextPage && (
        <div className="row">
          <button className="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? text.table.reading : text.table.more}
          </button>
        </div>
      )}
    </div>
  );
}

interface ChangeProps {
  nameOf: ChannelName;
  change: Change;
  older: Revision[];
  isAll: boolean;
  isOpen: boolean;
  /** Null: the session may not, or it says this now. */
  restore: ((was: Revised) => void) | null;
}

/** One rule, compared with what it was before. */
function ChangeOf({ nameOf, change, older, isAll, isOpen, restore }: ChangeProps) {
  const before = older
    .flatMap(({ changes }) => changes)
    .find(({ notification }) => notification === change.notification);
  const [old, fresh] = [partsOf(before?.rule ?? null, nameOf), partsOf(change.rule, nameOf)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter((name) => old[name] !== fresh[name]);
  // Of one that was deleted, what it said before.
  const was = change.rule ?? before?.rule;
  const isUnknown = change.change !== 'created' && !before;
  return (
    <details open={isOpen || undefined}>
      <summary>
        <Badge tone={TONES[change.change]}>{text.event.history[change.change]}</Badge> {change.name}
      </summary>
      <div className="stack revision-parts">
        {isUnknown && <p className="soft">{isAll ? text.event.history.lost : text.event.history.further}</p>}
        {restore && was && (
          <div className="row">
            <button className="button small" onClick={() => restore(was)}>
              {change.rule ? text.event.history.restore.open : text.event.history.restore.openDeleted}
            </button>
          </div>
        )}
        {names.map((name) => (
          <Compare key={name} label={name} before={old[name] ?? ''} after={fresh[name] ?? ''} />
        ))}
      </div>
    </details>
  );
}
