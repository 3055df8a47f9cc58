import type { FigureCountsDto } from './figure.dto.js';

/** So many messages with one outcome. */
interface OutcomeCount {
  outcome: string;
  /** With `within`: the seconds that they took at most. */
  reason: string;
  count: number;
}

/** Adds up the outcomes of messages. */
export function addUp(counts: OutcomeCount[]): FigureCountsDto {
  const sum = (outcome: string, reason?: string) => {
    const wanted = counts.filter((each) => each.outcome === outcome && (reason ?? each.reason) === each.reason);
    return wanted.reduce((total, { count }) => total + count, 0);
  };
  const [sent, failed, waiting, skipped] = [sum('sent'), sum('failed'), sum('waiting'), sum('skipped')];
  const times = counts.filter(({ outcome }) => outcome === 'within');
  return {
    messages: sent + failed + waiting + skipped,
    sent,
    failed,
    waiting,
    skipped,
    opted_out: sum('skipped', 'opted_out'),
    delivered: sum('sent', 'delivered'),
    seen: sum('sent', 'seen'),
    bounced: sum('sent', 'bounced') + sum('sent', 'soft_bounced'),
    complained: sum('sent', 'complained'),
    half_within_seconds: secondsOf(times, 0.5),
    most_within_seconds: secondsOf(times, 0.95),
  };
}

/** The least number of seconds within which this share of the messages was sent. */
function secondsOf(times: OutcomeCount[], share: number): number | null {
  const sorted = times
    .map(({ reason, count }) => ({ seconds: Number(reason), count }))
    .sort((a, b) => a.seconds - b.seconds);
  const enough = sorted.reduce((sum, { count }) => sum + count, 0) * share;
  let sum = 0;
  for (const { seconds, count } of sorted) {
    sum += count;
    if (count > 0 && sum >= enough) return seconds;
  }
  return null;
}

/** What is left of all messages without those of some rows. */
export function without(all: OutcomeCount[], rows: OutcomeCount[]): OutcomeCount[] {
  return [...all, ...rows.map((row) => ({ ...row, count: -row.count }))];
}
