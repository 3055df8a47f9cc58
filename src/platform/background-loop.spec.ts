import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { until } from '../../test/support/until.js';
import { BackgroundLoop } from './background-loop.js';
import type { LoopOptions } from './background-loop.js';

const OPTIONS = { name: 'Sweep', failure: 'could not sweep', everyMs: 1, firstMs: 0, isAwaited: true };
const HOUR_MS = 3_600_000;

class Sweep extends BackgroundLoop {
  rounds = 0;

  constructor(
    options: Partial<LoopOptions>,
    private readonly work: (round: number) => Promise<number | void>,
  ) {
    super({ ...OPTIONS, ...options });
  }

  protected override round(): Promise<number | void> {
    return this.work(++this.rounds);
  }
}

let loop: Sweep;
let warn: jest.SpiedFunction<Logger['warn']>;
beforeEach(() => {
  warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
});
afterEach(async () => {
  await loop.beforeApplicationShutdown();
  warn.mockRestore();
});

function start(options: Partial<LoopOptions>, work: (round: number) => Promise<number | void>): Sweep {
  loop = new Sweep(options, work);
  loop.onApplicationBootstrap();
  return loop;
}

it('repeats its work until it is stopped', async () => {
  start({}, async () => undefined);
  await until(5000, () => loop.rounds > 2);
  await loop.beforeApplicationShutdown();
  const { rounds } = loop;
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(loop.rounds).toBe(rounds);
});

it('logs a failed round and continues', async () => {
  start({}, async (round) => {
    if (round === 1) throw new Error('no database');
  });
  await until(5000, () => loop.rounds > 2);
  expect(warn.mock.calls).toEqual([[{ message: 'could not sweep', error: 'no database' }]]);
});

it('waits before the first round if it is told to, and a stop ends the wait', async () => {
  start({ firstMs: HOUR_MS }, async () => undefined);
  await loop.beforeApplicationShutdown();
  expect(loop.rounds).toBe(0);
});

it('uses the pause that a round returns', async () => {
  start({ everyMs: HOUR_MS }, async (round) => (round < 3 ? 1 : undefined));
  await until(5000, () => loop.rounds === 3);
});

it.each([
  [true, ['worked', 'stopped']],
  [false, ['stopped', 'worked']],
])('waits for the round under way at a stop only if it is awaited: %p', async (isAwaited, order) => {
  const happened: string[] = [];
  let finish = (): void => undefined;
  start({ isAwaited }, () =>
    new Promise<void>((resolve) => (finish = () => resolve())).then(() => void happened.push('worked')),
  );
  const stopped = loop.beforeApplicationShutdown().then(() => happened.push('stopped'));
  if (!isAwaited) await stopped;
  finish();
  await until(5000, () => happened.length === 2);
  expect(happened).toEqual(order);
});

it('logs no failure that the stop itself caused', async () => {
  let fail = (): void => undefined;
  start({}, () => new Promise((_resolve, reject) => (fail = () => reject(new Error('connection ended')))));
  const stopped = loop.beforeApplicationShutdown();
  fail();
  await stopped;
  expect(warn).not.toHaveBeenCalled();
});
