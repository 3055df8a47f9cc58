import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { Cells } from '../../src/cell/directory/cells.js';
import { inboxOf, organization, triggerOf } from '../cell/world.js';
import type { TestApp } from '../support/app/app.js';
import { CELL_SECRET, TestCells } from '../support/app/cells.js';
import { cli } from '../support/app/cli.js';
import { EventReader } from '../support/sinks/event-reader.js';
import { until } from '../support/until.js';

// Story of an organization that moves to a cell with lower ids, and back. Its newest messages and entries then have lower ids than older ones.
let cells: TestCells;
let low: TestApp;
let high: TestApp;
let keys: { acme: string; globex: string };
/** The messages of Acme's user, oldest first. */
const ids: number[] = [];
let readers: EventReader[] = [];

beforeAll(async () => {
  cells = await TestCells.start({ ROLE: 'all' });
  [low, high] = cells.apps as [TestApp, TestApp];
  await high.apply(organization('acme'));
  await low.apply(organization('globex'));
  await cells.settle();
  keys = { acme: await high.key({ org: 'acme' }), globex: await low.key({ org: 'globex' }) };
});
afterEach(() => {
  for (const reader of readers) reader.leave();
  readers = [];
});
afterAll(() => cells?.stop());

interface Message {
  id: number;
}

const list = async (path: string) => (await low.as(keys.acme).get(path)).body as Message[];
const listed = async (query = '') => (await list(`${inboxOf('acme')}${query}`)).map(({ id }) => id);

async function trigger(count = 1): Promise<void> {
  for (let i = 0; i < count; i++) {
    expect((await low.as(keys.acme).post(triggerOf('acme'))).status).toBe(201);
    const seen = new Set(ids);
    const added = await until(20_000, async () => (await listed()).find((id) => !seen.has(id)));
    ids.push(added);
  }
}

async function move(source: TestApp, target: TestApp, ...more: string[]): Promise<void> {
  const { number, url, directoryUrl } = source.app.get(Cells).settings;
  const to = String(target.app.get(Cells).settings.number);
  const { code, stderr } = await cli(['move', 'acme', '--to', to, ...more], {
    ...{ DATABASE_URL: source.databaseUrl, CELL: String(number), CELL_URL: url, CELL_SECRET },
    ...{ DIRECTORY_URL: directoryUrl, TARGET_DATABASE_URL: target.databaseUrl },
    TARGET_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  await cells.settle();
}

/** The pages of a list, with the cursors that the service gives. */
async function pages(path: string): Promise<Message[]> {
  const all: Message[] = [];
  for (let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}limit=2`; next;) {
    const { body, headers } = await low.as(keys.acme).get(next);
    all.push(...(body as Message[]));
    next = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1]?.replace(/^https?:\/\/[^/]+/, '');
  }
  return all;
}

async function stream(org: 'acme' | 'globex', lastId?: number): Promise<EventReader> {
  const headers = { Authorization: `Key ${keys[org]}`, ...(lastId && { 'Last-Event-ID': String(lastId) }) };
  const reader = await EventReader.open(`${low.url}${inboxOf(org)}stream/`, headers);
  readers.push(reader);
  return reader;
}

const messagesOf = async (reader: EventReader, count: number) => {
  const messages = () => reader.events.filter(({ event }) => event === 'message').map(({ id }) => Number(id));
  await until(20_000, () => messages().length >= count);
  return messages();
};

async function expectInOrder(): Promise<void> {
  const newestFirst = [...ids].reverse();
  expect(await listed()).toEqual(newestFirst);
  expect(await listed('?state=unread')).toEqual(newestFirst);
  expect((await pages(inboxOf('acme'))).map(({ id }) => id)).toEqual(newestFirst);
  for (const [i, id] of ids.slice(0, -1).entries())
    expect(await messagesOf(await stream('acme', id), ids.length - i - 1)).toEqual(ids.slice(i + 1));
}

/** As the entries were written: the time of each is later than that of those before. */
async function expectAuditInOrder(): Promise<void> {
  const at = (entries: Message[]) => entries.map((entry) => (entry as Message & { at: string }).at);
  const oldestFirst = await list('/api/o/acme/audit/');
  expect(at(oldestFirst)).toEqual([...at(oldestFirst)].sort());
  expect(await pages('/api/o/acme/audit/')).toEqual(oldestFirst);
  expect(await pages('/api/o/acme/audit/?order=desc')).toEqual([...oldestFirst].reverse());
  const middle = at(oldestFirst)[Math.floor(oldestFirst.length / 2)]!;
  expect(await list(`/api/o/acme/audit/?since=${middle}`)).toEqual(
    oldestFirst.filter((entry) => at([entry])[0]! >= middle),
  );
}

/** A change, for the audit log. */
const addUser = async (name: string) =>
  expect(
    (
      await low
        .as(keys.acme)
        .post('/api/o/acme/u/')
        .send({ email: `${name}@acme.test` })
    ).status,
  ).toBe(201);

it('moves to a cell with a lower number, and reads inboxes and the audit log in order', async () => {
  await trigger(3);
  await addUser('before');
  await expectInOrder();
  await move(high, low);
  await expectInOrder();
  const [live, other] = [await stream('acme'), await stream('globex')];
  await trigger(2);
  await addUser('after');
  expect(ids[4]).toBeLessThan(ids[2]!);
  expect(await messagesOf(live, 2)).toEqual(ids.slice(3));
  // The high ids that came along delay no stream of another organization.
  expect((await low.as(keys.globex).post(triggerOf('globex'))).status).toBe(201);
  expect(await messagesOf(other, 1)).toHaveLength(1);
  await expectInOrder();
  await expectAuditInOrder();
});

it('marks the messages up to one of them, in the order of the list', async () => {
  const marked = await low
    .as(keys.acme)
    .post(`${inboxOf('acme')}mark/`)
    .send({ as: 'seen', up_to: ids[3] });
  expect([marked.status, marked.body]).toEqual([200, { changed: 4, unread: 5, unseen: 1 }]);
});

it('moves back, and goes on in order', async () => {
  await move(high, low, '--finish');
  await move(low, high);
  await expectInOrder();
  const live = await stream('acme');
  await trigger(2);
  await addUser('back');
  expect(ids[5]).toBeGreaterThan(ids[4]!);
  expect(await messagesOf(live, 2)).toEqual(ids.slice(5));
  await expectInOrder();
  await expectAuditInOrder();
});
