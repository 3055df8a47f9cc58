import { Link, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan } from '../../../api/session';
import { Forbidden } from '../../../components/forbidden';
import { text } from '../../../text/text';
import { ChooseFile } from '../../person/import/choose-file';
import type { UserTable } from '../../person/import/file/read-table';
import '../../person/import/import.css';
import { ImportLines } from './import-lines';
import { columnsOf, withHeader } from './suppression-lines';

const words = text.suppression.import;
const route = getRouteApi('/o/$org/suppressions/import');

/** Each line is a request of its own, and they are sent twice: to check them, and to store them. */
const MAX_LINES = 1_000;
const EXAMPLE = 'address,reason,note\nann@example.com,complaint,Asked by phone';

interface Source {
  name: string;
  table: UserTable;
}

/** Suppresses the addresses of a CSV file, or those that were pasted. */
export function ImportSuppressions() {
  const { org } = route.useParams();
  const can = useCan();
  const [{ source, times }, setChosen] = useState<{ source: Source | null; times: number }>({ source: null, times: 0 });
  return (
    <div className="page medium">
      <div className="head">
        <h1>{words.title}</h1>
        <Link className="button" to="/o/$org/suppressions" params={{ org }} search={{}}>
          {words.back}
        </Link>
      </div>
      <p className="intro soft">{words.intro}</p>
      {can('suppression:write', 'project') ? (
        <>
          <ChooseFile
            words={{ hint: words.hint(MAX_LINES), lines: words.lines, example: EXAMPLE }}
            read={readSuppressions}
            onChoose={(chosen) => setChosen({ source: chosen, times: times + 1 })}
          />
          {source && (
            // Another file begins anew.
            <ImportLines key={times} org={org} {...source} />
          )}
        </>
      ) : (
        <Forbidden what={words.forbidden} permission="suppression:write" />
      )}
    </div>
  );
}

async function readSuppressions(name: string, content: string): Promise<Source | { problem: string }> {
  // The parser is loaded when it is needed.
  const { readTable } = await import('../../person/import/file/read-table');
  const read = readTable(content);
  if ('problem' in read) return { problem: text.import.notCsv(read.problem) };
  const table = withHeader(read);
  if (!columnsOf(table.header).includes('value')) return { problem: words.noAddress };
  if (table.rows.length === 0) return { problem: text.import.empty };
  if (table.rows.length > MAX_LINES) return { problem: words.tooMany(table.rows.length, MAX_LINES) };
  return { name, table };
}
