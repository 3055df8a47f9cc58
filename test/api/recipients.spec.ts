import { describe, expect, it } from '@jest/globals';
import { ExportService } from '../../src/operate/provisioning/export/export.service.js';
import { ProvisioningService } from '../../src/operate/provisioning/provisioning.service.js';
import { Database } from '../../src/platform/database/database.js';
import type { TestApp } from '../support/app/app.js';
import { Statements } from '../support/app/statements.js';
import { useAcme } from '../support/app/use.js';
import { forbidden, invalid } from '../support/contract/problems.js';

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

const EVENT = '/api/o/acme/p/shop/a/web/e/order-paid/';
const OTHER = '/api/o/acme/p/shop/a/web/e/order-sent/';
const ANN = 'ann@acme.test';
const TEMPLATES = [{ channel: 'mail', text: 'Hi' }];
const MUST = 'must be given: a notification of the event has to: recipients';
const MUST_NOT = 'must be left out: no notification of the event has to: recipients, so it would not reach them';

type Body = Record<string, unknown>;

const trigger = (options: object, headers: Record<string, string> = {}, event = EVENT) =>
  app.as(key).post(`${event}trigger/`).set(headers).send({ options });

async function send(method: 'post' | 'patch', path: string, body: object, status: number): Promise<Body> {
  const answer = await app.as(key)[method](path).send(body);
  expect({ status: answer.status, body: answer.body as unknown }).toMatchObject({ status });
  return answer.body as Body;
}

const occurrences = async () =>
  Number((await app.pool.query<{ n: string }>('select count(*) n from occurrences')).rows[0]!.n);

async function expectRefused(request: ReturnType<typeof trigger>, problem: string): Promise<void> {
  const before = await occurrences();
  const { status, body } = await request;
  expect([status, body]).toEqual([400, invalid({ 'options.recipients': [problem] })]);
  expect(await occurrences()).toBe(before);
}

let rule: Body;

describe('to of a notification', () => {
  it('means the recipients of the trigger, and is read back', async () => {
    rule = await send('post', `${EVENT}n/`, { name: 'Thank', to: 'recipients', templates: TEMPLATES }, 201);
    expect(rule).toMatchObject({ to: 'recipients', distribution_lists: [], audience: null });
    expect((await app.as(key).get(`${EVENT}n/${String(rule.id)}/`)).body).toEqual(rule);
  });

  it.each<[string, object, Record<string, string[]>]>([
    [
      'other words',
      { to: 'everyone' },
      { to: ['must be "recipients", "told", or an object such as { "context": "customer.email" }'] },
    ],
    [
      'an expression that is none',
      { to: { context: 'customer.', also: 1 } },
      {
        'to.also': ['is not a known field. Known: context'],
        'to.context': [expect.stringContaining('not a valid JMESPath') as never],
      },
    ],
    ['no expression', { to: {} }, { 'to.context': ['must be a JMESPath expression over the context'] }],
    ['lists', { distribution_lists: ['Staff'] }, { to: [expect.stringContaining('excludes') as never] }],
    ['an audience', { audience: { address: 'phone' } }, { to: [expect.stringContaining('excludes') as never] }],
  ])('is refused with %s', async (_, change, errors) => {
    const { errors: found } = await send('patch', `${EVENT}n/${String(rule.id)}/`, change, 400);
    expect(found).toEqual(errors);
  });

  it('is refused for rooms alone, which have no recipients', async () => {
    const templates = [{ channel: 'hook', text: 'Hi' }];
    const body = await send('post', `${EVENT}n/`, { name: 'Room', to: 'recipients', templates }, 400);
    expect(body.errors).toEqual({ to: [expect.stringContaining('needs a template with per: person')] });
  });

  it('is in the file that is exported, and applying that file changes nothing', async () => {
    let text = '';
    for await (const part of app.app.get(ExportService).organization('acme', { people: true })) text += part;
    expect(text).toContain('to: recipients');
    const plan = await app.app.get(ProvisioningService).apply(text, { dryRun: true });
    expect(JSON.stringify(plan)).not.toContain('Thank');
  });

  it('is in the revisions of its event', async () => {
    const { body } = await app.as(key).get(`${EVENT}revisions/`);
    expect(body).toMatchObject([{ changes: [{ name: 'Thank', rule: { to: 'recipients' } }] }]);
  });
});

describe('options.recipients of a trigger', () => {
  it('are stored, and the answer has nothing new', async () => {
    const { status, body } = await trigger({ recipients: [ANN] });
    expect([status, body]).toEqual([201, { occurrence: expect.any(String) }]);
  });

  it('must be given if a notification of the event needs them, even if it is switched off', async () => {
    await expectRefused(trigger({}), MUST);
    expect((await trigger({})).body).toMatchObject({ codes: { 'options.recipients': ['required'] } });
    await expectRefused(trigger({ limit_to: [ANN] }), MUST);
    await expectRefused(trigger({}, { 'Idempotency-Key': 'forgotten' }), MUST);
    await send('patch', `${EVENT}n/${String(rule.id)}/`, { enabled: false }, 200);
    await expectRefused(trigger({}), MUST);
    await send('patch', `${EVENT}n/${String(rule.id)}/`, { enabled: true }, 200);
  });

  it('must be left out if no notification of the event takes them', async () => {
    await expectRefused(trigger({ recipients: [ANN] }, {}, OTHER), MUST_NOT);
    const { body } = await trigger({ recipients: [ANN] }, {}, OTHER);
    expect(body).toMatchObject({ codes: { 'options.recipients': ['not_allowed'] } });
  });

  it.each<[string, unknown, string]>([
    ['an empty list', [], 'must not be empty: it is the list of everyone who is meant'],
    ['more than 1,000', Array.from({ length: 1001 }, (_, n) => `u${n}@acme.test`), 'must hold at most 1000 recipients'],
    [
      'a text',
      ANN,
      'must be an array of usernames, each a text of 1 to 254 characters, or of objects such as { "email": "ann@example.com" }',
    ],
  ])('are refused as %s', async (_, recipients, problem) => {
    await expectRefused(trigger({ recipients }), problem);
  });

  it('are replayed by an idempotency key, also when the event needs none any more', async () => {
    const keyed = { 'Idempotency-Key': 'once' };
    const first = await trigger({ recipients: [ANN] }, keyed);
    const again = await trigger({ recipients: [ANN] }, keyed);
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([201, 'true', first.body]);
    expect((await trigger({ recipients: ['bob@acme.test'] }, keyed)).status).toBe(409);
    await send('patch', `${EVENT}n/${String(rule.id)}/`, { to: null, distribution_lists: ['Staff'] }, 200);
    expect((await trigger({ recipients: [ANN] }, keyed)).body).toEqual(first.body);
    await expectRefused(trigger({ recipients: [ANN] }), MUST_NOT);
    expect((await trigger({})).status).toBe(201);
    const path = `/api/o/acme/occurrences/${(first.body as { occurrence: string }).occurrence}/replay/`;
    expect((await app.as(key).post(path)).status).toBe(409);
    await send('patch', `${EVENT}n/${String(rule.id)}/`, { to: 'recipients', distribution_lists: [] }, 200);
    expect((await app.as(key).post(path)).status).toBe(201);
  });

  it('are asked for by simulate too, and by the draft of a notification', async () => {
    expect((await send('post', `${EVENT}simulate/`, {}, 400)).errors).toEqual({ 'options.recipients': [MUST] });
    const options = { recipients: [ANN, 'nobody@acme.test'] };
    expect(await send('post', `${EVENT}simulate/`, { options }, 200)).toMatchObject({
      totals: { people: 1, messages: 1 },
      messages: [{ user: ANN }],
      warnings: [{ kind: 'unknown_people', detail: '1 of 2 names in recipients are not users.' }],
    });
    const draft = { name: 'New', to: { context: 'customer' }, templates: TEMPLATES };
    const body = { context: { customer: 'ann@acme.test' }, notification: draft };
    expect(await send('post', `${OTHER}simulate/`, body, 200)).toMatchObject({ messages: [{ user: ANN }] });
    const needs = { notification: { ...draft, to: 'recipients' } };
    expect((await send('post', `${OTHER}simulate/`, needs, 400)).errors).toEqual({ 'options.recipients': [MUST] });
  });
});

describe('recipients that are objects', () => {
  const NEW = 'new@acme.test';
  const userOf = async (email: string) => {
    const sql = `select u.first_name, u.last_name, u.custom_fields, u.time_zone, u.locale,
        array(select name || ' ' || value from addresses a where a.user_id = u.id order by 1) addresses
      from users u join organizations o on o.id = u.organization_id where o.slug = 'acme' and u.email = $1`;
    return (await app.pool.query<Body>(sql, [email])).rows[0];
  };

  it('create users in the transaction of the occurrence, which stores their names alone', async () => {
    const recipient = {
      ...{ email: NEW, first_name: 'New', custom_fields: { plan: 'free' }, time_zone: 'europe/rome', locale: 'IT' },
      addresses: [{ name: 'phone', value: '+1 555 765 4321' }],
    };
    const { status, body } = await trigger({ recipients: [recipient, ANN] });
    expect([status, body]).toEqual([201, { occurrence: expect.any(String) }]);
    expect(await userOf(NEW)).toEqual({
      ...{ first_name: 'New', last_name: '', custom_fields: { plan: 'free' }, time_zone: 'Europe/Rome', locale: 'it' },
      addresses: [`email ${NEW}`, 'phone +15557654321'],
    });
    const stored = await app.pool.query('select options from occurrences where id = $1', [
      (body as { occurrence: string }).occurrence,
    ]);
    expect(stored.rows).toEqual([{ options: { recipients: [NEW, ANN] } }]);
  });

  it('change users that exist, and keep what they leave out', async () => {
    const recipient = { email: NEW.toUpperCase(), last_name: 'Person', custom_fields: { seats: 3 } };
    expect((await trigger({ recipients: [recipient] })).status).toBe(201);
    expect(await userOf(NEW)).toMatchObject({
      ...{ first_name: 'New', last_name: 'Person', custom_fields: { plan: 'free', seats: 3 } },
    });
    const { body } = await app.as(key).get('/api/o/acme/audit/');
    expect(body).toContainEqual(expect.objectContaining({ verb: 'update', noun: 'user' }));
  });

  it('change nothing if the trigger is refused or replayed', async () => {
    const refused = trigger({ recipients: [{ email: 'refused@acme.test' }] }, {}, OTHER);
    await expectRefused(refused, MUST_NOT);
    expect(await userOf('refused@acme.test')).toBeUndefined();
    const keyed = { 'Idempotency-Key': 'object' };
    const recipients = [{ email: NEW, first_name: 'First' }];
    const first = await trigger({ recipients }, keyed);
    expect((await trigger({ recipients: [{ email: NEW, first_name: 'Second' }] }, keyed)).status).toBe(409);
    const again = await trigger({ recipients }, keyed);
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
    expect(await userOf(NEW)).toMatchObject({ first_name: 'First' });
  });

  it('need user:write, and a key that is not bound to a project', async () => {
    const send = async (options: object, body: object) =>
      app
        .as(await app.key({ org: 'acme', ...options }))
        .post(`${EVENT}trigger/`)
        .send({ options: body });
    const object = { recipients: [{ email: 'forbidden@acme.test' }] };
    const without = await send({ permissions: ['event:trigger'] }, object);
    expect([without.status, without.body]).toEqual([403, forbidden('user:write')]);
    const bound = await send({ project: 'shop' }, object);
    expect([bound.status, (bound.body as Body).detail]).toEqual([403, expect.stringContaining('bound to a project')]);
    expect(await userOf('forbidden@acme.test')).toBeUndefined();
    expect((await send({ project: 'shop' }, { recipients: [ANN] })).status).toBe(201);
  });

  it('are refused with all errors, each with its place', async () => {
    const recipients = [
      ANN,
      { email: 'x', first_name: 1, locked: true },
      { email: NEW, custom_fields: [], addresses: [{ name: 'phone', value: '1' }] },
    ];
    const { status, body } = await trigger({ recipients });
    expect([status, (body as Body).errors]).toEqual([
      400,
      {
        'options.recipients[1].locked': [
          'is not a known field. Known: addresses, email, first_name, last_name, custom_fields, time_zone, locale',
        ],
        'options.recipients[1].email': [expect.stringContaining('must be an e-mail address')],
        'options.recipients[1].first_name': expect.arrayContaining(['must be a string']),
        'options.recipients[2].custom_fields': ['must be an object'],
        'options.recipients[2].addresses[0].value': [expect.stringContaining('international phone number')],
      },
    ]);
  });

  it('are refused in the words of the operations for users and addresses', async () => {
    const user = { first_name: 'x'.repeat(151), last_name: null, custom_fields: 'none' };
    const address = { name: 'x'.repeat(51), value: '', kind: 'fax' };
    const alone = await app
      .as(key)
      .post('/api/o/acme/u/')
      .send({ email: NEW, ...user });
    const other = await app.as(key).post('/api/o/acme/u/ann@acme.test/address/').send(address);
    const { status, body } = await trigger({ recipients: [ANN, { email: NEW, ...user, addresses: [address] }] });
    const placed = (errors: unknown, place: string) =>
      Object.fromEntries(Object.entries(errors as object).map(([field, all]) => [`${place}.${field}`, all as unknown]));
    expect([status, (body as Body).errors]).toEqual([
      400,
      {
        ...placed((alone.body as Body).errors, 'options.recipients[1]'),
        ...placed((other.body as Body).errors, 'options.recipients[1].addresses[0]'),
      },
    ]);
  });

  it('are refused with a time zone that does not exist, each by its index', async () => {
    const zone = (n: number, time_zone: unknown) => ({ email: `zone${n}@acme.test`, time_zone });
    const { status, body } = await trigger({
      recipients: [ANN, zone(1, 'Mars/Base'), zone(2, 'Europe/Rome'), zone(3, 7)],
    });
    expect([status, Object.keys((body as Body).errors as object)]).toEqual([
      400,
      ['options.recipients[1].time_zone', 'options.recipients[3].time_zone'],
    ]);
    expect(await userOf('zone2@acme.test')).toBeUndefined();
    const simulated = await send('post', `${EVENT}simulate/`, { options: { recipients: [zone(1, 'Mars/Base')] } }, 400);
    expect(Object.keys(simulated.errors as object)).toEqual(['options.recipients[0].time_zone']);
  });

  it('are refused with a locale that is not a language tag', async () => {
    const options = { recipients: [ANN, { email: 'tongue@acme.test', locale: 'de_AT' }] };
    const { status, body } = await trigger(options);
    expect([status, (body as Body).errors]).toEqual([
      400,
      { 'options.recipients[1].locale': [expect.stringContaining('such as de-AT')] },
    ]);
    expect(await userOf('tongue@acme.test')).toBeUndefined();
    const simulated = await send('post', `${EVENT}simulate/`, { options }, 400);
    expect(Object.keys(simulated.errors as object)).toEqual(['options.recipients[1].locale']);
  });

  it('merge custom fields at every depth, as an update of a user does, and refuse what would be too large', async () => {
    const put = (custom_fields: object) => trigger({ recipients: [ANN, { email: 'deep@acme.test', custom_fields }] });
    await put({ a: { b: 1, c: [1] }, big: 'x'.repeat(200_000) });
    expect((await put({ a: { d: 2, c: [2] } })).status).toBe(201);
    expect(await userOf('deep@acme.test')).toMatchObject({ custom_fields: { a: { b: 1, c: [2], d: 2 } } });
    const { status, body } = await put({ more: 'x'.repeat(70_000) });
    expect([status, (body as Body).errors]).toEqual([
      400,
      { 'options.recipients[1].custom_fields': [expect.stringContaining('256 KB')] },
    ]);
  });

  it('are not written by a simulation', async () => {
    const options = { recipients: [{ email: 'sim@acme.test' }] };
    expect(await send('post', `${EVENT}simulate/`, { options }, 200)).toMatchObject({ totals: { people: 0 } });
    expect(await userOf('sim@acme.test')).toBeUndefined();
  });
});

describe('names that are not users', () => {
  it('are in a header of the answer, whose body has nothing new', async () => {
    const named = { recipients: [ANN, 'X@acme.test', 'h\u00e9@acme.test'], limit_to: [ANN, 'y,z'] };
    for (const headers of [{}, { 'Idempotency-Key': 'unknown' }] as Record<string, string>[]) {
      const { status, body, headers: answer } = await trigger(named, headers);
      expect([status, body]).toEqual([201, { occurrence: expect.any(String) }]);
      expect(answer['unknown-users']!.split(',').sort()).toEqual(['h%C3%A9@acme.test', 'x@acme.test', 'y%2Cz']);
    }
    expect((await trigger({ recipients: [ANN] })).headers['unknown-users']).toBeUndefined();
  });

  it('looks up many names alone, so that other organizations do not wait for it', async () => {
    const statements = new Statements(app.app.get(Database));
    const limit_to = [ANN, ...Array.from({ length: 30 }, (_, n) => `x${n}@acme.test`)];
    const { status, headers } = await trigger({ recipients: [ANN], limit_to });
    expect([status, headers['unknown-users']!.split(',').length]).toEqual([201, 20]);
    expect(statements.names).not.toContain('store-named-occurrences');
    expect(statements.names).toContain('find-unknown-users');
  });

  it('are not those whom the trigger creates', async () => {
    const { headers } = await trigger({ recipients: [{ email: 'made@acme.test' }, 'x@acme.test'] });
    expect(headers['unknown-users']).toBe('x@acme.test');
  });

  it('are refused by a trigger that asks for it', async () => {
    const strictly = (options: object) => app.as(key).post(`${EVENT}trigger/?recipients=strict`).send({ options });
    const { status, body } = await strictly({
      recipients: [ANN, 'x@acme.test', { email: 'strict@acme.test' }],
      limit_to: ['y@acme.test', 'strict@acme.test'],
    });
    expect([status, body]).toEqual([
      400,
      invalid({
        'options.recipients': ['x@acme.test is not a user of the organization'],
        'options.limit_to': ['y@acme.test is not a user of the organization'],
      }),
    ]);
    expect((await strictly({ recipients: [ANN] })).status).toBe(201);
    const wrong = await app.as(key).post(`${EVENT}trigger/?recipients=1`).send({});
    expect([wrong.status, wrong.body]).toEqual([400, invalid({ recipients: ['must be strict'] })]);
  });
});

it('a strict trigger needs the field of the context that names users', async () => {
  const fields = { name: 'Sent', to: { context: 'customer.email' }, templates: TEMPLATES };
  await send('post', `${OTHER}n/`, fields, 201);
  const { status, body } = await app.as(key).post(`${OTHER}trigger/?strict=1`).send({});
  expect([status, body]).toMatchObject([400, { errors: { 'context.customer.email': [expect.any(String)] } }]);
});
