import { expect, it } from '@jest/globals';
import { Capacity } from './capacity.js';

const job = (organizationId: number, lane: string, size = 1) => ({ organizationId, lane, size });

it('counts what is held by its size', () => {
  const room = new Capacity(10, 5, 8);
  room.enter(job(1, 'a', 3));
  room.enter(job(2, 'b'));
  expect(room.limits()).toEqual([6, '{"1 a":3,"2 b":1}', 5, '{"1":3,"2":1}', 6]);
  room.leave(job(1, 'a', 3));
  expect(room.limits()).toEqual([9, '{"2 b":1}', 5, '{"2":1}', 8]);
});

it('lets nobody hold more than is free for others', () => {
  const room = new Capacity(10, 10, 10);
  room.enter(job(1, 'a', 6));
  expect(room.limits()).toEqual([4, '{"1 a":6}', 4, '{"1":6}', 4]);
  expect(room.isTight).toBe(true);
});

it('is tight as soon as one lane or one organization can hold no more', () => {
  const room = new Capacity(100, 2, 3);
  expect(room.isTight).toBe(false);
  room.enter(job(1, 'a'));
  expect(room.isTight).toBe(false);
  room.enter(job(1, 'a'));
  expect(room.isTight).toBe(true);
  room.leave(job(1, 'a'));
  room.enter(job(1, 'b'));
  expect(room.isTight).toBe(false);
  room.enter(job(1, 'c'));
  expect(room.isTight).toBe(true);
});

it('never has less than no room, when one job alone is larger', () => {
  const room = new Capacity(10, 10, 10);
  room.enter(job(1, 'a', 25));
  expect(room.free).toBe(0);
});

it('counts no lanes where an organization has only one', () => {
  const room = new Capacity(10, null, 3);
  room.enter(job(1, 'a', 3));
  expect(room.limits()).toEqual([7, '{}', 7, '{"1":3}', 3]);
  expect(room.isTight).toBe(true);
});

it('looks at as many lanes as there is room for, and at those that are full', () => {
  const room = new Capacity(10, null, 3);
  expect([room.lanesToVisit(400), room.lanesToVisit(4)]).toEqual([10, 4]);
  room.enter(job(1, '', 3));
  room.enter(job(2, '', 2));
  expect(room.lanesToVisit(400)).toBe(5 + 1);
  const withLanes = new Capacity(10, 2, 5);
  withLanes.enter(job(1, 'a', 2));
  expect(withLanes.lanesToVisit(20)).toBeGreaterThan(100);
});
