import { ProblemError } from '@carillon/client';
import { ChangedMeanwhile as Change } from '../api/edit';
import { useSession } from '../api/session';
import { text } from '../text/text';
import { ChangedMeanwhile } from './changed-meanwhile';

interface Props {
  error: Error;
  again?: () => void;
  /** What the user calls a field of the request. */
  nameOf?: (field: string) => string;
}

/** An error, with what the service says about each field, and a way to try again. */
export function Problem({ error, again, nameOf = (field) => field }: Props) {
  const isSignedIn = Boolean(useSession());
  if (error instanceof Change) return <ChangedMeanwhile change={error} />;
  // The session had ended, and somebody has signed in again since: on the sign-in page, the words of the service say what is wrong.
  const hadEnded = isSignedIn && error instanceof ProblemError && error.status === 401;
  const fields = error instanceof ProblemError ? Object.entries(error.errors) : [];
  return (
    <div className="note bad" role="alert">
      <strong>{hadEnded ? text.problem.hadEnded : titleOf(error)}</strong>
      {/* With fields, the detail only lists their names. */}
      {fields.length === 0 && <span>{hadEnded ? text.problem.hadEndedHint : detailOf(error)}</span>}
      {fields.length > 0 && (
        <ul>
          {fields.map(([field, messages]) => (
            <li key={field}>
              <code>{nameOf(field)}</code> {messages.join(' ')}
            </li>
          ))}
        </ul>
      )}
      {again && (
        <button className="button small" onClick={again}>
          {text.problem.again}
        </button>
      )}
    </div>
  );
}

function titleOf(error: Error): string {
  if (!(error instanceof ProblemError))
    return error instanceof TypeError ? text.problem.unreachable : text.problem.title;
  return error.problem.title || text.problem.title;
}

function detailOf(error: Error): string {
  // What a browser says when it gets no answer differs, and says little to a reader.
  if (error instanceof TypeError && /fetch|network|load/i.test(error.message)) return text.problem.unreachableHint;
  return error.message;
}
