import { addUp } from './add-up.mjs';
import { arrived } from './arrived.mjs';

/**
 * Waits until each sink has its messages and no job is left. Checks the counts, then deletes the occurrences.
 * @param {import('../world.mjs').World} world
 * @param {import('../world/database.mjs').Database} database
 * @param {number} occurrences
 * @param {[sink: import('../world/part.mjs').Part, messages: number][]} expected
 */
export async function settle(world, database, occurrences, expected) {
  for (const [sink, messages] of expected) await arrived(world, database, sink, messages);
  await database.drained();
  const summaries = await Promise.all(expected.map(([sink]) => sink.ask('summary')));
  const sum = (key) => summaries.reduce((total, summary) => total + summary[key], 0);
  const messages = expected.reduce((total, [, each]) => total + each, 0);
  await checkCounts(database, { received: sum('received'), distinct: sum('distinct') }, occurrences, messages);
  await database.forget();
}

/** Checks that every occurrence was expanded, every message was sent once and received once, and no job is left. */
export async function checkCounts(database, { received, distinct }, occurrences, people) {
  const counts = await database.counts();
  addUp({
    'messages received': [received, people],
    'different messages received': [distinct, people],
    'occurrences stored': [counts.occurrences, occurrences],
    'occurrences expanded': [counts.expanded, occurrences],
    'deliveries made': [counts.deliveries, people],
    'deliveries sent': [counts.sent, people],
    attempts: [counts.attempts, people],
    'jobs left': [counts.jobs, 0],
  });
}
