/**
 * The longest time that work stood still while later work of the same size went on, in milliseconds. It includes the time in the
 * queue: on a machine that is too slow for the load, the figure says little about kills.
 * @param {import('./facts.mjs').Facts} facts
 * @param {{ id: string, at: number, kill: number | null }[]} repeats
 */
export function longestStandstill({ accepted, canceled, kills, calls }, repeats) {
  const lines = linesOf(accepted, canceled, calls);
  let longest = 0;
  for (const line of lines.values()) {
    for (const { dueAt, endedAt } of line) longest = Math.max(longest, endedAt - overtakenAt(line, dueAt));
  }
  // A message that arrived just before its process died stood still from the kill on.
  for (const { id, at, kill } of repeats) {
    const line = lines.get(accepted.get(occurrenceOf(id))?.people);
    if (line && kill !== null) longest = Math.max(longest, at - overtakenAt(line, kills[kill]));
  }
  return longest;
}

const occurrenceOf = (id) => id.split('.', 1)[0];

/**
 * The occurrences of each number of people, in the order in which they became due. Each ended when its last message was tried for
 * the first time: a retry waits for the provider's sake. `nextEndAt` is the earliest end from this occurrence on.
 */
function linesOf(accepted, canceled, calls) {
  const ends = new Map();
  for (const [id, [[at]]] of calls) ends.set(occurrenceOf(id), Math.max(ends.get(occurrenceOf(id)) ?? 0, at));
  const lines = new Map();
  for (const [id, { people, dueAt }] of accepted) {
    if (!ends.has(id) || canceled.has(id)) continue;
    if (!lines.has(people)) lines.set(people, []);
    lines.get(people).push({ dueAt, endedAt: ends.get(id), nextEndAt: Infinity });
  }
  for (const line of lines.values()) {
    line.sort((a, b) => a.dueAt - b.dueAt);
    let nextEndAt = Infinity;
    for (const one of line.toReversed()) one.nextEndAt = nextEndAt = Math.min(nextEndAt, one.endedAt);
  }
  return lines;
}

/** When the first of those that became due later had ended; Infinity if none has. */
function overtakenAt(line, dueAt) {
  let [from, to] = [0, line.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (line[middle].dueAt > dueAt) to = middle;
    else from = middle + 1;
  }
  return line[from]?.nextEndAt ?? Infinity;
}
