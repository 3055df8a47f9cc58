// Only these tables: the command must not depend on how the queue works.
const OCCURRENCES = 'select id, status from occurrences';
const DELIVERIES = 'select occurrence_id occurrence, id, status from deliveries';
const DUPLICATES = `
  select count(*)::int duplicates from (
    select from deliveries group by occurrence_id, notification_id, channel_id, user_id having count(*) > 1) d`;

/**
 * @typedef {object} Facts
 * @property {Map<string, { people: number, dueAt: number }>} accepted
 * @property {Map<string, number>} canceled when the cancel was answered, by occurrence
 * @property {number[]} kills their times
 * @property {Map<string, [at: number, status: number][]>} calls to the provider, by webhook-id
 * @property {Map<string, string>} occurrences their statuses in the database
 * @property {{ occurrence: string, id: string, status: string }[]} deliveries in the database
 * @property {number} duplicates
 */

/**
 * Reads everything that the verdict needs.
 * @param {import('./load.mjs').Load} load
 * @param {import('../world/database.mjs').Database} database
 * @param {import('../world/part.mjs').Part} sink
 * @returns {Promise<Facts>}
 */
export async function readFacts({ accepted, canceled }, kills, database, sink) {
  const occurrences = await database.query(OCCURRENCES);
  const deliveries = await database.query(DELIVERIES);
  const [{ duplicates }] = await database.query(DUPLICATES);
  return {
    accepted,
    canceled,
    kills,
    calls: new Map(await sink.ask('calls')),
    occurrences: new Map(occurrences.map(({ id, status }) => [id, status])),
    deliveries,
    duplicates,
  };
}
