import { DoesNotAddUp } from './add-up.mjs';
import { percentile } from './statistics.mjs';

/**
 * The delays from trigger to arrival. Throws unless each message arrived exactly once.
 * @param {import('../world/part.mjs').Part} sink
 * @param {{ occurrence: string, sentAt: number }[]} sent
 */
export async function delaysOf(sink, sent) {
  const arrivals = new Map(await sink.ask('occurrences'));
  const delays = sent.map(({ occurrence, sentAt }) => {
    const { at, received } = arrivals.get(occurrence) ?? { received: 0 };
    if (received !== 1) throw new DoesNotAddUp(`${occurrence} arrived ${received} times`);
    return at - sentAt;
  });
  return { p50: percentile(delays, 50), p99: percentile(delays, 99) };
}
