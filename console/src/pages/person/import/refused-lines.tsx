import { saveCsv } from '../../../components/csv';
import { formatNumber } from '../../../text/format';
import { text } from '../../../text/text';
import { refusedCsv } from './file/refused-csv';
import type { RefusedRow } from './file/refused-csv';
import type { UserTable } from './file/read-table';

const MAX_SHOWN = 100;

interface Props {
  /** The name of the file that they can be saved as. */
  file: string;
  table: UserTable;
  refused: readonly RefusedRow[];
  /** The column of the file that a field of the request comes from; undefined: of none. */
  columnOf: (field: string, cells: readonly string[]) => number | undefined;
}

/** The lines that were refused, and why, to be saved and corrected. */
export function RefusedLines({ file, table, refused, columnOf }: Props) {
  if (refused.length === 0) return null;
  const problemsIn = (each: RefusedRow) => problemsOf(each, table, columnOf);
  const reasonOf = (each: RefusedRow) =>
    problemsIn(each)
      .map(({ column, problem }) => (column ? `${column}: ${problem}` : problem))
      .join('; ');
  return (
    <>
      <div className="row card-head">
        <h3>{text.import.refusedLines}</h3>
        <button
          type="button"
          className="button small"
          onClick={() => saveCsv(file, refusedCsv(table, refused, reasonOf))}
        >
          {text.import.saveRefused}
        </button>
      </div>
      <RefusedTable refused={refused.slice(0, MAX_SHOWN)} problemsIn={problemsIn} />
      {refused.length > MAX_SHOWN && <p className="soft">{text.import.moreRefused(refused.length - MAX_SHOWN)}</p>}
    </>
  );
}

export const Count = ({ name, count, isBad }: { name: string; count: number; isBad?: boolean }) => (
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

function problemsOf({ row, errors }: RefusedRow, { header }: UserTable, columnOf: Props['columnOf']): CellProblem[] {
  const problems = Object.entries(errors).map(([field, sentences]) => {
    const column = columnOf(field, row.cells);
    const problem = sentences.join(' ');
    return column === undefined
      ? { at: -1, column: field, cell: '', problem }
      : { at: column, column: header[column]!, cell: row.cells[column] ?? '', problem };
  });
  return problems.toSorted((a, b) => a.at - b.at);
}

interface TableProps {
  refused: readonly RefusedRow[];
  problemsIn: (each: RefusedRow) => CellProblem[];
}

function RefusedTable({ refused, problemsIn }: TableProps) {
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
          problemsIn(each).map(({ column, cell, problem }) => (
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
