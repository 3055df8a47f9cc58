import { expect, it } from '@jest/globals';
import { InFlight } from './in-flight.js';

/** Asks for `count` slots, and returns the slots that it has got. */
function ask(inFlight: InFlight, channel: number, count: number, isCritical = false, organization = channel) {
  const given: (() => void)[] = [];
  for (let i = 0; i < count; i++)
    void inFlight.acquire(organization, channel, isCritical).then((release) => given.push(release));
  return given;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('gives one channel no more slots than its limit', async () => {
  const inFlight = new InFlight(12, 4);
  const one = ask(inFlight, 1, 10);
  await settled();
  expect(one).toHaveLength(4);
  one[0]!();
  await settled();
  expect(one).toHaveLength(5);
});

it('leaves slots for the fifth channel when four are at their limit', async () => {
  const inFlight = new InFlight(16, 16);
  for (const channel of [1, 2, 3, 4, 5]) {
    const held = ask(inFlight, channel, 20);
    await settled();
    expect(held.length).toBeGreaterThan(0);
  }
});

it('gives a critical message a slot although its channel is at its limit', async () => {
  const inFlight = new InFlight(12, 4);
  ask(inFlight, 1, 10);
  await settled();
  const critical = ask(inFlight, 1, 1, true);
  await settled();
  expect(critical).toHaveLength(1);
});

it('forgets a channel that has nothing left', async () => {
  const inFlight = new InFlight(12, 12);
  for (const release of await Promise.all([inFlight.acquire(1, 1, false), inFlight.acquire(2, 2, false)])) release();
  const alone = ask(inFlight, 3, 20);
  await settled();
  expect(alone).toHaveLength(6);
});

it('gives one organization no more slots than its limit, whatever its channels and priority', async () => {
  const inFlight = new InFlight(20, 10, 6);
  const held = [1, 2, 3].map((channel) => ask(inFlight, channel, 10, true, 7));
  await settled();
  expect(held.flat()).toHaveLength(6);
  const other = ask(inFlight, 4, 1, false, 8);
  await settled();
  expect(other).toHaveLength(1);
});
