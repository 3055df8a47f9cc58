import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useCan } from '../../../api/session';
import { text } from '../../../text/text';
import { ColumnChoice } from './column-choice';
import { faultsOf, guessColumns, repeatsIn, uploadLines } from './file/file-columns';
import type { ListName, Target, UploadLine } from './file/file-columns';
import type { Delimiter } from './file/delimiter';
import { LeaveImport } from './leave-import';
import { Outcome } from './outcome';
import { Running } from './running';
import type { Source } from './read-source';
import { SourceChoices, placeOf } from './source-choices';
import { useLists } from './use-lists';
import { NOTHING, upload } from './upload';
import type { Outcome as Counts } from './upload';
import { useUpload } from './use-upload';
import type { Progress } from './use-upload';

const NO_LISTS: ListName[] = [];

interface Props {
  org: string;
  source: Source;
}

/** What the columns of a file become, what the service says about its lines, and the import. */
export function ImportSource({ org, source }: Props) {
  const all = useLists(org);
  const lists = useCan()('distributionlist:write') ? all : NO_LISTS;
  const [table, setTable] = useState(source.table);
  const [targets, setTargets] = useState<Target[]>(() => guessColumns(source.table.header));
  const [everybody, setEverybody] = useState('');
  const send = (dryRun: boolean) => (unsent: readonly UploadLine[], before: Counts, progress: Progress<Counts>) =>
    upload({ org, lines: unsent, dryRun, ...progress }, before);
  const check = useUpload(NOTHING, send(true));
  const store = useUpload(NOTHING, send(false), '/api/o/{org}/u/');
  const faults = faultsOf(targets);
  const list = lists.find((each) => placeOf(each) === everybody) ?? null;
  const lines = useMemo(() => uploadLines(table.rows, targets, lists, list), [table, targets, lists, list]);
  const repeats = useMemo(() => repeatsIn(lines), [lines]);
  const isFixed = check.isRunning || store.outcome !== null;
  const about = { org, table, targets };
  async function separate(delimiter: Delimiter) {
    const { readTable } = await import('./file/read-table');
    const read = readTable(source.text, delimiter);
    if ('problem' in read) return;
    check.reset();
    setTable(read);
    setTargets(guessColumns(read.header));
  }
  return (
    <>
      <section className="card stack">
        <div className="row card-head">
          <h2>{text.import.columns}</h2>
          <span className="soft">{text.import.about(source.name, table.rows.length)}</span>
        </div>
        <SourceChoices
          delimiter={table.delimiter}
          lists={lists}
          everybody={everybody}
          disabled={isFixed}
          onSeparate={(delimiter) => void separate(delimiter)}
          onList={(chosen) => {
            check.reset();
            setEverybody(chosen);
          }}
        />
        <ColumnChoice
          table={table}
          targets={targets}
          faults={faults}
          hasLists={lists.length > 0}
          disabled={isFixed}
          onChange={(chosen) => {
            check.reset();
            setTargets(chosen);
          }}
        />
        {!targets.includes('email') && (
          <p className="note warn" role="alert">
            {text.import.noEmail}
          </p>
        )}
        {repeats > 0 && <p className="soft">{text.import.repeats(repeats)}</p>}
        {!check.isDone && (
          <Running
            run={check}
            lines={lines}
            action={text.import.check(lines.length)}
            running={text.import.checking}
            disabled={!targets.includes('email') || faults.some(Boolean)}
          />
        )}
      </section>
      {check.isDone && !store.isDone && (
        <section className="card stack">
          <h2>{text.import.checked}</h2>
          <Outcome outcome={check.outcome} words={text.import.wouldBe} {...about} />
          <Running
            run={store}
            lines={lines}
            action={text.import.start(lines.length - check.outcome.refused.length)}
            running={text.import.storing}
            disabled={check.outcome.refused.length === lines.length}
          />
        </section>
      )}
      {store.isDone && (
        <section className="card stack">
          <h2>{text.import.done}</h2>
          <Outcome outcome={store.outcome} words={text.import.were} {...about} />
          <div className="row">
            <Link className="button primary" to="/o/$org/people" params={{ org }} search={{}}>
              {text.import.show}
            </Link>
          </div>
        </section>
      )}
      <LeaveImport isBusy={store.isRunning} onStop={store.stop}>
        {text.import.leaveText}
      </LeaveImport>
    </>
  );
}
