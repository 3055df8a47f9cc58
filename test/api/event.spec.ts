import { describe, expect, it } from '@jest/globals';
import type { Permission } from '../../src/auth/permission.js';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { Clock } from '../support/clock.js';
import { call, numbered, pathNames, pathOf } from '../support/contract/operations.js';
import { CONFLICT, forbidden, invalid, notFound } from '../support/contract/problems.js';

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

interface Stored {
  event: string;
  organization: string;
  context: object;
  options: object;
}
interface Job {
  task: string;
  payload: { occurrences: string[] };
  run_at: Date;
  priority: number;
}

const EVENTS = '/api/o/acme/p/shop/a/web/e/';
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const trigger = (body?: object, headers: Record<string, string> = {}, event = 'order-paid') => {
  const request = app.as(key).post(`${EVENTS}${event}/trigger/`).set(headers);
  return body ? request.send(body) : request;
};

/** The identifier of an occurrence that was made, and nothing else in the answer. */
async function made(request: ReturnType<typeof trigger>): Promise<string> {
  const { status, body } = await request;
  const { occurrence } = body as { occurrence: string };
  expect([status, body]).toEqual([201, { occurrence: expect.stringMatching(UUID_V7) }]);
  return occurrence;
}

async function stored(id: string): Promise<Stored[]> {
  const sql = `select e.slug event, g.slug organization, o.context, o.options
    from occurrences o join events e on e.id = o.event_id join organizations g on g.id = o.organization_id where o.id = $1`;
  return (await app.pool.query<Stored>(sql, [id])).rows;
}

async function jobsOf(id: string): Promise<Job[]> {
  const sql = `select task, payload, run_at, priority from jobs where payload -> 'occurrences' ? $1`;
  return (await app.pool.query<Job>(sql, [id])).rows;
}

const occurrences = async () =>
  Number((await app.pool.query<{ n: string }>('select count(*) n from occurrences')).rows[0]!.n);

async function expectRefused(body: object, errors: Record<string, string[]>, headers: Record<string, string> = {}) {
  const before = await occurrences();
  const answer = await trigger(body, headers);
  expect([answer.status, answer.body]).toEqual([400, invalid(errors)]);
  expect(await occurrences()).toBe(before);
}

it('the events of an application are listed by slug', async () => {
  const events = [
    { name: 'Order paid', slug: 'order-paid' },
    { name: 'Order sent', slug: 'order-sent' },
  ];
  const { status, body } = await app.as(key).get(EVENTS);
  expect([status, body]).toEqual([200, events]);
});

describe('triggering an event', () => {
  it('stores one occurrence with its context and options, and one job that names it', async () => {
    const context = { order: 'A-17', total: 12.5, deep: [{ ü: null }], constructor: 'x', toString: 'y' };
    const options = { channels: ['mail'], limit_to: ['ann@acme.test'], priority: 'normal' };
    const before = Date.now();
    const id = await made(trigger({ context, options }));
    expect(await stored(id)).toEqual([{ event: 'order-paid', organization: 'acme', context, options }]);
    expect(await jobsOf(id)).toEqual([
      { task: 'expand', payload: { occurrences: [id] }, run_at: expect.any(Date), priority: 0 },
    ]);
    const time = parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });

  it.each([
    ['no body', undefined, {}],
    ['an empty object', {}, {}],
    ['a context only', { context: { a: 1 } }, { a: 1 }],
    ['options only', { options: {} }, {}],
  ])('takes %s', async (_, body, context) => {
    const id = await made(trigger(body));
    expect(await stored(id)).toEqual([{ event: 'order-paid', organization: 'acme', context, options: {} }]);
    expect(await jobsOf(id)).toHaveLength(1);
  });

  it('makes a hundred occurrences of a hundred requests at once, each of them in exactly one job', async () => {
    const requests = Array.from({ length: 100 }, (_, n) => made(trigger({ context: { n } })));
    const ids = await Promise.all(requests);
    expect(new Set(ids).size).toBe(100);
    const contexts = await Promise.all(ids.map(async (id) => (await stored(id)).map(({ context }) => context)));
    expect(contexts).toEqual(ids.map((_, n) => [{ n }]));
    const { rows } = await app.pool.query<{ id: string }>(
      `select jsonb_array_elements_text(payload -> 'occurrences') id from jobs`,
    );
    expect(
      rows
        .map(({ id }) => id)
        .filter((id) => ids.includes(id))
        .sort(),
    ).toEqual([...ids].sort());
  });
});

describe('the options of a trigger', () => {
  const NOT_A_TIME = 'must be a time with its zone, such as 2030-01-01T08:00:00Z';
  const CHANNELS = 'must be an array of channels or channel types, each a text of 1 to 254 characters';
  const PEOPLE = 'must be an array of e-mails or usernames, each a text of 1 to 254 characters';
  const EMPTY = 'must not be empty: leave it out to mean everyone';
  const OPTIONS =
    'Known: channels, recipients, limit_to, rooms, send_at, expires_at, priority, attachments, locale, resolves_thread';
  const noChannel = (name: string) =>
    expect.stringContaining(`"${name}" is not a channel or a channel type`) as unknown as string;
  const Y2030 = '2030-01-01T08:00:00Z';
  const PAST = 'must not be more than a minute in the past: leave it out to send at once';
  const LONG_PAST = 'must not be more than 24 hours in the past: leave it out to send at once';

  it.each([
    [{ channels: ['mail'] }],
    [{ channels: ['hook', 'quiet'] }],
    [{ channels: ['email'] }],
    [{ channels: ['webhook', 'inbox', 'mail'] }],
    [{ limit_to: ['ann@acme.test', 'nobody@acme.test'] }],
    [{ send_at: Y2030, expires_at: '2030-01-01T09:00:00.001+01:00' }],
    [{ send_at: '2030-01-01T08:00Z' }],
    [{ send_at: Y2030, expires_at: '9999-12-31T23:59:59.999999999Z' }],
    [{ expires_at: Y2030 }],
    [{ priority: 'critical' }],
    [{ priority: 'normal' }],
    [{ priority: 'bulk' }],
  ])('may be %j', async (options) => {
    const id = await made(trigger({ options }));
    expect(await stored(id)).toEqual([expect.objectContaining({ options })]);
  });

  it('are named by whoever writes one beside them', async () => {
    await expectRefused({ send_at: Y2030 }, { send_at: ['is not a known field: did you mean options.send_at?'] });
    await expectRefused(
      { contxt: {} },
      { contxt: ['is not a known field: did you mean context? Known: context, options'] },
    );
  });

  const refusals: [options: object, errors: Record<string, string[]>][] = [
    [{ chanels: ['mail'] }, { 'options.chanels': [`is not a known field: did you mean channels? ${OPTIONS}`] }],
    [{ toString: 1 }, { 'options.toString': [`is not a known field. ${OPTIONS}`] }],
    [{ channels: 'mail' }, { 'options.channels': [CHANNELS] }],
    [{ channels: [1] }, { 'options.channels': [CHANNELS] }],
    [{ channels: [''] }, { 'options.channels': [CHANNELS] }],
    [{ channels: null }, { 'options.channels': [CHANNELS] }],
    [{ channels: [] }, { 'options.channels': [EMPTY] }],
    [
      { channels: Array(101).fill('mail') },
      { 'options.channels': ['must hold at most 100 channels or channel types'] },
    ],
    [{ channels: ['pigeon', 'mail', 'MAIL'] }, { 'options.channels': [noChannel('pigeon'), noChannel('MAIL')] }],
    [{ limit_to: 'ann@acme.test' }, { 'options.limit_to': [PEOPLE] }],
    [{ limit_to: [{}] }, { 'options.limit_to': [PEOPLE] }],
    [{ limit_to: [] }, { 'options.limit_to': [EMPTY] }],
    [{ limit_to: Array(10_001).fill('a') }, { 'options.limit_to': ['must hold at most 10000 e-mails or usernames'] }],
    [{ send_at: 1893484800 }, { 'options.send_at': [NOT_A_TIME] }],
    [{ send_at: '2030-01-01T08:00:00' }, { 'options.send_at': [NOT_A_TIME] }],
    [{ send_at: '2030-13-01T08:00:00Z' }, { 'options.send_at': [NOT_A_TIME] }],
    [{ send_at: '2030-02-30T08:00:00Z' }, { 'options.send_at': [NOT_A_TIME] }],
    [{ send_at: 'tomorrow' }, { 'options.send_at': [NOT_A_TIME] }],
    [{ expires_at: '2030-01-01' }, { 'options.expires_at': [NOT_A_TIME] }],
    [{ send_at: Y2030, expires_at: '2030-01-01T07:59:59Z' }, { 'options.expires_at': ['must be later than send_at'] }],
    [{ send_at: Y2030, expires_at: Y2030 }, { 'options.expires_at': ['must be later than send_at'] }],
    [{ send_at: '2020-01-01T08:00:00Z' }, { 'options.send_at': [PAST] }],
    [{ expires_at: '2020-01-01T08:00:00Z' }, { 'options.expires_at': ['must be in the future'] }],
    [
      { send_at: '0001-01-01T00:00:00Z', expires_at: '2020-01-01T08:00:00Z' },
      { 'options.send_at': [PAST], 'options.expires_at': ['must be in the future'] },
    ],
    [{ priority: 'high' }, { 'options.priority': ['must be one of critical, normal, bulk'] }],
    [
      { priority: 1, nope: 1 },
      {
        'options.priority': ['must be one of critical, normal, bulk'],
        'options.nope': [`is not a known field. ${OPTIONS}`],
      },
    ],
  ];
  const titled = refusals.map(([options, errors]) => [JSON.stringify(options).slice(0, 80), options, errors] as const);
  it.each(titled)('may not be %s', async (_, options, errors) => {
    await expectRefused({ options }, errors);
  });

  it('do not know the channels of another project', async () => {
    const path = '/api/o/acme/p/depot/a/gate/e/opened/trigger/';
    const { status, body } = await app
      .as(key)
      .post(path)
      .send({ options: { channels: ['hook'] } });
    expect([status, body]).toEqual([400, invalid({ 'options.channels': [noChannel('hook')] })]);
  });

  it('may be a minute ago, as clocks differ', async () => {
    await Clock.stopped(async (clock) => {
      const options = { send_at: new Date(Date.now() - 60_000).toISOString() };
      await made(trigger({ options }));
      clock.advance(1);
      expect((await trigger({ options })).body).toEqual(invalid({ 'options.send_at': [PAST] }));
    });
  });

  it('may have passed for up to a day when a request is sent again that was never stored: it is sent at once', async () => {
    await Clock.stopped(async (clock) => {
      const sendAt = new Date(Date.now() - 86_400_000);
      const options = { send_at: sendAt.toISOString() };
      const send = (name: string, more = {}) =>
        trigger({ options: { ...options, ...more } }, { 'Idempotency-Key': name });
      const id = await made(send('lost'));
      expect(await stored(id)).toEqual([expect.objectContaining({ options })]);
      const [job] = await jobsOf(id);
      expect(job?.run_at).toEqual(sendAt);
      const again = await send('lost');
      expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([
        201,
        { occurrence: id },
        'true',
      ]);
      // What has expired is refused, as before: nobody would get it.
      const expired = { 'options.expires_at': ['must be in the future'] };
      expect((await send('expired', { expires_at: new Date(Date.now() - 1).toISOString() })).body).toEqual(
        invalid(expired),
      );
      clock.advance(1);
      expect((await send('too late')).body).toEqual(invalid({ 'options.send_at': [LONG_PAST] }));
    });
  });

  it('may be older by the time the same request is sent again', async () => {
    await Clock.stopped(async (clock) => {
      const options = { send_at: new Date(Date.now() - 60_000).toISOString() };
      const send = (name: string, context = {}) => trigger({ options, context }, { 'Idempotency-Key': name });
      const first = await made(send('first'));
      clock.advance(1);
      const { status, body, headers } = await send('first');
      expect([status, body, headers['idempotent-replayed']]).toEqual([201, { occurrence: first }, 'true']);
      expect((await send('first', { other: 1 })).status).toBe(409);
    });
  });

  it('send_at holds the job back until then', async () => {
    const [job] = await jobsOf(await made(trigger({ options: { send_at: '2030-01-01T08:00:00+02:00' } })));
    expect(job?.run_at).toEqual(new Date('2030-01-01T06:00:00Z'));
  });

  it('priority orders the jobs', async () => {
    const priorities = ['critical', 'normal', 'bulk'].map(async (priority) => {
      const [job] = await jobsOf(await made(trigger({ options: { priority } })));
      return job!.priority;
    });
    expect(await Promise.all(priorities)).toEqual([-10, 0, 10]);
  });
});

describe('the priority critical', () => {
  const CRITICAL = { options: { priority: 'critical' } };
  const asKey = async (permissions: Permission[]) => app.as(await app.key({ org: 'acme', permissions }));
  const path = `${EVENTS}order-paid/trigger/`;

  it('needs a permission of its own; a key without it gets 403, and nothing is stored', async () => {
    const caller = await asKey(['event:trigger']);
    const before = await occurrences();
    const { status, body } = await caller.post(path).send(CRITICAL);
    expect([status, body]).toEqual([403, forbidden('event:trigger-critical')]);
    expect(await occurrences()).toBe(before);
    for (const priority of ['normal', 'bulk']) await made(caller.post(path).send({ options: { priority } }));
    await made(caller.post(path));
    await made((await asKey(['event:trigger', 'event:trigger-critical'])).post(path).send(CRITICAL));
  });

  it('is refused after an invalid body, and its permission alone triggers nothing', async () => {
    const { status, body } = await (await asKey(['event:trigger'])).post(path).send({ ...CRITICAL, context: 1 });
    expect([status, body]).toEqual([400, invalid({ context: ['must be an object'] })]);
    const alone = await (await asKey(['event:trigger-critical'])).post(path).send(CRITICAL);
    expect([alone.status, alone.body]).toEqual([403, forbidden('event:trigger')]);
  });

  it('may be simulated without it', async () => {
    const { status } = await (await asKey(['event:trigger'])).post(`${EVENTS}order-paid/simulate/`).send(CRITICAL);
    expect(status).toBe(200);
  });

  it('needs it for a replay too', async () => {
    const caller = await asKey(['occurrence:write']);
    const replay = async (body: object) =>
      caller.post(`/api/o/acme/occurrences/${await made(trigger(body))}/replay/`).send();
    const { status, body } = await replay(CRITICAL);
    expect([status, body]).toEqual([403, forbidden('event:trigger-critical')]);
    expect((await replay({})).status).toBe(201);
  });
});

describe('an Idempotency-Key', () => {
  const body = { context: { order: 1 } };

  it('answers the same occurrence again, and says so', async () => {
    const first = await trigger(body, { 'Idempotency-Key': 'again' });
    const again = await trigger(body, { 'Idempotency-Key': 'again' });
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([201, 'true', first.body]);
    expect(await jobsOf((first.body as { occurrence: string }).occurrence)).toHaveLength(1);
  });

  it('with another body is a 409, and nothing is made', async () => {
    await made(trigger(body, { 'Idempotency-Key': 'conflict' }));
    const before = await occurrences();
    const other = await trigger({ context: { order: 2 } }, { 'Idempotency-Key': 'conflict' });
    expect([other.status, other.body]).toEqual([409, CONFLICT]);
    expect(await occurrences()).toBe(before);
  });

  it('counts for one event only', async () => {
    const paid = await made(trigger(body, { 'Idempotency-Key': 'two' }, 'order-paid'));
    const sent = await trigger({ context: 2 }, { 'Idempotency-Key': 'two' }, 'order-sent');
    expect(sent.status).toBe(400);
    expect(await made(trigger({}, { 'Idempotency-Key': 'two' }, 'order-sent'))).not.toBe(paid);
  });

  it('is not used up by a request that was refused', async () => {
    const refused = await trigger({ context: 1 }, { 'Idempotency-Key': 'refused' });
    expect(refused.status).toBe(400);
    await made(trigger(body, { 'Idempotency-Key': 'refused' }));
  });

  it('is forgotten after 24 hours', async () => {
    const first = await made(trigger(body, { 'Idempotency-Key': 'old' }));
    const age = (interval: string) =>
      app.pool.query(`update idempotency_keys set created_at = now() - $1::interval where key = 'old'`, [interval]);
    await age('23 hours 59 minutes');
    expect(await made(trigger(body, { 'Idempotency-Key': 'old' }))).toBe(first);
    await age('24 hours 1 second');
    const second = await made(trigger({ context: { order: 2 } }, { 'Idempotency-Key': 'old' }));
    expect(second).not.toBe(first);
    expect(await made(trigger({ context: { order: 2 } }, { 'Idempotency-Key': 'old' }))).toBe(second);
  });

  it('may have 255 characters, and no more', async () => {
    await made(trigger(body, { 'Idempotency-Key': 'k'.repeat(255) }));
    const error = { 'Idempotency-Key': ['must be a text of 1 to 255 characters'] };
    await expectRefused(body, error, { 'Idempotency-Key': 'k'.repeat(256) });
    await expectRefused(body, error, { 'Idempotency-Key': '' });
  });
});

it.each(pathNames(numbered(14, 15)))('$method $path answers 404 when there is no such $noun', async (operation) => {
  const { status, body } = await call(app, key, operation, pathOf(operation, { [operation.name]: 'nowhere' }));
  expect([status, body]).toEqual([404, notFound(operation.noun)]);
});

it('an event of another application is not found', async () => {
  const { status, body } = await trigger({}, {}, 'closed');
  expect([status, body]).toEqual([404, notFound('event')]);
});
