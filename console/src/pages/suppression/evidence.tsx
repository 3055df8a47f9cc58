import { Link } from '@tanstack/react-router';
import { text } from '../../text/text';

/** Why an address is suppressed: a note, or what the provider answered to which occurrence. */
export function Evidence({ org, evidence }: { org: string; evidence: Record<string, unknown> }) {
  const { note, answer, occurrence } = evidence;
  if (!note && !answer && !occurrence) return <span className="soft">{text.suppression.noEvidence}</span>;
  return (
    <>
      {typeof note === 'string' && <span>{note} </span>}
      {typeof answer === 'string' && <code>{answer} </code>}
      {typeof occurrence === 'string' && (
        <Link to="/o/$org/occurrences/$occurrence" params={{ org, occurrence }} search={{}}>
          {text.suppression.occurrence}
        </Link>
      )}
    </>
  );
}
