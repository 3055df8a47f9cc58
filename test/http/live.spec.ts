import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { EventStreams } from '../../src/platform/http/stream/event-stream.js';
import { Notice } from '../../src/platform/database/notice.js';
import { ProgressService } from '../../src/api/progress/progress.service.js';
import { startApi } from '../support/app/api.js';
import type { SecondApi } from '../support/app/api.js';
import { TestApp } from '../support/app/app.js';
import { Service } from '../support/app/service.js';
import { allBut } from '../support/contract/operations.js';
import { EventReader } from '../support/sinks/event-reader.js';
import type { ReceivedEvent } from '../support/sinks/event-reader.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { fillInbox } from '../support/world/inbox.js';
import { Tenant, inbox, webhook } from '../support/world/tenant.js';

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';

// Two processes' worth of service: messages are sent by the first, and mostly followed on the second.
let app: TestApp;
let other: SecondApi;
let sink: HttpSink;
let tenant: Tenant;
let readers: EventReader[] = [];

beforeAll(async () => {
  app = await TestApp.start({ ROLE: 'all' });
  other = await startApi(app);
  sink = await HttpSink.start();
});
afterAll(async () => {
  await other.stop();
  await app.stop();
  await sink.close();
});

beforeEach(async () => {
  sink.reply = () => ({ status: 200 });
  const templates = [
    { channel: 'inbox', subject: 'Order {{ order }}', text: 'Hi' },
    { channel: 'hook', text: 'Hi' },
  ];
  tenant = await Tenant.create(app, {
    channels: [inbox('inbox'), webhook('hook', sink.url())],
    lists: [{ name: 'Staff', members: [ANN, BOB] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates }],
  });
});
afterEach(() => {
  for (const reader of readers) reader.leave();
  readers = [];
});

async function open(path: string, headers: Record<string, string> = {}, url = other.url): Promise<EventReader> {
  const reader = await EventReader.open(url + path, { Authorization: `Key ${tenant.key}`, ...headers });
  readers.push(reader);
  return reader;
}

const inboxPath = (user = ANN, org = tenant.org) => `/api/o/${org}/u/${user}/inbox/stream/`;
const progressPath = (occurrence: string) => `/api/o/${tenant.org}/occurrences/${occurrence}/stream/`;

const after = (id: number | string) => ({ 'Last-Event-ID': String(id) });
const tell = (user: string, order: number | string) =>
  tenant.trigger({ order }, { channels: ['inbox'], limit_to: [user] });

const ids = (events: ReceivedEvent[]) => events.map(({ id }) => Number(id));
const subjects = (events: ReceivedEvent[]) => events.map(({ data }) => (data as { subject: string }).subject);

const isSo = (look: () => boolean) => until(10_000, () => look());

/** Ends connections to the test's database by the name they go by. */
async function cut(...names: string[]): Promise<void> {
  const { rows } = await app.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = any($1)`,
    [names],
  );
  expect(rows.length).toBeGreaterThan(0);
}

describe('the stream of an inbox', () => {
  it('shows on one process what was sent by the other, as the inbox lists it', async () => {
    const [here, there] = [await open(inboxPath(), {}, app.url), await open(inboxPath())];
    expect(there.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    await tell(ANN, 1);
    for (const reader of [here, there]) await reader.received(1);
    const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/u/${ANN}/inbox/`);
    const [message] = body as { id: number }[];
    expect(there.events).toEqual([
      { id: String(message!.id), event: 'message', data: { ...message, counts: { unread: 1, unseen: 1 } } },
    ]);
    expect(here.events).toEqual(there.events);
  });

  it('shows a person nothing of another, nor of a namesake elsewhere', async () => {
    const namesake = await Tenant.create(app, { users: [{ email: ANN }] });
    const [ann, bob] = [await open(inboxPath()), await open(inboxPath(BOB))];
    const elsewhere = await open(inboxPath(ANN, namesake.org), { Authorization: `Key ${namesake.key}` });
    await tell(BOB, 'for Bob');
    await bob.received(1);
    await tell(ANN, 'for Ann');
    await ann.received(1);
    expect([ann, bob, elsewhere].map(({ events }) => subjects(events))).toEqual([
      ['Order for Ann'],
      ['Order for Bob'],
      [],
    ]);
  });

  it('goes on after the last message that was received, and then live', async () => {
    await tell(ANN, 1);
    const first = await open(inboxPath(), after(0));
    const [seen] = ids(await first.received(1));
    first.leave();
    for (const order of [2, 3]) await tenant.settled(await tell(ANN, order));
    const second = await open(inboxPath(), after(seen!));
    await second.received(2);
    await tell(ANN, 4);
    expect(subjects(await second.received(3))).toEqual(['Order 2', 'Order 3', 'Order 4']);
  });

  it('lets a reader go on that was cut off before its first message', async () => {
    await tenant.settled(await tell(ANN, 'long ago'));
    const first = await open(inboxPath());
    await isSo(() => first.lastEventId !== '');
    first.leave();
    await tenant.settled(await tell(ANN, 'meanwhile'));
    const second = await open(inboxPath(), after(first.lastEventId));
    expect(subjects(await second.received(1))).toEqual(['Order meanwhile']);
  });

  it('starts now for a reader from the future, such as of a database that was restored', async () => {
    const reader = await open(inboxPath(), after(2_147_483_647));
    await tell(ANN, 1);
    expect(subjects(await reader.received(1))).toEqual(['Order 1']);
  });

  it('brings 1,000 messages that were waiting, and the rest to whoever asks again', async () => {
    const all = await fillInbox(app.pool, ANN, 1005, tenant.org);
    const first = await open(inboxPath(), after(0));
    expect(ids(await first.untilEnd())).toEqual(all.slice(0, 1000));
    const second = await open(inboxPath(), after(first.lastEventId));
    expect(ids(await second.received(5))).toEqual(all.slice(1000));
    expect(second.closed).toBe(false);
  });

  it('waits with a message until those before it are stored, for a reader goes on from its last', async () => {
    const reader = await open(inboxPath());
    await isSo(() => reader.lastEventId !== '');
    const slow = new Client({ connectionString: app.databaseUrl });
    await slow.connect();
    try {
      await slow.query('begin');
      const [early] = await fillInbox(slow, ANN, 1, tenant.org);
      await tenant.settled(await tell(ANN, 'late'));
      const opening = open(inboxPath(), after(reader.lastEventId));
      await tenant.settled(await tell(BOB, 'in between'));
      expect(reader.events).toEqual([]);
      await slow.query('commit');
      const [first, second] = ids(await reader.received(2));
      expect(first).toBe(early);
      expect(second).toBeGreaterThan(first!);
      expect(await (await opening).received(2)).toEqual(reader.events);
    } finally {
      await slow.end();
    }
  });

  it('is told once for all messages that are stored together, and of no other', async () => {
    const listener = new Client({ connectionString: app.databaseUrl });
    const notices: string[] = [];
    listener.on('notification', ({ payload }) => notices.push(payload!));
    await listener.connect();
    await listener.query(`listen ${Notice.Inbox}`);
    await tenant.triggerAndSettle({}, { channels: ['hook'] });
    await tenant.triggerAndSettle({}, { channels: ['inbox'] });
    await isSo(() => notices.length > 0); // PostgreSQL tells it some time after the commit
    await listener.query('select 1');
    await listener.end();
    expect(notices.map((notice) => (JSON.parse(notice) as unknown[]).length)).toEqual([2]);
  });

  it('does not mind who else says what in its place', async () => {
    const reader = await open(inboxPath());
    for (const nonsense of ['', 'nonsense', '7', '[[]]', '[null, 1]', '{}']) {
      await app.pool.query('select pg_notify($1, $2)', [Notice.Inbox, nonsense]);
    }
    await tell(ANN, 1);
    expect(subjects(await reader.received(1))).toEqual(['Order 1']);
  });
});

describe('the stream of an inbox, when PostgreSQL cuts connections', () => {
  it('shows what was stored while nobody listened', async () => {
    const reader = await open(inboxPath());
    const stored = await fillInbox(app.pool, ANN, 3, tenant.org); // nobody is told of these
    await cut('carillon listener');
    expect(ids(await reader.received(3))).toEqual(stored);
    await tell(ANN, 'after');
    expect(subjects(await reader.received(4)).at(-1)).toBe('Order after');
  });

  it('loses nothing and repeats nothing, whenever that happens', async () => {
    const reader = await open(inboxPath());
    const last = await open(inboxPath(), {}, app.url);
    for (let order = 1; order <= 20; order++) {
      await tell(ANN, order);
      if (order % 4 === 0) await cut('carillon listener');
      if (order % 10 === 0) await cut('carillon api');
    }
    await Promise.all([reader.received(20), last.received(20)]);
    await tell(ANN, 'last');
    await Promise.all([reader.received(21), last.received(21)]);
    expect(new Set(subjects(reader.events)).size).toBe(21);
    expect(ids(reader.events)).toEqual(ids(reader.events).sort((a, b) => a - b));
    expect([ids(last.events), subjects(last.events)]).toEqual([ids(reader.events), subjects(reader.events)]);
    expect([reader.events.length, reader.closed]).toEqual([21, false]);
  });
});

describe('the stream of an occurrence', () => {
  /** Messages leave when the test says so. */
  function hold(): () => void {
    let held = true;
    sink.reply = () => (held ? { status: 503, headers: { 'Retry-After': '1' } } : { status: 200 });
    return () => (held = false);
  }

  const counts = { pending: 0, sent: 0, skipped: 0, dead: 0 };

  it('shows how far it has come, at once and whenever that changes, until it is over', async () => {
    const release = hold();
    const occurrence = await tenant.trigger({}, { channels: ['hook'] });
    await tenant.tried(occurrence, 1);
    const reader = await open(progressPath(occurrence));
    const waiting = { ...counts, status: 'expanded', total: 2, pending: 2 };
    expect(await reader.received(1)).toEqual([{ id: '', event: 'progress', data: waiting }]);
    release();
    const events = await reader.untilEnd(60_000);
    const over = { ...counts, status: 'expanded', total: 2, sent: 2 };
    expect(events.slice(-2)).toEqual([
      { id: '', event: 'progress', data: over },
      { id: '', event: 'done', data: over },
    ]);
    expect(events.filter(({ event }) => event === 'done')).toHaveLength(1);
  });

  it('is done at once when nothing is left to be sent', async () => {
    const occurrence = await tenant.trigger({}, { channels: ['hook'] });
    await tenant.settled(occurrence);
    const data = { ...counts, status: 'expanded', total: 2, sent: 2 };
    const reader = await open(progressPath(occurrence));
    expect((await reader.untilEnd()).map(({ event, data }) => [event, data])).toEqual([
      ['progress', data],
      ['done', data],
    ]);
  });

  it.each(['canceled', 'failed'])('is done when the occurrence is %s', async (status) => {
    hold();
    const occurrence = await tenant.trigger({}, { channels: ['hook'], send_at: '2100-01-01T00:00:00Z' });
    const reader = await open(progressPath(occurrence));
    await reader.received(1);
    await app.pool.query(`update occurrences set status = $2 where id = $1`, [occurrence, status]);
    const events = await reader.untilEnd();
    expect(events.map(({ event, data }) => [event, (data as { status: string }).status])).toEqual([
      ['progress', 'pending'],
      ['progress', status],
      ['done', status],
    ]);
  });

  it('ends when the occurrence is gone, and is not found then', async () => {
    const occurrence = await tenant.trigger({}, { send_at: '2100-01-01T00:00:00Z' });
    const reader = await open(progressPath(occurrence));
    await app.pool.query('delete from occurrences where id = $1', [occurrence]);
    expect((await reader.untilEnd()).map(({ event }) => event)).toEqual(['progress']);
    await isSo(() => other.app.get(ProgressService).watched === 0);
  });

  it('looks once for all who watch the same, and no more when they have gone', async () => {
    const progress = other.app.get(ProgressService);
    const one = await tenant.trigger({}, { send_at: '2100-01-01T00:00:00Z' });
    const two = await tenant.trigger({}, { send_at: '2100-01-01T00:00:00Z' });
    const watchers = await Promise.all([one, one, one, two].map((occurrence) => open(progressPath(occurrence))));
    for (const watcher of watchers) await watcher.received(1);
    expect(progress.watched).toBe(2);
    watchers[0]!.leave();
    watchers[3]!.leave();
    await isSo(() => progress.watched === 1);
    for (const watcher of watchers) watcher.leave();
    await isSo(() => progress.watched === 0);
    expect(other.app.get(EventStreams, { strict: false }).size).toBe(0);
  });

  it('leaves the database to others: two occurrences are looked at at a time, the others in their turn', async () => {
    const later = { send_at: '2100-01-01T00:00:00Z' };
    const occurrences = await Promise.all([1, 2, 3, 4, 5].map(() => tenant.trigger({}, later)));
    const holder = new Client({ connectionString: app.databaseUrl });
    await holder.connect();
    await holder.query('begin; lock table deliveries');
    const opening = occurrences.map((occurrence) => open(progressPath(occurrence)));
    await isSo(() => other.app.get(ProgressService).watched === 5);
    const looks = await until(10_000, async () => {
      const sql = `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%left join deliveries%'`;
      const { rowCount } = await app.pool.query(sql);
      return rowCount! >= 2 && rowCount;
    });
    await holder.end();
    expect(looks).toBe(2);
    for (const watcher of await Promise.all(opening)) await watcher.received(1);
  });
});

describe('before a stream starts', () => {
  const typeOf = ({ headers }: EventReader) => headers['content-type'];

  it('a Last-Event-ID that is none is a 400 that names it', async () => {
    for (const bad of ['nonsense', '-1', '1.5', '01', '2147483648', ' ', '1, 2']) {
      const { status, body, headers } = await app.as(tenant.key).get(inboxPath()).set('Last-Event-ID', bad);
      expect([status, headers['content-type']]).toEqual([400, 'application/problem+json']);
      expect((body as { errors: object }).errors).toEqual({ 'Last-Event-ID': [expect.any(String)] });
    }
  });

  it.each([
    ['user:read', () => Promise.resolve(inboxPath())],
    ['occurrence:read', async () => progressPath(await tenant.trigger())],
  ] as const)('%s is needed, and nothing else will do', async (permission, pathOf) => {
    const path = await pathOf();
    const as = async (key: string) => {
      const reader = await open(path, { Authorization: `Key ${key}` });
      return [reader.status, typeOf(reader)];
    };
    const enough = await app.key({ org: tenant.org, permissions: [permission] });
    const tooLittle = await app.key({ org: tenant.org, permissions: allBut(permission) });
    const foreign = (await Tenant.create(app, {})).key;
    expect(await as(enough)).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(await as('')).toEqual([401, 'application/problem+json']);
    expect(await as(tooLittle)).toEqual([403, 'application/problem+json']);
    expect(await as(foreign)).toEqual([404, 'application/problem+json']);
  });
});

describe('a stream ends soon', () => {
  // A stream lives for five minutes otherwise, so `untilEnd` would wait in vain.
  const streams = async (occurrence: string, key: string) => {
    const headers = { Authorization: `Key ${key}` };
    return [
      await open(inboxPath(), headers),
      await open(inboxPath(), headers, app.url),
      await open(progressPath(occurrence), headers),
    ];
  };
  const change = (sql: string) => (id: number) => app.pool.query(`update api_keys set ${sql} where id = $1`, [id]);

  it.each([
    ['was revoked', (id: number) => app.as(tenant.key).post(`/api/o/${tenant.org}/k/${id}/revoke/`)],
    ['has expired', change('expires_at = now()')],
    ['has lost a permission', change(`permissions = '{system:ping}'`)],
    ['was deleted', (id: number) => app.pool.query('delete from api_keys where id = $1', [id])],
  ])('on every process when its key %s, and those of other keys stay', async (_, end) => {
    const occurrence = await tenant.trigger({}, { send_at: '2100-01-01T00:00:00Z' });
    const { id, text } = await app.keyWithId({ org: tenant.org });
    const ending = await streams(occurrence, text);
    const staying = await streams(occurrence, tenant.key);
    await end(id);
    for (const stream of ending) await stream.untilEnd();
    expect(staying.map(({ closed }) => closed)).toEqual([false, false, false]);
  });

  it('when a process opens it with a key that it does not know yet to be revoked', async () => {
    const { id, text } = await app.keyWithId({ org: tenant.org });
    const first = await open(inboxPath(), { Authorization: `Key ${text}` });
    first.leave();
    await change('revoked_at = now()')(id);
    const second = await open(inboxPath(), { Authorization: `Key ${text}` });
    if (second.status === 200) await second.untilEnd();
  });
});

describe('a process that is told to stop', () => {
  it('ends its streams at once, and nothing is lost for those who come again', async () => {
    const third = await startApi(app);
    const occurrence = await tenant.trigger({}, { send_at: '2100-01-01T00:00:00Z' });
    const streams = [await open(inboxPath(), {}, third.url), await open(progressPath(occurrence), {}, third.url)];
    await isSo(() => streams[0]!.lastEventId !== '');
    await third.stop(); // it would wait for connections that are open
    for (const stream of streams) await stream.untilEnd();
    await tell(ANN, 'meanwhile');
    const again = await open(inboxPath(), after(streams[0]!.lastEventId));
    expect(subjects(await again.received(1))).toEqual(['Order meanwhile']);
  });

  it('exits with 0 without waiting for their readers, and has logged them as streams', async () => {
    const service = await Service.start({ DATABASE_URL: app.databaseUrl, ROLE: 'api' });
    const [gone, stays] = [await open(inboxPath(), {}, service.url), await open(inboxPath(BOB), {}, service.url)];
    gone.leave();
    await isSo(() => service.output.includes('"message":"stream"'));
    expect(await service.stop()).toBe(0); // its other reader is still there
    await stays.untilEnd();
    const lines = service.output.split('\n').filter((line) => line.includes('"message":"stream"'));
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0]!)).toMatchObject({ method: 'GET', path: inboxPath(':username'), status: 200 });
    for (const line of lines) expect(line).not.toContain('aborted');
  });
});
