import { expect, it } from '@jest/globals';
import { Turns } from './turns.js';

const [ACME, GLOBEX] = [1, 2];

/** Takes at most so many. */
function atMost(count: number): () => boolean {
  let left = count;
  return () => left-- > 0;
}

it('takes of all organizations in turn, however many items one of them has', () => {
  const turns = new Turns<string>();
  for (const item of ['a1', 'a2', 'a3', 'a4']) turns.push(ACME, item);
  turns.push(GLOBEX, 'g1');
  expect(turns.take(atMost(3))).toEqual(['a1', 'g1', 'a2']);
  turns.push(GLOBEX, 'g2');
  expect(turns.size).toBe(3);
  expect(turns.take(atMost(3))).toEqual(['a3', 'g2', 'a4']);
  expect([turns.size, turns.take(() => true)]).toEqual([0, []]);
});

it('takes no more of an organization after an item that does not fit, but goes on with the others', () => {
  const turns = new Turns<string>();
  for (const item of ['a1', 'a2', 'a3']) turns.push(ACME, item);
  for (const item of ['g1', 'g2']) turns.push(GLOBEX, item);
  expect(turns.take((item) => item !== 'a2')).toEqual(['a1', 'g1', 'g2']);
  expect(turns.take(() => true)).toEqual(['a2', 'a3']);
});

it('serves an organization first that got nothing the last time', () => {
  const turns = new Turns<string>();
  for (const item of ['a1', 'a2']) turns.push(ACME, item);
  turns.push(GLOBEX, 'g1');
  expect(turns.take(atMost(1))).toEqual(['a1']);
  expect(turns.take(atMost(1))).toEqual(['g1']);
});
