import { text } from '../../text/text';
import type { Draft, FormPart } from './draft/draft';

/** Names the parts whose JSON is unfinished: without them, the rule would be another one. */
export function Faulty({ draft: { faulty } }: { draft: Draft }) {
  if (faulty.length === 0) return null;
  return (
    <p className="note bad" role="alert">
      {text.rule.publish.faulty(faulty.map(nameOf).join(', '))}
    </p>
  );
}

const nameOf = (part: FormPart) =>
  part === 'when' || part === 'audience'
    ? text.rule[part]
    : text.rule.steps.nameOf(Number(part.slice('steps['.length, -1)) + 1);
