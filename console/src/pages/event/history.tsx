import type { Revision } from '@carillon/client';
import { useList } from '../../api/read';
import { Compare } from '../../compare/compare';
import { Badge } from '../../components/badge';
import { Empty } from '../../components/empty';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { Time } from '../../components/time';
import { text } from '../../text/text';
import { partsOf } from '../rule/parts';
import type { EventPlace } from './place';

type Change = Revision['changes'][number];

const TONES = { created: 'good', updated: 'accent', deleted: 'bad' } as const;

/** What the rules and templates were, and who changed what. */
export function History({ place }: { place: EventPlace }) {
  const input = { path: { ...place }, query: { limit: 20 } };
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
                change={change}
                older={items.slice(i + 1)}
                isAll={!hasNextPage}
                isOpen={i === 0}
              />
            ))}
          </li>
        ))}
      </ol>
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

/** One rule, compared with what it was before. */
function ChangeOf({
  change,
  older,
  isAll,
  isOpen,
}: {
  change: Change;
  older: Revision[];
  isAll: boolean;
  isOpen: boolean;
}) {
  const before = older
    .flatMap(({ changes }) => changes)
    .find(({ notification }) => notification === change.notification);
  const [old, fresh] = [partsOf(before?.rule ?? null), partsOf(change.rule)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter((name) => old[name] !== fresh[name]);
  const isUnknown = change.change !== 'created' && !before;
  return (
    <details open={isOpen || undefined}>
      <summary>
        <Badge tone={TONES[change.change]}>{text.event.history[change.change]}</Badge> {change.name}
      </summary>
      <div className="stack revision-parts">
        {isUnknown && <p className="soft">{isAll ? text.event.history.lost : text.event.history.further}</p>}
        {names.map((name) => (
          <Compare key={name} label={name} before={old[name] ?? ''} after={fresh[name] ?? ''} />
        ))}
      </div>
    </details>
  );
}
