/**
 * How long each fault was felt after its end, in milliseconds: until everything that was waiting at its end had been tried once. A retry
 * waits for the provider's sake, so only first calls count. Includes the time in the queue: on a machine that is too slow for the load,
 * the figure says little about faults.
 * @param {import('./facts.mjs').Facts} facts
 * @param {string[]} steady organizations whose provider never misbehaved
 * @returns {number[]}
 */
export function recoveries({ ledger: { accepted, canceled }, faults, calls }, steady) {
  const ends = new Map();
  for (const [id, [[at]]] of calls) ends.set(occurrenceOf(id), Math.max(ends.get(occurrenceOf(id)) ?? 0, at));
  const works = [];
  for (const [id, { organization, dueAt }] of accepted)
    if (ends.has(id) && !canceled.has(id)) works.push({ organization, dueAt, endedAt: ends.get(id) });
  return faults.map(({ until, organization }) => {
    const concerned = organization === undefined ? steady : [organization];
    const wasWaiting = (work) => work.dueAt <= until && work.endedAt > until && concerned.includes(work.organization);
    return works.filter(wasWaiting).reduce((longest, { endedAt }) => Math.max(longest, endedAt - until), 0);
  });
}

const occurrenceOf = (id) => id.split('.', 1)[0];
