import { repeatsOf } from './repeats.mjs';

/** Repeats after one kill: 200 messages in flight of a worker, and 150 that were answered a moment ago. */
const MOST_REPEATS = 350;
/** A cancel is honoured within this time. */
const CANCEL_MS = 2000;

/**
 * @typedef {object} Figure
 * @property {string} what
 * @property {number} value
 * @property {number} most a higher value is a broken promise
 */

/**
 * The promises, each with what was found against it.
 * @param {import('./facts.mjs').Facts} facts
 * @returns {Figure[]}
 */
export function verdict(facts) {
  const { ledger, faults, calls, occurrences, deliveries, duplicates, jobs, withoutAnswer, deserters } = facts;
  const rows = new Set(deliveries.map(messageOf));
  const wasTaken = (message) => calls.get(message)?.some(isArrival) ?? false;
  const isSentInVain = (delivery) => delivery.status === 'sent' && !wasTaken(messageOf(delivery));
  const repeats = repeatsOf(facts);
  const perKill = repeatsPerFault(faults, repeats).filter((_, number) => faults[number].kind === 'kill');
  return [
    ...lostOf(facts),
    { what: 'lost: `sent`, but never arrived', value: deliveries.filter(isSentInVain).length, most: 0 },
    { what: 'duplicate delivery rows', value: duplicates, most: 0 },
    { what: 'idempotency keys with two occurrences', value: ledger.splitKeys, most: 0 },
    {
      what: 'occurrences that no 201 has named',
      value: [...occurrences.keys()].filter((id) => !ledger.accepted.has(id)).length,
      most: 0,
    },
    { what: 'messages without a delivery row', value: [...calls.keys()].filter((id) => !rows.has(id)).length, most: 0 },
    { what: 'stuck: occurrences, deliveries and jobs that never ended', value: stuckOf(facts) + jobs, most: 0 },
    { what: 'messages sent 2 s after their cancel', value: sentAfterCancel(facts), most: 0 },
    { what: 'repeats per kill, most', value: Math.max(0, ...perKill), most: MOST_REPEATS },
    {
      what: 'repeats without a fault',
      value: repeats.filter((repeat) => isUncalledFor(repeat, facts)).length,
      most: 0,
    },
    { what: 'triggers that were never answered', value: withoutAnswer, most: 0 },
    { what: 'answers other than success and 503', value: sum(Object.values(ledger.unexpected)), most: 0 },
    { what: 'processes that ended by themselves', value: deserters, most: 0 },
  ];
}

/** @param {Figure} figure */
export const isBroken = ({ value, most }) => value > most;

/** The number of repeats that each fault caused. */
export function repeatsPerFault(faults, repeats) {
  const counts = faults.map(() => 0);
  for (const { fault } of repeats) if (fault !== null) counts[fault]++;
  return counts;
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

const messageOf = ({ occurrence, id }) => `${occurrence}.${id}`;

const isArrival = ([, answer]) => answer === 'taken';

const isOpen = (status) => status === 'pending' || status === 'expanding';

const stuckOf = ({ occurrences, deliveries }) =>
  [...occurrences.values()].filter(isOpen).length + deliveries.filter(({ status }) => isOpen(status)).length;

/** Accepted occurrences that are missing, and users who got nothing although nobody canceled. What never ended is stuck, not lost. */
function lostOf({ ledger: { accepted, cancelTried }, occurrences, deliveries }) {
  const statuses = new Map();
  for (const { occurrence, status } of deliveries) {
    if (!statuses.has(occurrence)) statuses.set(occurrence, []);
    statuses.get(occurrence).push(status);
  }
  const lost = { missing: 0, people: 0, givenUp: 0 };
  for (const [id, { people }] of accepted) {
    const status = occurrences.get(id);
    const of = statuses.get(id) ?? [];
    if (status === undefined) lost.missing++;
    else if (isOpen(status) || (status === 'canceled' && cancelTried.has(id))) continue;
    else if (status !== 'expanded' || of.length !== people) lost.people++;
    else lost.givenUp += of.filter((each) => each !== 'sent' && !isOpen(each)).length;
  }
  return [
    { what: 'lost: a 201 without its occurrence', value: lost.missing, most: 0 },
    { what: 'lost: an occurrence without a delivery for each user', value: lost.people, most: 0 },
    { what: 'lost: deliveries that were given up', value: lost.givenUp, most: 0 },
  ];
}

/**
 * No fault is to blame, and no answer that came too late: the service then knows of more failed attempts than the provider, and rightly
 * tries again.
 */
function isUncalledFor({ id, fault }, { calls, retries }) {
  const failedCalls = calls.get(id).filter((call) => !isArrival(call)).length;
  return fault === null && (retries.get(id) ?? 0) <= failedCalls;
}

/** A process that is stopped or cut off from PostgreSQL cannot hear of a cancel before that is over. */
function sentAfterCancel({ ledger: { canceled }, faults, calls }) {
  const sorted = [...faults].sort((a, b) => a.from - b.from);
  const isLate = ([id, all]) => {
    const canceledAt = canceled.get(id.split('.', 1)[0]);
    if (canceledAt === undefined) return false;
    let heardAt = canceledAt;
    for (const { from, until } of sorted) if (from <= heardAt + CANCEL_MS) heardAt = Math.max(heardAt, until);
    return all.some(([at]) => at > heardAt + CANCEL_MS);
  };
  return [...calls].filter(isLate).length;
}
