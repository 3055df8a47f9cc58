import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../dispatcher/dispatcher.js';
import { judge } from './judge.js';
import type { Result } from './result.js';

const NOW = new Date('2030-01-01T00:00:00Z');
const AT = new Date('2029-12-31T23:59:59Z');
const NO_JITTER = 0.5;

const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

const attempted = (attempts = 0, attemptsBefore = 0) => ({
  id: '17',
  attempts,
  attemptsBefore,
  pendingSince: AT,
  at: AT,
  durationMs: 35,
  patienceMs: null as number | null,
});

const SENT: Outcome = { kind: 'sent', answer: '250 Ok' };
const REJECTED: Outcome = { kind: 'rejected', answer: '550 no such user', fault: 'message' };
const RETRY: Outcome = { kind: 'retry', answer: '421 try again later' };

describe('an attempt', () => {
  it.each<[string, [attempts: number, before: number], Outcome, Partial<Result>]>([
    ['that the provider accepted: the delivery is sent', [0, 0], SENT, { status: 'sent', fallsBack: false }],
    [
      'that the provider rejected: the delivery is dead at once, and its fallback may take over',
      [0, 0],
      REJECTED,
      { status: 'dead', reason: 'rejected by the provider: 550 no such user', fallsBack: true },
    ],
    [
      'that failed: the delivery waits for its next attempt',
      [0, 0],
      RETRY,
      { status: 'pending', nextAttemptAt: after(5), fallsBack: true },
    ],
    ['that failed again: the delivery waits longer', [2, 0], RETRY, { status: 'pending', nextAttemptAt: after(300) }],
    [
      'that failed, with a time from the provider: the delivery waits until then',
      [0, 0],
      { ...RETRY, afterSeconds: 120 },
      { status: 'pending', nextAttemptAt: after(120) },
    ],
    [
      'that failed for the eighth time: the delivery is given up',
      [7, 0],
      RETRY,
      { status: 'dead', reason: 'given up after 8 attempts: 421 try again later', fallsBack: true },
    ],
    [
      'that failed after a retry by hand: the schedule starts again',
      [8, 8],
      RETRY,
      { status: 'pending', nextAttemptAt: after(5) },
    ],
    [
      'that failed for the eighth time after a retry by hand: the delivery is given up, and all attempts count',
      [15, 8],
      RETRY,
      { status: 'dead', reason: 'given up after 16 attempts: 421 try again later' },
    ],
  ])('%s', (_, [attempts, before], outcome, expected) => {
    expect(judge(attempted(attempts, before), outcome, NOW, NO_JITTER)).toEqual({
      id: '17',
      attempts,
      gate: null,
      nextAttemptAt: null,
      reason: null,
      attempt: { at: AT, durationMs: 35, outcome: outcome.kind, answer: outcome.answer },
      message: null,
      inbox: false,
      fallsBack: true,
      isUncounted: false,
      ...expected,
    });
  });

  it.each<[string, Outcome, Partial<Result>]>([
    ['a recipient suppresses the address', { ...REJECTED, fault: 'recipient' }, { suppresses: 'hard_bounce' }],
    ['a device suppresses its address', { ...REJECTED, fault: 'device' }, { suppresses: 'hard_bounce' }],
    ['a recipient who said stop', { ...REJECTED, fault: 'recipient', cause: 'stop' }, { suppresses: 'stop' }],
    ['a full mailbox', { ...REJECTED, fault: 'recipient', cause: 'soft_bounce' }, { isAboutRecipient: true }],
    ['a message says nothing about the address', REJECTED, {}],
  ])('that was refused by the fault of %s', (_, outcome, expected) => {
    const { status, suppresses, isAboutRecipient } = judge(attempted(), outcome, NOW, NO_JITTER);
    expect({ status, suppresses, isAboutRecipient }).toEqual({ status: 'dead', ...expected });
  });

  it('that our own dispatcher refused does not blame the provider', () => {
    const result = judge(attempted(), { ...REJECTED, answer: 'it is empty', isLocal: true }, NOW, NO_JITTER);
    expect(result.reason).toBe('it is empty');
  });

  const UNAUTHORIZED: Outcome = { kind: 'rejected', answer: '401 wrong key', fault: 'channel' };

  it('that the provider refused by the fault of the channel waits, never counts and suppresses nothing', () => {
    const result = judge(attempted(30), UNAUTHORIZED, NOW, NO_JITTER);
    expect(result).toMatchObject({ status: 'pending', isUncounted: true, attempt: { outcome: 'retry' } });
    expect(result).not.toHaveProperty('suppresses');
    const old = { ...attempted(30), pendingSince: new Date(NOW.getTime() - 22 * 3600 * 1000) };
    expect(judge(old, UNAUTHORIZED, NOW, NO_JITTER)).toMatchObject({ status: 'dead', fallsBack: true });
  });

  it.each([
    ['SM17', { providerId: 'SM17' }],
    ['', {}],
    ['x'.repeat(256), {}],
  ])('keeps the id of the provider, unless it is empty or too long (%#)', (providerId, expected) => {
    const { providerId: kept } = judge(attempted(), { ...SENT, providerId }, NOW, NO_JITTER);
    expect({ providerId: kept }).toEqual({ providerId: undefined, ...expected });
  });

  const SLOW_DOWN: Outcome = { kind: 'retry', answer: '429 slow down', isSlowDown: true };

  it.each<[string, number, Outcome, number]>([
    ['soon', 0, SLOW_DOWN, 1],
    ['later each time', 3, SLOW_DOWN, 8],
    ['after five minutes at most', 50, SLOW_DOWN, 300],
    ['not before the time that the provider gave', 0, { ...SLOW_DOWN, afterSeconds: 20 }, 20],
  ])('that the provider asked to slow down is repeated %s and never counts', (_, attempts, outcome, seconds) => {
    const result = judge(attempted(attempts), outcome, NOW, NO_JITTER);
    expect(result).toMatchObject({ status: 'pending', isUncounted: true, nextAttemptAt: after(seconds) });
  });

  it('that the provider asked to slow down for longer than all attempts take is given up', () => {
    const old = { ...attempted(20), pendingSince: new Date(NOW.getTime() - 22 * 3600 * 1000) };
    expect(judge(old, SLOW_DOWN, NOW, NO_JITTER)).toMatchObject({
      status: 'dead',
      reason: 'given up after 21 attempts: 429 slow down',
      fallsBack: true,
    });
  });

  it('that failed is repeated a little earlier or later, so that messages do not come back together', () => {
    const next = [0, 1].map((jitter) => judge(attempted(), RETRY, NOW, jitter).nextAttemptAt);
    expect(next).toEqual([after(4), after(6)]);
  });
});

describe('a channel whose fallback waits for ten minutes', () => {
  const MINUTE = 60_000;
  const tried = (attempts: number) => ({
    ...attempted(attempts),
    pendingSince: new Date(NOW.getTime() - 33 * MINUTE), // it waited for its turn: that does not count
    patienceMs: 10 * MINUTE,
  });
  const FAULT: Outcome = { kind: 'rejected', answer: '535 wrong password', fault: 'channel' };

  it.each<[string, Outcome, number, Partial<Result>]>([
    ['retries as usual before', RETRY, 0, { status: 'pending', nextAttemptAt: after(5) }],
    ['makes its last attempt at the end', RETRY, 3, { status: 'pending', nextAttemptAt: after(265) }],
    ['gives up after it', RETRY, 4, { status: 'dead', fallsBack: true }],
    ['gives up if the provider wants a longer wait', { ...RETRY, afterSeconds: 600 }, 1, { status: 'dead' }],
    ['waits while the channel is refused', FAULT, 0, { status: 'pending', isUncounted: true }],
  ])('%s', (_, outcome, attempts, expected) => {
    expect(judge(tried(attempts), outcome, NOW, NO_JITTER)).toMatchObject(expected);
  });
});
