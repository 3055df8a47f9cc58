import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from '@jest/globals';
import type { TenantLimits } from '../../tenant-limiter.js';
import { TriggerShares } from './trigger-shares.js';

const [ACME, GLOBEX, INITECH] = [1, 2, 3];

function world(limits: Partial<TenantLimits> = {}) {
  const shares = new TriggerShares({ perOrganization: 4, inAll: 4, maxWaiting: 2, waitMs: 3_600_000, ...limits });
  const entered: string[] = [];
  const responses = new Map<string, EventEmitter>();
  const enter = async (tenant: number, name: string) => {
    const response = Object.assign(new EventEmitter(), { destroyed: false });
    responses.set(name, response);
    const result = shares.enter(tenant, response as unknown as ServerResponse);
    if (result !== true) await result;
    entered.push(name);
  };
  /** Its answer was sent, or its client left. */
  const end = async (name: string) => {
    responses.get(name)!.emit('close');
    await Promise.resolve();
  };
  return { enter, entered, end };
}

it('one organization alone may use everything, and then waits for its own triggers', async () => {
  const { enter, entered, end } = world();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void enter(ACME, name);
  expect(entered).toEqual(['a1', 'a2', 'a3', 'a4']);
  await end('a2');
  expect(entered).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
});

it('another organization gets its part at once, whatever the first one does', () => {
  const { enter, entered } = world();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void enter(ACME, name);
  for (const name of ['g1', 'g2', 'g3']) void enter(GLOBEX, name);
  void enter(INITECH, 'i1');
  expect(entered.slice(4)).toEqual(['g1', 'g2', 'i1']);
});

it('refuses what would wait behind too many of the same organization, and says when to come back', async () => {
  const { enter, entered } = world();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) void enter(ACME, name);
  await expect(enter(ACME, 'a7')).rejects.toMatchObject({
    status: 429,
    detail: 'The organization has 4 triggers under way, and 2 more wait. Try again later, or send fewer at once.',
    headers: { 'Retry-After': '1' },
  });
  await enter(GLOBEX, 'g1');
  expect(entered.at(-1)).toBe('g1');
});

it('a client that leaves frees its share or its place in the queue', async () => {
  const { enter, entered, end } = world();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) void enter(ACME, name);
  await end('a5');
  await end('a1');
  expect(entered).toEqual(['a1', 'a2', 'a3', 'a4', 'a6']);
  await end('a2');
  void enter(ACME, 'a7');
  expect(entered.at(-1)).toBe('a7');
});
