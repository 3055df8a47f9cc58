import { StateEffect, StateField } from '@codemirror/state';
import type { Text } from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';
import type { DecorationSet } from '@codemirror/view';

/** Shows these faults instead of those shown before. */
export const showFaults = StateEffect.define<readonly string[]>();

const line = Decoration.line({ class: 'cm-fault-line' });
const spot = Decoration.mark({ class: 'cm-fault' });

/** Where a message such as `tag "if" not closed, line:2, col:7` or `there is no partial footer` points to; null: nowhere. */
export function placeOf(fault: string, doc: Text): number | null {
  const [, lineNumber, column] = /line:(\d+)(?:, col:(\d+))?/.exec(fault) ?? [];
  if (!lineNumber) return partialIn(fault, doc);
  if (Number(lineNumber) > doc.lines) return null;
  const { from, to } = doc.line(Math.max(1, Number(lineNumber)));
  return Math.min(from + Math.max(0, Number(column ?? 1) - 1), to);
}

function partialIn(fault: string, doc: Text): number | null {
  const [, name] = /there is no partial ([\w-]+)/.exec(fault) ?? [];
  const found = name ? new RegExp(`\\{%-?\\s*render\\s+['"]${name}['"]`).exec(doc.toString()) : null;
  return found?.index ?? null;
}

function marksOf(faults: readonly string[], doc: Text): DecorationSet {
  const places = faults.flatMap((fault) => placeOf(fault, doc) ?? []);
  const marks = places.flatMap((at) => {
    const { from, to } = doc.lineAt(at);
    return [line.range(from), ...(to > at ? [spot.range(at, to)] : [])];
  });
  return Decoration.set(marks, true);
}

export const faultMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    const shown = transaction.effects.find((effect) => effect.is(showFaults));
    return shown ? marksOf(shown.value, transaction.newDoc) : marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});
