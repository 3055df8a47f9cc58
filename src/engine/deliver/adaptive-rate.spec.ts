import { describe, expect, it } from '@jest/globals';
import { AdaptiveRate } from './adaptive-rate.js';

/** A receiver that accepts or refuses a message at a time in milliseconds. */
type Receiver = (now: number) => boolean;

/** Allows a burst of one second, and then so many a second. */
function bucketOf(perSecond: number): Receiver {
  let tokens = perSecond;
  let at = 0;
  return (now) => {
    tokens = Math.min(perSecond, tokens + ((now - at) / 1000) * perSecond);
    at = now;
    return tokens >= 1 && tokens-- > 0;
  };
}

/** Allows so many in each whole window. */
function windowOf(count: number, windowMs: number): Receiver {
  const counts = new Map<number, number>();
  return (now) => {
    const window = Math.floor(now / windowMs);
    const before = counts.get(window) ?? 0;
    if (before < count) counts.set(window, before + 1);
    return before < count;
  };
}

interface Figures {
  accepted: number;
  attempts: number;
  /** Refusals that count as failures of the channel. */
  failures: number;
}

/** Sends as fast as the pace allows, with 50 in flight at most, each answered after 20 ms. */
function run(pace: AdaptiveRate, receiver: Receiver, seconds: number): Figures {
  const figures = { accepted: 0, attempts: 0, failures: 0 };
  const answers: { at: number; startedAt: number; isAccepted: boolean }[] = [];
  for (let now = 0, sendAt = 0; now < seconds * 1000; now++) {
    for (; answers[0] && answers[0].at <= now; answers.shift()) {
      const { startedAt, isAccepted } = answers[0];
      if (isAccepted) pace.accepted(now);
      else if (!pace.refused(startedAt, now)) figures.failures++;
      if (isAccepted) figures.accepted++;
    }
    for (; sendAt <= now && answers.length < 50; sendAt = now + (pace.reserve(now) ?? 100)) {
      figures.attempts++;
      answers.push({ at: now + 20, startedAt: now, isAccepted: receiver(now) });
    }
  }
  return figures;
}

describe('a receiver that refuses messages above its limit', () => {
  it.each<[string, Receiver, number]>([
    ['50 a second', bucketOf(50), 50],
    ['50 in each second', windowOf(50, 1000), 50],
    ['500 a second', bucketOf(500), 500],
    ['10 a second', bucketOf(10), 10],
  ])('of %s gets most of what it allows, with few refusals', (_name, receiver, allowed) => {
    const { accepted, attempts, failures } = run(new AdaptiveRate(), receiver, 60);
    expect(accepted / 60).toBeGreaterThan(0.6 * allowed);
    expect(attempts / accepted).toBeLessThan(1.3);
    expect(failures).toBeLessThan(5);
  });

  it('for the rest of a minute is asked once a second, and this counts as failing', () => {
    const { attempts, failures } = run(new AdaptiveRate(), windowOf(1000, 60_000), 50);
    expect(attempts).toBeLessThan(1150);
    expect(failures).toBeGreaterThan(10);
  });

  it('and then allows more gets more', () => {
    const pace = new AdaptiveRate();
    run(pace, bucketOf(20), 20);
    expect(run(pace, () => true, 60).accepted).toBeGreaterThan(60 * 200);
  });
});

describe('a pace', () => {
  it('is no limit until somebody asks for one', () => {
    const pace = new AdaptiveRate();
    expect([1, 2, 3].map(() => pace.reserve(0))).toEqual([0, 0, 0]);
  });

  it('is slowed once by messages that were in flight together', () => {
    const pace = new AdaptiveRate();
    for (let i = 0; i < 100; i++) pace.accepted(10);
    for (let i = 0; i < 50; i++) expect(pace.refused(0, 20)).toBe(true);
    const waits = [1, 2, 3].map(() => pace.reserve(20)!);
    expect(waits[2]! - waits[1]!).toBeCloseTo(1000 / 80);
  });

  it('makes nobody wait for longer than two seconds: the message leaves its slot to others', () => {
    const pace = new AdaptiveRate();
    for (let i = 0; i < 100; i++) pace.refused(i, i);
    const waits = Array.from({ length: 20 }, () => pace.reserve(100));
    expect(waits[0]).toBe(999);
    expect(Math.max(...waits.map(Number))).toBeLessThanOrEqual(2000);
    expect(waits.at(-1)).toBeNull();
  });
});
