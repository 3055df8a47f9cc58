import { text } from '../../text/text';
import type { Draft } from './draft';

/** Names the parts whose JSON is unfinished: without them, the rule would be another one. */
export function Faulty({ draft: { faulty } }: { draft: Draft }) {
  if (faulty.length === 0) return null;
  return (
    <p className="note bad" role="alert">
      {text.rule.publish.faulty(faulty.map((part) => text.rule[part]).join(', '))}
    </p>
  );
}
