import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan } from '../../../api/session';
import { Forbidden } from '../../../components/forbidden';
import { text } from '../../../text/text';
import { ChooseFile } from './choose-file';
import { MAX_LINES, MAX_MB } from './file/limits';
import { ImportSource } from './import-source';
import { readUsers } from './read-source';
import type { Source } from './read-source';
import './import.css';

const EXAMPLE = 'email,first_name\nann@example.com,Ann';
const route = getRouteApi('/o/$org/people/import');

/** Creates and changes users from a CSV file, in three steps: the file, its columns, a check of its lines. */
export function ImportUsers() {
  const { org } = route.useParams();
  const can = useCan();
  const [{ source, times }, setChosen] = useState<{ source: Source | null; times: number }>({ source: null, times: 0 });
  return (
    <div className="page medium">
      <div className="head">
        <h1>{text.import.title}</h1>
        <Link className="button" to="/o/$org/people" params={{ org }} search={{}}>
          {text.import.back}
        </Link>
      </div>
      <p className="intro soft">{text.import.intro}</p>
      {can('user:write', 'organization') ? (
        <>
          <ChooseFile
            words={{ hint: text.import.fileHint(MAX_MB, MAX_LINES), lines: text.import.lines, example: EXAMPLE }}
            read={readUsers}
            onChoose={(chosen) => setChosen({ source: chosen, times: times + 1 })}
          />
          {source && (
            // Another file begins anew.
            <ImportSource key={times} org={org} source={source} />
          )}
        </>
      ) : (
        <Forbidden what={text.import.forbidden} permission="user:write" />
      )}
    </div>
  );
}
