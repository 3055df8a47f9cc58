import { saveCsv } from '../../../components/csv';
import { formatNumber } from '../../../text/format';
import { text } from '../../../text/text';
import { columnOf } from './file/file-columns';
import type { Target } from './file/file-columns';
import { refusedCsv } from './file/refused-csv';
import type { UserTable } from './file/read-table';
import type { Outcome as Counts, Refused } from './upload';

const MAX_SHOWN = 100;

interface Props {
  outcome: Counts;
  words: typeof text.import.were;
  org: string;
  table: UserTable;
  targets: Target[];
}

/** How many users are new and changed, and the lines that were refused. */
export function Outcome({ outcome, words, org, table, targets }: Props) {
  const { created, changed, refused } = outcome;
  const faultsOf = (each: Refused) => problemsOf(each, table, targets);
  const reasonOf = (each: Refused) =>
    faultsOf(each)
      .map(({ column, problem }) => (column ? `${column}: ${problem}` : problem))
      .join('; ');
  const save = () => saveCsv(`${org}-refused.csv`, refusedCsv(table, refused, reasonOf));
  return (
    <div className="stack" role="status">
      <dl className="import-counts">
        <Count name={words.created} count={created} />
        <Count name={words.changed} count={changed} />
        <Count name={words.refused} count={refused.length} isBad={refused.length > 0} />
      </dl>
      {refused.length > 0 && (
        <>
          <div className="row card-head">
            <h3>{text.import.refusedLines}</h3>
            <button type="button" className="button small" onClick={save}>
              {text.import.saveRefused}
            </button>
          </div>
          <RefusedTable refused={refused.slice(0, MAX_SHOWN)} problemsOf={faultsOf} />
          {refused.length > MAX_SHOWN && <p className="soft">{text.import.moreRefused(refused.length - MAX_SHOWN)}</p>}
        </>
      )}
    </div>
  );
}

const Count = ({ name, count, isBad }: { name: string; count: number; isBad?: boolean }) => (
  <div>
    <dt>{name}</dt>
    <dd className={isBad ? 'figure bad' : 'figure'}>{formatNumber(count)}</dd>
  </div>
);

interface CellProblem {
  column: string;
  cell: string;
  problem: string;
}

function problemsOf({ row, errors }: Refused, { header }: UserTable, targets: Target[]): CellProblem[] {
  const problems = Object.entries(errors).map(([field, sentences]) => {
    const column = columnOf(field, targets, row.cells);
    const problem = sentences.join(' ');
    return column === undefined
      ? { at: -1, column: field, cell: '', problem }
      : { at: column, column: header[column]!, cell: row.cells[column] ?? '', problem };
  });
  return problems.toSorted((a, b) => a.at - b.at);
}

function RefusedTable({
  refused,
  problemsOf: problems,
}: {
  refused: Refused[];
  problemsOf: (each: Refused) => CellProblem[];
}) {
  return (
    <table className="table" aria-label={text.import.refusedLines}>
      <thead>
        <tr>
          <th scope="col" className="number narrow">
            {text.import.line}
          </th>
          <th scope="col">{text.import.column}</th>
          <th scope="col">{text.import.value}</th>
          <th scope="col">{text.import.problem}</th>
        </tr>
      </thead>
      <tbody>
        {refused.flatMap((each) =>
          problems(each).map(({ column, cell, problem }) => (
            <tr key={`${each.row.line} ${column}`}>
              <td data-label={text.import.line} className="number narrow">
                {each.row.line}
              </td>
              <td data-label={text.import.column}>{column}</td>
              <td data-label={text.import.value}>{cell}</td>
              <td data-label={text.import.problem}>{problem}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}
