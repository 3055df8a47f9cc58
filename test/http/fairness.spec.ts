import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Parser } from 'liquidjs';
import { OccurrenceStore } from '../../src/api/occurrence/occurrence-store.js';
import { TriggerShares } from '../../src/platform/http/limit/trigger-shares.js';
import { TrialRenderer } from '../../src/rules/render/trial-renderer.js';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { EventReader } from '../support/sinks/event-reader.js';
import { until } from '../support/until.js';
import { fillInbox } from '../support/world/inbox.js';

// One organization must not take what the others need: memory, connections, processors.
let app: TestApp;
let key: string;
let globex: string;
useAcme(async (acme) => {
  ({ app, key } = acme);
  globex = await app.key({ org: 'globex' });
});

const INBOX = '/api/o/acme/u/ann@acme.test/inbox/';
const EVENT = '/api/o/acme/p/shop/a/web/e/order-paid/';
const ROWS = 40;

describe('large rows', () => {
  let ids: number[];
  beforeAll(async () => {
    ids = await fillInbox(app.pool, 'ann@acme.test', ROWS);
    await app.pool.query(`update inbox_messages set text = repeat('x', 500000), html = 'small' where id % 4 <> 0`);
    await app.pool.query(
      `with made as (
         insert into notifications (organization_id, event_id, name)
         select organization_id, id, 'n' || n from events, generate_series(1, $1::int) n
         where id = (select min(id) from events where slug = 'order-paid') returning id, organization_id
       )
       insert into templates (organization_id, notification_id, channel_id, text)
       select m.organization_id, m.id, c.id, repeat('y', 500000)
       from made m join channels c on c.organization_id = m.organization_id and c.slug = 'mail'`,
      [ROWS],
    );
    await app.pool.query(
      `insert into audit_entries (organization_id, actor, verb, noun, changes)
       select id, 'test', 'update', 'user', jsonb_build_object('text', jsonb_build_array(null, t))
       from organizations, generate_series(1, $1::int), (select string_agg(md5(n::text), '') t from generate_series(1, 15000) n) big
       where slug = 'acme'`,
      [ROWS],
    );
  });

  const LISTS: [string, string, string[]][] = [
    [
      'the inbox',
      INBOX,
      [
        ...['id', 'subject', 'text', 'html', 'url', 'image', 'actions', 'data', 'category', 'event', 'occurrence'],
        ...['created_at', 'seen_at', 'read_at', 'archived_at', 'snoozed_until', 'acknowledge'],
      ],
    ],
    [
      'the notifications',
      `${EVENT}n/`,
      [
        'id',
        'name',
        'enabled',
        'when',
        'distribution_lists',
        'audience',
        'to',
        'templates',
        'translation_gaps',
        'window',
        'digest',
        'limit',
        'steps',
        'acknowledge',
        'thread',
      ],
    ],
    [
      'the audit log',
      '/api/o/acme/audit/',
      ['id', 'at', 'key', 'actor', 'address', 'request_id', 'verb', 'noun', 'name', 'count', 'changes'],
    ],
  ];

  it.each(LISTS)('make pages of %s shorter, whole and in order', async (_, path, fields) => {
    const { body: whole } = (await app.as(key).get(path)) as unknown as { body: { id: number }[] };
    expect(whole.length).toBeGreaterThanOrEqual(ROWS);
    expect(Object.keys(whole[0]!).sort()).toEqual(fields.sort());
    const paged: number[] = [];
    for (let next: string | undefined = `${path}?limit=1000`; next;) {
      const { text, headers } = await app.as(key).get(next);
      expect(text.length).toBeLessThan(2_000_000);
      paged.push(...(JSON.parse(text) as { id: number }[]).map(({ id }) => id));
      next = /<[^>]*?(\/api[^>]*)>/.exec(headers.link ?? '')?.[1];
    }
    expect(paged).toEqual(whole.map(({ id }) => id));
  });

  it('arrive in a stream, each once and in order', async () => {
    const headers = { Authorization: `Key ${key}`, 'Last-Event-ID': '0' };
    const reader = await EventReader.open(`${app.url}${INBOX}stream/`, headers);
    await until(10_000, () => reader.events.length >= ROWS);
    expect(reader.events.map(({ id }) => Number(id))).toEqual(ids);
    reader.leave();
  });

  it('to clients that read nothing are refused at some point, to no other organization', async () => {
    // More than what lies between a client that reads nothing and the service.
    await fillInbox(app.pool, 'bob@acme.test', 100);
    const big = `update inbox_messages set text = repeat('x', 500000) where user_id = (select id from users where email = 'bob@acme.test')`;
    await app.pool.query(big);
    const path = '/api/o/acme/u/bob@acme.test/inbox/';
    const readers = await Promise.all(Array.from({ length: 16 }, () => ask(path)));
    try {
      const refused = readers.filter(({ statusCode }) => statusCode !== 200);
      // 32 MB, and up to four lists that were being read just then.
      expect(readers.length - refused.length).toBeGreaterThanOrEqual(8);
      expect(readers.length - refused.length).toBeLessThanOrEqual(12);
      expect(refused.map(({ statusCode, headers }) => `${statusCode} ${headers['retry-after']}`)).toEqual(
        refused.map(() => '429 1'),
      );
      expect((await app.as(globex).get('/api/o/globex/u/')).status).toBe(200);
    } finally {
      for (const reader of readers) reader.destroy();
    }
    await until(10_000, async () => (await app.as(key).get(`${path}?limit=1`)).status === 200);
  });
});

/** Asks, and reads no more than the headers. */
async function ask(path: string): Promise<IncomingMessage> {
  const call = get(`${app.url}${path}`, { agent: false, headers: { authorization: `Key ${key}` } });
  call.on('error', () => undefined);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return response.on('error', () => undefined);
}

describe('triggers that cannot be stored yet', () => {
  const GLOBEX_EVENT = '/api/o/globex/p/shop/a/web/e/order-paid/';
  const trigger = (as: string, event: string) => app.as(as).post(`${event}trigger/`).send({});

  it('are accepted up to a limit for each organization, then refused; those of another organization are stored next', async () => {
    // Keys and paths are looked up before the tables are locked.
    expect([(await trigger(key, EVENT)).status, (await trigger(globex, GLOBEX_EVENT)).status]).toEqual([201, 201]);
    const shares = app.app.get(TriggerShares);
    const limits = { ...shares['limits'] };
    Object.assign(shares['limits'], { perOrganization: 3, inAll: 3, maxWaiting: 2 });
    const store = app.app.get(OccurrenceStore);
    const stored: number[] = [];
    const flush = store['flush'].bind(store);
    store['flush'] = (batch) => {
      stored.push(...batch.map(({ occurrence }) => occurrence.organizationId));
      return flush(batch);
    };
    const holder = await app.pool.connect();
    await holder.query('begin; lock table occurrences in access exclusive mode');
    try {
      const refused: [number, string | undefined][] = [];
      const send = async (as: string, event: string) => {
        const { status, headers } = await trigger(as, event);
        if (status !== 201) refused.push([status, headers['retry-after']]);
        return status;
      };
      const acme = Array.from({ length: 6 }, () => send(key, EVENT));
      await until(10_000, () => refused.length === 1);
      expect(refused).toEqual([[429, '1']]);
      await until(10_000, () => store['waiting'].size === 1);
      const other = send(globex, GLOBEX_EVENT);
      await until(10_000, () => store['waiting'].size === 2);
      await holder.query('commit');
      expect((await Promise.all(acme)).sort((a, b) => a - b)).toEqual([201, 201, 201, 201, 201, 429]);
      expect(await other).toBe(201);
      // Two were being stored, one waited in the store; two more of acme wait until others are answered.
      const [first] = stored;
      expect(stored.map((id) => (id === first ? 'acme' : 'globex'))).toEqual([
        ...['acme', 'acme', 'acme', 'globex', 'acme', 'acme'],
      ]);
    } finally {
      holder.release();
      store['flush'] = flush;
      Object.assign(shares['limits'], limits);
    }
  });
});

it('simulations run one at a time, few wait, and the others are refused', async () => {
  const holder = await app.pool.connect();
  await holder.query('begin; lock table rulesets in access exclusive mode');
  const statuses: number[] = [];
  const simulations = Array.from({ length: 12 }, async () => {
    const { status, body } = await app.as(key).post(`${EVENT}simulate/`).send({});
    statuses.push(status);
    return status === 429 ? (body as { detail: string }).detail : String(status);
  });
  await until(10_000, () => statuses.length === 7);
  expect((await app.as(globex).get('/api/o/globex/u/')).status).toBe(200);
  await holder.query('rollback');
  holder.release();
  const busy = 'The organization has too many simulations under way: 1 is the limit. Wait until one has ended.';
  expect((await Promise.all(simulations)).sort()).toEqual([
    ...Array<string>(5).fill('200'),
    ...Array<string>(7).fill(busy),
  ]);
});

describe('large templates', () => {
  const GLOBEX_EVENT = '/api/o/globex/p/shop/a/web/e/order-paid/';
  // The rules of the other one are as large as they may be.
  const OTHER_EVENT = '/api/o/acme/p/shop/a/web/e/order-sent/';
  const large = (i: number) => ({ text: `${i} {{ order }} ${'x'.repeat(20_000)}` });
  const preview = (as: string, event: string, draft: object) => app.as(as).post(`${event}preview/`).send(draft);

  let asked: string[];
  let goOn: () => void;
  let parsedHere: jest.SpiedFunction<typeof Parser.prototype.parse>;
  beforeEach(() => {
    const renderer = app.app.get(TrialRenderer);
    const inspect = renderer.inspect.bind(renderer);
    const released = new Promise<void>((resolve) => (goOn = resolve));
    asked = [];
    jest.spyOn(renderer, 'inspect').mockImplementation(async (parts, contexts) => {
      asked.push(parts.text!.split(' ')[0]!);
      await released;
      return inspect(parts, contexts);
    });
    parsedHere = jest.spyOn(Parser.prototype, 'parse');
  });
  afterEach(() => {
    goOn();
    jest.restoreAllMocks();
  });

  it('are parsed one at a time, outside the service, and after their organization got a share', async () => {
    const statuses: number[] = [];
    const previews = Array.from({ length: 14 }, async (_, i) => {
      const { status } = await preview(key, EVENT, large(i + 1));
      statuses.push(status);
      return status;
    });
    // Two are under way and ten wait.
    await until(10_000, () => statuses.length === 2);
    expect(statuses).toEqual([429, 429]);
    expect([asked.length, parsedHere.mock.calls.length]).toEqual([1, 0]);
    // Another organization waits for neither.
    const { status, body } = await preview(globex, GLOBEX_EVENT, { text: 'Hi {{ user.first_name }}' });
    expect([status, body]).toEqual([200, expect.objectContaining({ text: 'Hi Sam' })]);
    expect(asked).toHaveLength(1);
    goOn();
    expect((await Promise.all(previews)).sort((a, b) => a - b)).toEqual([...Array<number>(12).fill(200), 429, 429]);
    expect(new Set(asked).size).toBe(12);
  });

  it('of a change are parsed outside the service too, and lock nothing meanwhile', async () => {
    const templates = [{ channel: 'mail', ...large(1) }];
    const write = (name: string, fields: object) =>
      app
        .as(key)
        .post(`${OTHER_EVENT}n/`)
        .send({ name, distribution_lists: ['Staff'], ...fields });
    const slow = write('Large', { templates }).then(({ status, body }) => [status, (body as { name?: string }).name]);
    await until(10_000, () => asked.length === 1);
    expect(parsedHere).not.toHaveBeenCalled();
    const { status } = await app.as(key).patch(OTHER_EVENT).send({ name: 'Sent' });
    expect(status).toBe(200);
    goOn();
    expect(await slow).toEqual([201, 'Large']);
    const wrong = await write('Wrong', { templates: [{ channel: 'mail', text: `{% if %}${'x'.repeat(20_000)}` }] });
    expect([wrong.status, Object.keys((wrong.body as { errors: object }).errors)]).toEqual([
      400,
      ['templates.mail.text'],
    ]);
  });
});

describe('a database that accepts no changes', () => {
  const setReadOnly = async (value: 'on' | 'off') => {
    const { rows } = await app.pool.query<{ name: string }>('select current_database() name');
    await app.pool.query(`set default_transaction_read_only = off`);
    await app.pool.query(`alter database ${rows[0]!.name} set default_transaction_read_only = ${value}`);
    await app.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'carillon api'`,
    );
  };

  it('is told apart from a mistake of the service: try again later', async () => {
    await setReadOnly('on');
    const write = (path: string, body: object) => app.as(key).post(path).send(body);
    // The first request on a connection that was just closed fails for another reason.
    await until(10_000, async () => (await app.as(key).get('/api/o/acme/u/')).status === 200);
    const answers = [
      await until(10_000, async () => {
        const answer = await write(`${EVENT}trigger/`, {});
        return (answer.body as { detail: string }).detail.includes('read-only') && answer;
      }),
      await write('/api/o/acme/u/', { email: 'new@acme.test' }),
    ];
    await setReadOnly('off');
    expect(answers.map(({ status, headers }) => [status, headers['retry-after']])).toEqual([
      [503, '5'],
      [503, '5'],
    ]);
    await until(10_000, async () => (await write(`${EVENT}trigger/`, {})).status === 201);
  });
});
