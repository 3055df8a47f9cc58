export interface Line {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/** More lines than this are shown as replaced: the table below would get large. */
const MAX_LINES = 1_000;

/** The lines of two texts, with the fewest that are gone or new. */
export function diffOf(before: string, after: string): Line[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  if (old.length > MAX_LINES || fresh.length > MAX_LINES) return [...all(old, 'gone'), ...all(fresh, 'new')];
  const lengths = commonLengths(old, fresh);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < fresh.length) {
    if (old[i] === fresh[j]) {
      lines.push({ kind: 'same', text: old[i]! });
      i++;
      j++;
    } else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) lines.push({ kind: 'gone', text: old[i++]! });
    else lines.push({ kind: 'new', text: fresh[j++]! });
  }
  return [...lines, ...all(old.slice(i), 'gone'), ...all(fresh.slice(j), 'new')];
}

const linesOf = (text: string) => (text === '' ? [] : text.split('\n'));
const all = (texts: string[], kind: Line['kind']) => texts.map((text) => ({ kind, text }));

/** For each pair of places, how many lines the rests of both texts have in common. */
function commonLengths(old: string[], fresh: string[]): Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 1));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      lengths[i]![j] =
        old[i] === fresh[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  return lengths;
}
