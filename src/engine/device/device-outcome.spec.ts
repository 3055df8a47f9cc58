import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../dispatcher/dispatcher.js';
import { undeliverable } from '../outcome/result.js';
import { asTaken, droppedBy, meaningOf, mergeResults, outcomeOfAll } from './device-outcome.js';
import type { TargetDevice } from './target-devices.js';

const AT = new Date('2026-11-01T08:00:00Z');

const deviceOf = (id: number): TargetDevice => ({
  ...{ id, app: 'com.acme.shop', device: `phone-${id}`, platform: 'ios', name: '', environment: null },
  ...{ problem: null, seenAt: AT, addressId: 10 + id, address: `token-${id}`, isSuppressed: false },
});

const SENT: Outcome = { kind: 'sent', answer: '200', providerId: 'p-1' };
const BUSY: Outcome = { kind: 'retry', answer: '503' };
const SLOW: Outcome = { kind: 'retry', answer: '429', isSlowDown: true, afterSeconds: 60 };
const LOST: Outcome = { kind: 'retry', answer: 'no answer', mayHaveArrived: true };
const GONE: Outcome = { kind: 'rejected', answer: '404', fault: 'device' };
const BAD: Outcome = { kind: 'retry', answer: '400', about: 'either', setsAside: true };
const TOO_LARGE: Outcome = { kind: 'rejected', answer: '413', fault: 'message' };
const NO_KEY: Outcome = { kind: 'rejected', answer: '401', fault: 'channel' };

const answersOf = (...outcomes: Outcome[]) => outcomes.map((outcome, i) => ({ device: deviceOf(i), outcome, at: AT }));

describe('the answer about a device', () => {
  it.each<[string, Outcome]>([
    ['sent', SENT],
    ['retry', BUSY],
    ['retry', NO_KEY],
    ['gone', GONE],
    ['gone', { ...GONE, goneAt: new Date(AT.getTime() + 1) }],
    ['rejected', { ...GONE, goneAt: new Date(AT.getTime() - 1) }],
    ['set_aside', BAD],
    ['set_aside', { kind: 'rejected', answer: '400', fault: 'message', setsAside: true }],
    ['set_aside', { kind: 'rejected', answer: '400', fault: 'recipient' }],
    ['rejected', { kind: 'rejected', answer: '552', fault: 'recipient', cause: 'soft_bounce' }],
    ['rejected', TOO_LARGE],
  ])('means %s: %j', (meaning, outcome) => {
    expect(meaningOf({ device: deviceOf(1), outcome, at: AT })).toBe(meaning);
  });
});

describe('the outcome of an attempt to several devices', () => {
  it.each<[string, Outcome[], Outcome]>([
    ['sent if all took it', [SENT, SENT], { kind: 'sent', answer: '2 of 2 devices took it; 200', providerId: 'p-1' }],
    ['sent if one took it', [GONE, SENT], { kind: 'sent', answer: '1 of 2 devices took it; 404', providerId: 'p-1' }],
    ['tried again if one may take it', [SENT, BUSY], { kind: 'retry', answer: '1 of 2 devices took it; 503' }],
    ['dead if none may', [GONE, BAD], { kind: 'rejected', fault: 'message', answer: '0 of 2 devices took it; 404' }],
    ['that of the only device', [BUSY], { kind: 'retry', answer: '503' }],
    [
      'a fault of the channel',
      [SENT, NO_KEY],
      { kind: 'rejected', fault: 'channel', answer: '1 of 2 devices took it; 401' },
    ],
    [
      'counted unless all slow down',
      [SLOW, BUSY],
      { kind: 'retry', answer: '0 of 2 devices took it; 429', afterSeconds: 60 },
    ],
    ['not counted if all slow down', [SLOW], { ...SLOW }],
    ['one that may have arrived', [LOST], { ...LOST }],
  ])('is %s', (_name, outcomes, expected) => {
    const answers = answersOf(...outcomes);
    expect(outcomeOfAll(answers, mergeResults([], answers))).toEqual(expected);
  });

  it('is sent if a device took it before, and the last one is gone', () => {
    const before = mergeResults([], answersOf(SENT, BUSY));
    const answers = [{ device: deviceOf(1), outcome: GONE, at: AT }];
    const results = mergeResults(before, answers);
    expect(results.map(({ outcome }) => outcome)).toEqual(['sent', 'gone']);
    expect(outcomeOfAll(answers, results)).toEqual({ kind: 'sent', answer: '1 of 2 devices took it; 404' });
  });

  it('drops the devices that are gone or refused', () => {
    expect(droppedBy(answersOf(SENT, GONE, BAD, BUSY))).toEqual([
      { address: 11, value: 'token-1', problem: null, seenAt: AT },
      { address: 12, value: 'token-2', problem: '400', seenAt: AT },
    ]);
    expect(droppedBy(answersOf(SENT, BUSY))).toBeUndefined();
  });

  it('is not dead when a device took the message', () => {
    const dead = { ...undeliverable('1', 0, 'the user was deleted'), fallsBack: true };
    expect(asTaken(dead)).toMatchObject({ status: 'sent', reason: null, gate: null, fallsBack: false });
  });
});
