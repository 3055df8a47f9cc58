import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { newApiKey } from '../../src/auth/api-key.js';
import { CellCircuits } from '../../src/cell/forwarding/cell-circuits.js';
import { DirectoryReplica } from '../../src/cell/directory/directory-replica.js';
import type { DirectoryEntry } from '../../src/cell/directory/directory.js';
import type { TestApp } from '../support/app/app.js';
import { until } from '../support/until.js';
import { usePlayedCell } from './played-cell.js';
import type { PlayedCell } from './played-cell.js';

// The other cell accepts connections, and then does not answer: its process is stopped, or busy for long.
let app: TestApp;
let other: PlayedCell;
let key: string;
usePlayedCell(async (...cells) => {
  [app, other] = cells;
  key = await app.key({ org: 'acme' });
});

const places = () => app.app.get(DirectoryReplica).places;
const cell = () => places().cell(1)!;
const circuits = () => app.app.get(CellCircuits);
const there = (method: 'get' | 'post' = 'get') => app.as(key)[method]('/api/o/far/u/');

let far: DirectoryEntry;
beforeEach(() => {
  jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  far = { ...places().ofSlug('acme')!, slug: 'far', organizationId: 2 ** 27 + 7, cell: 1 };
  places().put([far]);
});
afterEach(async () => {
  other.isHung = false;
  await until(10_000, () => !circuits().isOpen(cell()));
  places().put([{ ...far, state: 'gone' }]);
});

async function timed<Answer>(work: PromiseLike<Answer>): Promise<[Answer, number]> {
  const start = performance.now();
  const answer = await work;
  return [answer, performance.now() - start];
}

it.each(['get', 'post'] as const)(
  'refuses a %s within five seconds, and the next ones without asking',
  async (method) => {
    other.isHung = true;
    const [answer, ms] = await timed(there(method));
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
    expect(ms).toBeLessThan(5000);
    const asked = other.forwarded.length;
    for (let i = 0; i < 20; i++) expect((await there(method)).status).toBe(503);
    expect(other.forwarded).toHaveLength(asked);
    // Organizations of this cell do not notice.
    expect((await app.as(key).get('/api/o/acme/')).status).toBe(200);
  },
);

it('refuses all that wait, and a large body that the cell does not read', async () => {
  other.isHung = true;
  const large = { email: 'x'.repeat(250_000) };
  const waiting = [there(), there('post').send(large), there('post').send(large), there()];
  const [answers, ms] = await timed(Promise.all(waiting));
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
  expect(ms).toBeLessThan(5000);
});

it('looks for unknown keys without waiting for it', async () => {
  other.isHung = true;
  await there();
  const questions = other.questions.length;
  const answer = await app.as(newApiKey()).get('/api/system/ping/');
  expect([answer.status, answer.headers['retry-after'], other.questions.length]).toEqual([503, '2', questions]);
});

it('forwards again once the cell answers, without risking a request', async () => {
  other.isHung = true;
  await there();
  const [asked, probes] = [other.forwarded.length, other.probes];
  await until(10_000, () => other.probes > probes);
  expect(other.forwarded).toHaveLength(asked);
  other.isHung = false;
  await until(10_000, () => !circuits().isOpen(cell()));
  expect((await there()).text).toBe('there');
});

it('waits for a slow request of a cell that is alive', async () => {
  other.delayMs = 4000;
  const [answer, ms] = await timed(there());
  expect([answer.status, answer.text]).toEqual([200, 'there']);
  expect(ms).toBeGreaterThan(3900);
  expect(other.probes).toBeGreaterThan(0);
});
