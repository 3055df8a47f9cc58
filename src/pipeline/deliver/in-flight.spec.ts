import { expect, it } from '@jest/globals';
import { InFlight } from './in-flight.js';

/** Asks for so many places, and tells how many it was given so far. */
function ask(flights: InFlight, channel: number, count: number, isCritical = false) {
  const given: (() => void)[] = [];
  for (let i = 0; i < count; i++) void flights.take(channel, isCritical).then((release) => given.push(release));
  return given;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('gives one channel no more than its most', async () => {
  const flights = new InFlight(12, 4);
  const one = ask(flights, 1, 10);
  await settled();
  expect(one).toHaveLength(4);
  one[0]!();
  await settled();
  expect(one).toHaveLength(5);
});

it('leaves places for the fifth channel when four hold all they may', async () => {
  const flights = new InFlight(16, 16);
  for (const channel of [1, 2, 3, 4, 5]) {
    const held = ask(flights, channel, 20);
    await settled();
    expect(held.length).toBeGreaterThan(0);
  }
});

it('lets a critical message out of a channel that has all that is its', async () => {
  const flights = new InFlight(12, 4);
  ask(flights, 1, 10);
  await settled();
  const critical = ask(flights, 1, 1, true);
  await settled();
  expect(critical).toHaveLength(1);
});

it('forgets a channel that has nothing left', async () => {
  const flights = new InFlight(12, 12);
  for (const release of await Promise.all([flights.take(1, false), flights.take(2, false)])) release();
  const alone = ask(flights, 3, 20);
  await settled();
  expect(alone).toHaveLength(6);
});
