import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { text } from '../../../text/text';
import { LeaveImport } from '../../person/import/leave-import';
import { Count, RefusedLines } from '../../person/import/refused-lines';
import { Running } from '../../person/import/running';
import { useUpload } from '../../person/import/use-upload';
import type { Progress } from '../../person/import/use-upload';
import type { UserTable } from '../../person/import/file/read-table';
import { NOTHING, sendSuppressions } from './send-suppressions';
import type { Outcome } from './send-suppressions';
import { columnOf, columnsOf, suppressionLines, unusedIn } from './suppression-lines';
import type { SuppressionLine } from './suppression-lines';

const words = text.suppression.import;

interface Props {
  org: string;
  name: string;
  table: UserTable;
}

/** How the lines are read, what the service says about them, and the import. */
export function ImportLines({ org, name, table }: Props) {
  const lines = useMemo(() => suppressionLines(table), [table]);
  const send =
    (dryRun: boolean) => (unsent: readonly SuppressionLine[], before: Outcome, progress: Progress<Outcome>) =>
      sendSuppressions(unsent, before, { org, dryRun, ...progress });
  const check = useUpload(NOTHING, send(true));
  const store = useUpload(NOTHING, send(false), '/api/o/{org}/suppressions/');
  const unused = unusedIn(table.header, columnsOf(table.header));
  const result = (outcome: Outcome, names: typeof words.were) => <Result {...{ org, table, outcome }} names={names} />;
  return (
    <>
      <section className="card stack">
        <div className="row card-head">
          <h2>{words.read}</h2>
          <span className="soft">{text.import.about(name, lines.length)}</span>
        </div>
        <FirstLines lines={lines} />
        {unused.length > 0 && <p className="soft">{words.unused(unused)}</p>}
        {!check.isDone && (
          <Running run={check} lines={lines} action={text.import.check(lines.length)} running={text.import.checking} />
        )}
      </section>
      {check.isDone && !store.isDone && (
        <section className="card stack">
          <h2>{text.import.checked}</h2>
          {result(check.outcome, words.wouldBe)}
          <Running
            run={store}
            lines={lines}
            action={text.import.start(check.outcome.stored)}
            running={text.import.storing}
            disabled={check.outcome.stored === 0}
          />
        </section>
      )}
      {store.isDone && (
        <section className="card stack">
          <h2>{text.import.done}</h2>
          {result(store.outcome, words.were)}
          <div className="row">
            <Link className="button primary" to="/o/$org/suppressions" params={{ org }} search={{}}>
              {words.show}
            </Link>
          </div>
        </section>
      )}
      <LeaveImport isBusy={store.isRunning} onStop={store.stop}>
        {words.leave}
      </LeaveImport>
    </>
  );
}

interface ResultProps {
  org: string;
  table: UserTable;
  outcome: Outcome;
  names: typeof words.were;
}

function Result({ org, table, outcome: { stored, refused }, names }: ResultProps) {
  return (
    <div className="stack" role="status">
      <dl className="import-counts">
        <Count name={names.stored} count={stored} />
        <Count name={names.refused} count={refused.length} isBad={refused.length > 0} />
      </dl>
      <RefusedLines
        {...{ table, refused }}
        file={`${org}-suppressions-refused.csv`}
        columnOf={(field) => columnOf(field, table.header)}
      />
    </div>
  );
}

const MAX_SHOWN = 5;

/** The first lines, as they are read. */
function FirstLines({ lines }: { lines: readonly SuppressionLine[] }) {
  const { address, kind, cause, note, project, causes, ends, never, allProjects } = text.suppression;
  const shown = lines
    .flatMap((line) => ('value' in line ? [{ line: line.line, ...line.value }] : []))
    .slice(0, MAX_SHOWN);
  const names = [address, kind, cause, note, project, ends];
  return (
    <table className="table" aria-label={words.first}>
      <thead>
        <tr>
          {names.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((each) => (
          <tr key={each.line}>
            <td data-label={address}>{each.value}</td>
            <td data-label={kind}>{each.name}</td>
            <td data-label={cause}>{causes[each.cause ?? 'manual'] ?? each.cause}</td>
            <td data-label={note}>{each.note}</td>
            <td data-label={project}>{each.project ?? allProjects}</td>
            <td data-label={ends}>{each.expires_at ?? never}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
