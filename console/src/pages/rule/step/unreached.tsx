import type { DraftCheck } from '../use-draft-check';

/** Steps that would tell nobody: it can be published all the same. */
export function Unreached({ warnings }: { warnings: DraftCheck['unreached'] }) {
  if (warnings.length === 0) return null;
  return (
    <p className="note warn" role="status">
      {warnings.map(({ detail }) => detail).join(' ')}
    </p>
  );
}
