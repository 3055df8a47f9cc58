import { ProblemError } from '@carillon/client';
import { Problem } from '../../../components/problem';
import { FieldErrors } from '../../../form/field-errors';
import { text } from '../../../text/text';
import type { useAudience } from './use-audience';

const words = text.rule.audiences;

/** How many users an audience has, and some of them. */
export function AudienceCount({ found: { data, error, isFetching } }: { found: ReturnType<typeof useAudience> }) {
  if (error instanceof ProblemError && error.status === 400) return <FieldErrors error={error} name="audience" />;
  if (error) return <Problem error={error} />;
  if (!data) return isFetching ? <p className="soft">{words.counting}</p> : null;
  const { users, checked, complete, sample } = data;
  return (
    <p className="soft" role="status" aria-busy={isFetching}>
      <strong>{complete ? words.count(users) : words.atLeast(users, checked)}</strong>{' '}
      {sample.length > 0 && words.sample(sample.join(', '), users - sample.length)}
    </p>
  );
}
