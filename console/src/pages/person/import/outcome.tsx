import { text } from '../../../text/text';
import { columnOf } from './file/file-columns';
import type { Target } from './file/file-columns';
import type { UserTable } from './file/read-table';
import { Count, RefusedLines } from './refused-lines';
import type { Outcome as Counts } from './upload';

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
  return (
    <div className="stack" role="status">
      <dl className="import-counts">
        <Count name={words.created} count={created} />
        <Count name={words.changed} count={changed} />
        <Count name={words.refused} count={refused.length} isBad={refused.length > 0} />
      </dl>
      <RefusedLines
        {...{ table, refused }}
        file={`${org}-refused.csv`}
        columnOf={(field, cells) => columnOf(field, targets, cells)}
      />
    </div>
  );
}
