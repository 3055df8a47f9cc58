import { DoesNotAddUp } from './add-up.mjs';
import { row } from './row.mjs';
import { percentile } from './statistics.mjs';

/**
 * The delays from trigger to arrival, and the medians of the first and the last tenth of them. Throws unless each message arrived
 * exactly once.
 * @param {import('../world/part.mjs').Part} sink
 * @param {{ occurrence: string, sentAt: number }[]} sent in order
 */
export async function delaysOf(sink, sent) {
  const arrivals = new Map(await sink.ask('occurrences'));
  const delays = sent.map(({ occurrence, sentAt }) => {
    const { at, received } = arrivals.get(occurrence) ?? { received: 0 };
    if (received !== 1) throw new DoesNotAddUp(`${occurrence} arrived ${received} times`);
    return at - sentAt;
  });
  const tenth = Math.ceil(delays.length / 10);
  return {
    p50: percentile(delays, 50),
    p99: percentile(delays, 99),
    firstTenth: percentile(delays.slice(0, tenth), 50),
    lastTenth: percentile(delays.slice(-tenth), 50),
  };
}

export const PILE_UP = 'If the last tenth of the messages takes much longer than the first, messages pile up.';

/** Compares the last messages of each round with its first ones. */
export function pileUpRow(what, { service }) {
  const samples = { service, floor: service.map(({ firstTenth }) => ({ lastTenth: firstTenth })) };
  return row(`${what}, p50 of the last tenth`, 'ms', 'lastTenth', samples, 'p50 of the first tenth');
}
