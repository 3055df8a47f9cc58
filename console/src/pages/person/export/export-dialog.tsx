import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { saveCsv } from '../../../components/csv';
import { Problem } from '../../../components/problem';
import { Dialog } from '../../../form/dialog';
import { text } from '../../../text/text';
import type { Counted } from '../filter/use-count';
import { MAX_LINES, MAX_MB } from '../import/file/limits';
import { readExport } from './read-export';
import type { UserQuery } from './read-export';

const words = text.people.export;

interface Props {
  org: string;
  query: UserQuery;
  isFiltered: boolean;
  /** How many users there are, as far as they were counted. */
  count: Counted | undefined;
  onClose: () => void;
}

/** Saves the users of the page as a CSV file that can be imported again. */
export function ExportDialog({ org, query, isFiltered, count, onClose }: Props) {
  const [read, setRead] = useState(0);
  const running = useRef<AbortController | null>(null);
  const file = `${org}-users-${new Date().toISOString().slice(0, 10)}.csv`;
  const run = useMutation({
    mutationFn: async () => {
      const { signal } = (running.current = new AbortController());
      setRead(0);
      const exported = await readExport({ org, query, signal, onProgress: setRead });
      saveCsv(file, ...exported.lines);
      return exported;
    },
  });
  const stop = () => running.current?.abort();
  useEffect(() => stop, []);
  return (
    <Dialog title={words.title} open onClose={onClose}>
      <div className="form">
        <p>{isFiltered ? words.filtered : words.everybody}</p>
        <p className="soft">{words.columns}</p>
        <p className="soft">{words.bound(MAX_LINES, MAX_MB)}</p>
        {run.isPending && (
          <div className="field" role="status">
            <progress aria-label={words.running} max={totalOf(count)} value={count?.complete ? read : undefined} />
            <span className="hint">{words.read(read)}</span>
          </div>
        )}
        {run.data && (
          <p className={run.data.isWhole ? 'note good' : 'note warn'} role="status">
            {run.data.isWhole ? words.done(run.data.users, file) : words.cut(run.data.users, file)}
          </p>
        )}
        {run.error && run.error.name !== 'AbortError' && <Problem error={run.error} />}
        <div className="actions">
          <button type="button" className="button" onClick={run.isPending ? stop : onClose}>
            {run.isPending ? words.stop : words.close}
          </button>
          <button type="button" className="button primary" disabled={run.isPending} onClick={() => run.mutate()}>
            {words.start}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

/** The count is not of the same moment, and the file has a bound. */
const totalOf = (count: Counted | undefined) => Math.max(1, Math.min(count?.users ?? 1, MAX_LINES));
