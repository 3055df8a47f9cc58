import { median } from '../measure/statistics.mjs';
import { repeatsOf } from './repeats.mjs';
import { longestStandstill } from './standstill.mjs';

/** Repeats after one kill. 96 were measured; more than this is a defect. */
const MOST_REPEATS = 250;
/** A cancel is honoured within this time. */
const CANCEL_MS = 2000;

/**
 * @typedef {object} Figure
 * @property {string} what
 * @property {number} value
 * @property {string} [unit]
 * @property {number} [most] a higher value is a failure; without it the figure is for information
 */

/**
 * @param {import('./facts.mjs').Facts} facts
 * @returns {Figure[]}
 */
export function verdict(facts) {
  const { accepted, canceled, kills, calls, deliveries, duplicates } = facts;
  const sent = deliveries.filter(({ status }) => status === 'sent').map(messageOf);
  const rows = new Set(deliveries.map(messageOf));
  const arrived = new Set([...calls].filter(([, all]) => all.some(isArrival)).map(([message]) => message));
  const repeats = repeatsOf(facts);
  const perKill = kills.map((_, number) => repeats.filter(({ kill }) => kill === number).length);
  return [
    { what: 'triggers accepted (201)', value: accepted.size },
    { what: 'cancels answered', value: canceled.size },
    { what: 'messages arrived', value: arrived.size },
    { what: 'calls answered with 503', value: [...calls.values()].flat().filter((call) => !isArrival(call)).length },
    ...lostOf(facts),
    { what: 'duplicate delivery rows', value: duplicates, most: 0 },
    {
      what: 'messages `sent` that never arrived',
      value: sent.filter((message) => !arrived.has(message)).length,
      most: 0,
    },
    { what: 'messages without a delivery row', value: [...calls.keys()].filter((id) => !rows.has(id)).length, most: 0 },
    { what: 'messages sent 2 s after their cancel', value: sentAfterCancel(facts), most: 0 },
    { what: 'repeats', value: repeats.length },
    { what: 'repeats without a kill', value: repeats.filter(({ kill }) => kill === null).length },
    { what: 'repeats per kill, median', value: median(perKill) },
    { what: 'repeats per kill, most', value: Math.max(...perKill), most: MOST_REPEATS },
    { what: 'longest standstill after a kill', value: longestStandstill(facts, repeats) / 1000, unit: 's' },
  ];
}

const messageOf = ({ occurrence, id }) => `${occurrence}.${id}`;

const isArrival = ([, status]) => status === 200;

/** Accepted occurrences that are missing or never ended, and people who got nothing although nobody canceled. */
function lostOf({ accepted, occurrences, deliveries }) {
  const statuses = new Map();
  for (const { occurrence, status } of deliveries) {
    if (!statuses.has(occurrence)) statuses.set(occurrence, []);
    statuses.get(occurrence).push(status);
  }
  const lost = { missing: 0, unfinished: 0, undelivered: 0 };
  for (const [id, { people }] of accepted) {
    const status = occurrences.get(id);
    const of = statuses.get(id) ?? [];
    if (status === undefined) lost.missing++;
    else if (of.includes('pending')) lost.unfinished++;
    else if (status === 'canceled') continue;
    else if (status !== 'expanded' || of.length !== people) lost.unfinished++;
    else lost.undelivered += of.filter((each) => each !== 'sent').length;
  }
  return [
    { what: 'occurrences lost: not in the database', value: lost.missing, most: 0 },
    { what: 'occurrences lost: a person without a final delivery', value: lost.unfinished, most: 0 },
    { what: 'deliveries that were given up', value: lost.undelivered, most: 0 },
  ];
}

function sentAfterCancel({ canceled, calls }) {
  const isLate = ([id, all]) => {
    const canceledAt = canceled.get(id.split('.', 1)[0]);
    return canceledAt !== undefined && all.some(([at]) => at > canceledAt + CANCEL_MS);
  };
  return [...calls].filter(isLate).length;
}
