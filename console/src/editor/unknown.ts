import { StateEffect, StateField } from '@codemirror/state';
import type { Text } from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';
import type { DecorationSet } from '@codemirror/view';

/** Marks these names instead of those marked before. */
export const showUnknown = StateEffect.define<readonly string[]>();

const mark = Decoration.mark({ class: 'cm-unknown' });
const LIQUID = /\{\{.*?\}\}|\{%.*?%\}/gs;

/** Where a template uses a name, such as `order.id`. In a loop, `items[].name` is the `name` of any variable. */
export function placesOf(name: string, source: string): { from: number; to: number }[] {
  const inLoop = name.slice(name.lastIndexOf(']') + 1);
  const pattern = inLoop === name ? `(?<![\\w.'"-])${escaped(name)}(?![\\w-])` : `(?<=\\w)${escaped(inLoop)}(?![\\w-])`;
  return [...source.matchAll(LIQUID)].flatMap((tag) =>
    [...tag[0].matchAll(new RegExp(pattern, 'g'))].map((found) => {
      const from = tag.index + found.index;
      return { from, to: from + found[0].length };
    }),
  );
}

const escaped = (name: string) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

function marksOf(names: readonly string[], doc: Text): DecorationSet {
  const source = doc.toString();
  const places = names.flatMap((name) => placesOf(name, source));
  return Decoration.set(
    places.map(({ from, to }) => mark.range(from, to)),
    true,
  );
}

export const unknownMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    const shown = transaction.effects.find((effect) => effect.is(showUnknown));
    return shown ? marksOf(shown.value, transaction.newDoc) : marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});
