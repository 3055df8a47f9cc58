const OCCURRENCES = 'select id, status from occurrences';
const DELIVERIES = 'select occurrence_id occurrence, id, status from deliveries';
const DUPLICATES = `
  select count(*)::int duplicates from (
    select from deliveries group by occurrence_id, notification_id, channel_id, user_id having count(*) > 1) d`;
const RETRIES = `
  select concat(d.occurrence_id, '.', d.id) message, count(*)::int retries
  from attempts a join deliveries d on d.id = a.delivery_id where a.outcome = 'retry' group by 1`;
const JOBS = 'select count(*)::int jobs from jobs';

/**
 * Everything that the verdict needs.
 * @typedef {object} Facts
 * @property {Pick<import('../ledger.mjs').Ledger, 'accepted' | 'canceled' | 'cancelTried' | 'splitKeys' | 'unexpected'>} ledger
 * @property {number} withoutAnswer triggers that were not accepted even when all faults were over
 * @property {number} deserters processes that ended although nobody killed them
 * @property {import('../faults/faults.mjs').Fault[]} faults
 * @property {Map<string, [at: number, answer: string][]>} calls to the provider, by webhook-id
 * @property {Map<string, string>} occurrences their statuses in the database
 * @property {{ occurrence: string, id: string, status: string }[]} deliveries in the database
 * @property {Map<string, number>} retries attempts that the service knows to have failed, by webhook-id
 * @property {number} duplicates
 * @property {number} jobs that are left
 */

/**
 * @param {import('../observer.mjs').Observer} observer
 * @param {import('../../world/part.mjs').Part} sink
 * @returns {Promise<Pick<Facts, 'calls' | 'occurrences' | 'deliveries' | 'retries' | 'duplicates' | 'jobs'>>}
 */
export async function readFacts(observer, sink) {
  const occurrences = await observer.query(OCCURRENCES);
  const deliveries = await observer.query(DELIVERIES);
  const retries = await observer.query(RETRIES);
  const [{ duplicates }] = await observer.query(DUPLICATES);
  const [{ jobs }] = await observer.query(JOBS);
  return {
    calls: new Map(await sink.ask('calls')),
    occurrences: new Map(occurrences.map(({ id, status }) => [id, status])),
    deliveries,
    retries: new Map(retries.map(({ message, retries: count }) => [message, count])),
    duplicates,
    jobs,
  };
}
