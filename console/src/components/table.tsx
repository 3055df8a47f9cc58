import type { ReactNode } from 'react';
import { text } from '../text/text';
import { Problem } from './problem';
import { useRowKeys } from './row-keys';

export interface Column<Item> {
  name: string;
  cell: (item: Item) => ReactNode;
  /** `number` is aligned at the right; `narrow` takes only the space that it needs; `main` needs no label on a phone. */
  kind?: 'number' | 'narrow' | 'main';
}

/** What `useList` answers. */
interface List<Item> {
  items: Item[] | undefined;
  error: Error | null;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

interface Props<Item> {
  /** What the rows are, for a screen reader. */
  label: string;
  list: List<Item>;
  columns: Column<Item>[];
  keyOf: (item: Item) => string | number;
  /** Shown instead of a table without rows. */
  empty: ReactNode;
}

/** A list of the API: skeleton, problem, empty, rows, more. j and k walk through the rows; Enter opens the first link of one. */
export function Table<Item>({ label, list, columns, keyOf, empty }: Props<Item>) {
  useRowKeys();
  const { items, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = list;
  if (error && !items) return <Problem error={error} again={() => void refetch()} />;
  // A search is bounded: a page may have no rows although others follow.
  if (items?.length === 0 && !hasNextPage) return <>{empty}</>;
  return (
    <div className="stack">
      {error && <Problem error={error} again={() => void refetch()} />}
      <table className="table" aria-label={label} aria-busy={!items}>
        <thead>
          <tr>
            {columns.map(({ name, kind }) => (
              <th key={name} className={kind} scope="col">
                {name || <span className="hidden">{text.table.actions}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items
            ? items.map((item) => (
                <tr key={keyOf(item)}>
                  {columns.map(({ name, cell, kind }) => (
                    <td key={name} data-label={name} className={kind}>
                      {cell(item)}
                    </td>
                  ))}
                </tr>
              ))
            : Array.from({ length: 6 }, (_, i) => (
                <tr key={i} aria-hidden="true">
                  {columns.map(({ name }) => (
                    <td key={name}>
                      <span className="skeleton" />
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
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
