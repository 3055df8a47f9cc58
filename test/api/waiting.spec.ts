import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { ExportService } from '../../src/operate/provisioning/export/export.service.js';
import { ImportService } from '../../src/operate/provisioning/user-files/import.service.js';
import { ProvisioningService } from '../../src/operate/provisioning/provisioning.service.js';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { storeOccurrence } from '../support/world/occurrence.js';

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

const ORG = '/api/o/acme/settings/';
const ANN = '/api/o/acme/u/ann@acme.test/settings/';
const RULES = '/api/o/acme/p/shop/a/web/e/order-paid/n/';
const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const NIGHT = { from: '22:00', to: '07:00' };
const LOCALE = 'must be a language tag of at most 35 characters, such as de-AT, pt-BR or en';
const ZONE = 'must be the name of a time zone, such as Europe/Rome, America/New_York or UTC';

const get = async (path: string) => (await app.as(key).get(path)).body as Record<string, unknown>;

async function patch(path: string, body: object, status = 200) {
  const answer = await app.as(key).patch(path).send(body);
  expect({ status: answer.status, body: answer.body as unknown }).toMatchObject({ status });
  return answer.body as Record<string, unknown>;
}

const errorsOf = async (path: string, body: object) => (await patch(path, body, 400)).errors;

async function textOf(parts: AsyncGenerator<string>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part;
  return text;
}

const exported = () => textOf(app.app.get(ExportService).organization('acme', { people: true }));
const apply = (text: string) => app.app.get(ProvisioningService).apply(text, {});
const refusalOf = (text: string) =>
  apply(text).then(
    () => '',
    (error: Error) => error.message,
  );

describe('the settings of an organization', () => {
  it('are none at first, and change one by one', async () => {
    expect(await get(ORG)).toEqual({
      ...{
        time_zone: null,
        quiet_hours: null,
        locale: null,
        limit: null,
        color: null,
        address: null,
        links: null,
        logo: null,
        page_texts: null,
        origins: [],
        alerts: null,
      },
    });
    const body = {
      time_zone: 'europe/rome',
      quiet_hours: [{ ...NIGHT, days: ['sun', 'mon', 'sun'] }, NIGHT],
      locale: 'DE-at',
      limit: { count: 5, per: 'day' },
      color: '#1A7F37',
      address: ' Main Street 1 ',
      links: [{ label: 'Help', url: 'https://acme.test/help' }],
      origins: ['HTTPS://App.Acme.test:443/', 'http://localhost:5173', 'https://app.acme.test'],
    };
    const stored = {
      time_zone: 'Europe/Rome',
      quiet_hours: [
        { days: ['mon', 'sun'], ...NIGHT },
        { days: WEEK, ...NIGHT },
      ],
      locale: 'de-AT',
      limit: { count: 5, per: 'day' },
      color: '#1a7f37',
      address: 'Main Street 1',
      links: [{ label: 'Help', url: 'https://acme.test/help' }],
      origins: ['https://app.acme.test', 'http://localhost:5173'],
      ...{ logo: null, page_texts: null, alerts: null },
    };
    expect(await patch(ORG, body)).toEqual(stored);
    expect(await patch(ORG, { limit: null })).toEqual({ ...stored, limit: null });
    expect(await get(ORG)).toEqual({ ...stored, limit: null });
    expect(await get('/api/o/globex/settings/')).toMatchObject({ status: 404 });
  });

  it('are refused with all errors at once, each with its field', async () => {
    const day = 'must be a list of days: mon, tue, wed, thu, fri, sat, sun. Leave it out for every day';
    expect(
      await errorsOf(ORG, {
        time_zone: '+01:00',
        quiet_hours: [NIGHT, { days: ['monday'], from: '9', to: '24:00' }],
        locale: 'de_AT',
        limit: { count: 0, per: 'year', then: 'drop' },
        color: 'red',
        origins: ['https://app.acme.test', 'https://app.acme.test/inbox'],
      }),
    ).toEqual({
      time_zone: [ZONE],
      'quiet_hours[1].days': [day],
      'quiet_hours[1].from': ['must be a time such as 09:30'],
      locale: [LOCALE],
      'limit.then': ['is not a known field. Known: count, per'],
      'limit.count': ['must be a whole number from 1 to 1000'],
      'limit.per': ['must be one of minute, hour, day, week'],
      color: ['must be a color such as #1a7f37'],
      'origins[1]': ['must be an origin such as https://app.example.com, without a path'],
    });
    expect(await errorsOf(ORG, { quiet_hours: [{ from: '00:00', to: '24:00' }] })).toEqual({
      quiet_hours: ['must leave at least one hour of the week free: otherwise nothing could ever be sent'],
    });
    expect(await errorsOf(ORG, { timezone: 'UTC' })).toEqual({
      timezone: [
        'is not a known field: did you mean time_zone? Known: time_zone, quiet_hours, locale, limit, color, address, links, logo, page_texts, origins, alerts',
      ],
    });
    for (const time_zone of ['CET', 'Mars/Base', 'posix/Europe/Rome', 7, ''])
      expect(await errorsOf(ORG, { time_zone })).toEqual({ time_zone: [ZONE] });
  });

  it('belong to whoever may write the whole organization', async () => {
    const ofProject = await app.key({ org: 'acme', project: 'shop' });
    const { status } = await app.as(ofProject).patch(ORG).send({ time_zone: 'UTC' });
    expect(status).toBe(403);
    const user = await app.as(ofProject).patch(ANN).send({ time_zone: 'UTC' });
    expect(user.status).toBe(403);
  });
});

describe('the settings of a user', () => {
  it('tell no quiet hours from those of the organization', async () => {
    expect(await get(ANN)).toEqual({ time_zone: null, quiet_hours: null, locale: null });
    expect(await patch(ANN, { time_zone: 'America/New_York', quiet_hours: [], locale: 'pt-br' })).toEqual({
      time_zone: 'America/New_York',
      quiet_hours: [],
      locale: 'pt-BR',
    });
    expect(await patch(ANN, { quiet_hours: null })).toEqual({
      ...{ time_zone: 'America/New_York', quiet_hours: null, locale: 'pt-BR' },
    });
    expect(await patch(ANN, { locale: null })).toMatchObject({ time_zone: 'America/New_York', locale: null });
    expect(await errorsOf(ANN, { time_zone: 'Rome', quiet_hours: {}, locale: 'German' })).toEqual({
      time_zone: [ZONE],
      locale: [LOCALE],
      quiet_hours: ['must be a list of at most 20 ranges such as { "from": "22:00", "to": "07:00" }'],
    });
  });

  it('leave the fields of the user as they are', async () => {
    expect(Object.keys(await get('/api/o/acme/u/ann@acme.test/'))).toEqual([
      'id',
      'email',
      'username',
      'first_name',
      'last_name',
      'locked',
    ]);
    expect(Object.keys(await get('/api/o/acme/'))).toEqual(['name', 'slug', 'users', 'projects', 'channels']);
  });

  it('make messages that wait for a clock due, and no others', async () => {
    const occurrence = await waitingDeliveries();
    await patch(ANN, { time_zone: 'Europe/Rome' });
    const { rows } = await app.pool.query(
      `select waits_for "waitsFor", next_attempt_at <= now() due, lot is not null "hasLot" from deliveries
       where occurrence_id = $1 order by notification_id`,
      [occurrence],
    );
    const waiting = (waitsFor: string, due = false) => ({ waitsFor, due, hasLot: due });
    // Of the quiet hours and the window of Ann; the digest, and what waits for somebody else, stay.
    expect(rows).toEqual([waiting('quiet', true), waiting('window', true), waiting('digest'), waiting('quiet')]);
    const jobs = await app.pool.query(
      `select (payload->>'notification')::int notification, (payload->>'last')::int - (payload->>'after')::int people, payload->>'priority' priority
       from jobs where task = 'deliver' and payload->>'occurrence' = $1 order by 1`,
      [occurrence],
    );
    expect(jobs.rows).toEqual([1, 2].map((notification) => ({ notification, people: 1, priority: 'normal' })));
  });
});

/** Four deliveries: three to Ann, which wait for different things, and one to Bob. */
async function waitingDeliveries(): Promise<string> {
  const { id } = await storeOccurrence(app.pool, 'acme', 0);
  await app.pool.query(
    `insert into deliveries (organization_id, occurrence_id, notification_id, channel_id, user_id, status, waits_for, next_attempt_at)
     select o.organization_id, o.id, n, c.id, u.id, 'pending', w.waits_for::waits_for, now() + interval '1 hour'
     from occurrences o
     join channels c on c.organization_id = o.organization_id and c.slug = 'mail'
     cross join (values (1, 'quiet', 'ann@acme.test'), (2, 'window', 'ann@acme.test'), (3, 'digest', 'ann@acme.test'),
                                 (4, 'quiet', 'bob@acme.test')) w(n, waits_for, email)
     join users u on u.organization_id = o.organization_id and u.email = w.email
     where o.id = $1`,
    [id],
  );
  return id;
}

describe('a notification', () => {
  const TELL = { name: 'Tell', distribution_lists: ['Staff'], templates: [{ channel: 'mail', text: 'Hi' }] };

  it('waits as it says', async () => {
    const body = {
      ...TELL,
      window: { from: '09:00', to: '17:00', days: ['tue', 'mon'] },
      digest: { window: 900, key: 'order.topic' },
      limit: { count: 3, per: 'hour' },
    };
    const stored = {
      window: { days: ['mon', 'tue'], from: '09:00', to: '17:00' },
      digest: { window: '15m', key: 'order.topic', max_items: 50, first: 'wait' },
      limit: { count: 3, per: 'hour', then: 'drop' },
    };
    const created = await app.as(key).post(RULES).send(body);
    expect(created.body).toMatchObject({ ...stored, name: 'Tell' });
    const { id } = created.body as { id: number };
    expect(await get(`${RULES}${id}/`)).toMatchObject(stored);
    expect((await app.as(key).get(RULES)).body).toEqual([created.body]);
    const changed = { digest: { schedule: { at: '08:00' }, max_items: 2, first: 'now' }, limit: null };
    expect(await patch(`${RULES}${id}/`, changed)).toMatchObject({
      window: stored.window,
      digest: { schedule: { days: WEEK, at: '08:00' }, max_items: 2, first: 'now' },
      limit: null,
    });
    const { rows } = await app.pool.query<{ rule: object }>(
      'select rule from rule_versions where rule->>$1 = $2 order by id desc limit 1',
      ['name', 'Tell'],
    );
    expect(rows[0]!.rule).toMatchObject({ window: stored.window, digest: { max_items: 2, first: 'now' } });
    expect(rows[0]!.rule).not.toHaveProperty('limit');
  });

  it('flushes its digests, and only its own', async () => {
    const { id } = ((await app.as(key).get(RULES)).body as { id: number }[])[0]!;
    await app.pool.query(
      `insert into digests (organization_id, notification_id, channel_id, user_id, settings, due_at)
       select g.id, v.notification, 1, v.person, '{}', now() + interval '1 day'
       from organizations g, (values ($1::int, 1), ($1, 2), ($1 + 1000, 1)) v(notification, person) where g.slug = 'acme'`,
      [id],
    );
    const flush = (path: string) => app.as(key).post(`${path}flush/`);
    expect((await flush(`${RULES}${id}/`)).body).toEqual({ digests: 2 });
    // They are still there: nothing has sent them yet.
    expect((await flush(`${RULES}${id}/`)).body).toEqual({ digests: 0 });
    const { rows } = await app.pool.query('select notification_id id from digests where due_at > now()');
    expect(rows).toEqual([{ id: id + 1000 }]);
    expect((await flush(`${RULES}${id + 1000}/`)).status).toBe(404);
    expect((await flush(`/api/o/acme/p/shop/a/web/e/order-sent/n/${id}/`)).status).toBe(404);
  });

  it.each<[object, Record<string, string>]>([
    [{ window: [] }, { window: 'must be an object such as { "from": "22:00", "to": "07:00" }' }],
    [{ digest: {} }, { digest: 'must have a window or a schedule' }],
    [{ digest: { window: '15m', schedule: { at: '09:00' } } }, { digest: 'must have a window or a schedule' }],
    [
      { digest: { window: '15', max_items: 1, first: 'later', sliding: 1, key: 'a..b', windw: 1 } },
      {
        'digest.windw':
          'is not a known field: did you mean window? Known: window, schedule, key, max_items, first, sliding',
        'digest.window': 'must be a duration from 1s to 7d, such as 15m, 2h or 1d',
        'digest.max_items': 'must be a whole number from 2 to 1000',
        'digest.first': 'must be one of now, wait',
        'digest.sliding': 'must be true or false',
        'digest.key': 'must be a field of the context, such as order.id, of at most 200 characters',
      },
    ],
    [
      { digest: { schedule: { at: '24:00', days: [] }, sliding: true } },
      {
        'digest.sliding': 'needs a window: a schedule has fixed times',
        'digest.schedule.days': 'must be a list of days: mon, tue, wed, thu, fri, sat, sun. Leave it out for every day',
        'digest.schedule.at': 'must be a time such as 09:30',
      },
    ],
    [
      { limit: { count: 1001, per: 'hour', then: 'wait', key: 'x'.repeat(201) } },
      {
        'limit.count': 'must be a whole number from 1 to 1000',
        'limit.then': 'must be one of drop, digest',
        'limit.key': 'must be a field of the context, such as order.id, of at most 200 characters',
      },
    ],
  ])('with %j is refused', async (waiting, errors) => {
    const { status, body } = await app
      .as(key)
      .post(RULES)
      .send({ ...TELL, name: 'Other', ...waiting });
    expect({ status, errors: (body as { errors: unknown }).errors }).toEqual({
      status: 400,
      errors: Object.fromEntries(Object.entries(errors).map(([field, sentence]) => [field, [sentence]])),
    });
  });

  it('has no window, digest or limit if all its templates are posts to rooms', async () => {
    const sentence = 'needs a template with per: person, because a room has no user: remove it, or add such a template';
    const room = { name: 'Room', templates: [{ channel: 'hook', text: 'Hi', per: 'room' }] };
    const waiting = { window: NIGHT, digest: { window: '1m' }, limit: { count: 1, per: 'day' } };
    const errors = { window: [sentence], digest: [sentence], limit: [sentence] };
    const { body } = await app
      .as(key)
      .post(RULES)
      .send({ ...room, ...waiting });
    expect((body as { errors: unknown }).errors).toEqual(errors);
    const mixed = { ...TELL, ...waiting, name: 'Room', templates: [...room.templates, ...TELL.templates] };
    const { body: created } = await app.as(key).post(RULES).send(mixed);
    expect(created).toMatchObject({ digest: { window: '1m' } });
    expect(await errorsOf(`${RULES}${(created as { id: number }).id}/`, { templates: room.templates })).toEqual(errors);
  });
});

const FILE = `
organizations:
  - slug: acme
    name: Acme Inc
    time_zone: Asia/Kolkata
    locale: hi-in
    quiet_hours: [{ from: 22:00, to: 07:00 }]
    limit: { count: 7, per: week }
    color: "#abcdef"
    origins: [https://app.acme.test, https://shop.acme.test]
    users:
      - { email: ann@acme.test, time_zone: europe/berlin, locale: de, quiet_hours: [{ days: [sun], from: 00:00, to: 24:00 }] }
      - { email: bob@acme.test, quiet_hours: [] }
    projects:
      - slug: shop
        name: Shop
        applications:
          - slug: web
            name: Web shop
            events:
              - slug: order-sent
                name: Order sent
                notifications:
                  - name: Tell
                    distribution_list: Staff
                    window: { days: [fri, mon], from: 09:00, to: 17:00 }
                    digest: { window: 90m, key: topic, sliding: true }
                    limit: { count: 3, per: hour, then: digest }
                    templates: [{ channel: mail, text: Hi }]
`;

describe('a file', () => {
  it('holds all of it, and changes nothing the second time', async () => {
    const changes = await apply(FILE);
    expect(changes.map(({ verb, noun, name, count }) => [verb, noun, name, count])).toEqual([
      ['update', 'organization', 'acme', undefined],
      ['update', 'user', 'acme', 2],
      ['create', 'notification', 'acme/shop/web/order-sent/Tell', undefined],
    ]);
    expect(changes[0]!.differences!.map(({ field }) => field)).toEqual([
      ...['time_zone', 'quiet_hours', 'locale', 'limit', 'color', 'origins'],
    ]);
    expect(await apply(FILE)).toEqual([]);
    expect(await get(ORG)).toMatchObject({
      time_zone: 'Asia/Kolkata',
      locale: 'hi-IN',
      color: '#abcdef',
      origins: ['https://app.acme.test', 'https://shop.acme.test'],
    });
    expect(await get(ANN)).toMatchObject({ time_zone: 'Europe/Berlin', locale: 'de' });
    const text = await exported();
    expect(text).toContain('    time_zone: Asia/Kolkata\n');
    expect(text).toContain('    locale: hi-IN\n');
    expect(text).toContain('window: 90m\n');
    expect(text).toMatch(/origins:\s+- https:\/\/app\.acme\.test\n/);
    expect(await apply(text)).toEqual([]);
    await apply(
      'organizations: [{ slug: acme, name: Acme Inc, limit: null, color: null, address: null, links: null, quiet_hours: null, locale: null, origins: null }]',
    );
    await apply(
      'organizations: [{ slug: acme, name: Acme Inc, users: [{ email: ann@acme.test, quiet_hours: null }] }]',
    );
    expect(await get(ORG)).toEqual({
      ...{
        time_zone: 'Asia/Kolkata',
        quiet_hours: null,
        locale: null,
        limit: null,
        color: null,
        address: null,
        links: null,
        logo: null,
        page_texts: null,
        origins: [],
        alerts: null,
      },
    });
    expect(await get(ANN)).toEqual({ time_zone: 'Europe/Berlin', quiet_hours: null, locale: 'de' });
    await apply(text);
    expect(await exported()).toBe(text);
  });

  it('loses what a notification leaves out', async () => {
    const [change, ...others] = await apply(
      FILE.replace(/ +(window|digest|limit): \{ (days|window|count: 3).*\n/g, ''),
    );
    expect(others).toEqual([]);
    expect(change!.differences!.map(({ field, after }) => [field, after])).toEqual(
      ['window', 'digest', 'limit'].map((field) => [field, null]),
    );
  });

  it.each([
    ['time_zone: Asia/Kolkata', 'time_zone: Rome', `organization acme: time_zone: ${ZONE}`],
    ['locale: hi-in', 'locale: Hindi', `organization acme: locale: ${LOCALE}`],
    ['locale: de,', 'locale: de_DE,', `user acme/ann@acme.test: locale: ${LOCALE}`],
    ['europe/berlin', 'Berlin', `user acme/ann@acme.test: time_zone: ${ZONE}`],
    [
      'from: 22:00, to: 07:00',
      'from: 00:00, to: 24:00',
      'organization acme: quiet_hours: must leave at least one hour of the week free',
    ],
    ['window: 90m', 'window: 90w', 'notification acme/shop/web/order-sent/Tell: digest.window: must be a duration'],
    ['sliding: true', 'slidng: true', 'digest.slidng: is not a known field: did you mean sliding?'],
    ['time_zone: Asia/Kolkata', 'timezone: Asia/Kolkata', 'timezone: is not a known field: did you mean time_zone?'],
  ])('with another %s is refused', async (part, other, sentence) => {
    expect(await refusalOf(FILE.replace(part, other))).toContain(sentence);
  });
});

it('imports and exports the clocks of people', async () => {
  const imports = (text: string) =>
    app.app.get(ImportService).users('acme', Readable.from([Buffer.from(text)]), { format: 'csv' });
  const occurrence = await waitingDeliveries();
  const result = await imports(
    'email,time_zone,quiet_hours,locale\nann@acme.test,asia/tokyo,"[{""from"":""20:00"",""to"":""08:00""}]",JA-jp\nbob@acme.test,Nowhere,,\ncyd@acme.test,,,\ndan@acme.test,,,german\n',
  );
  expect(result).toMatchObject({ done: { updated: 1, created: 1 }, refused: 2 });
  expect(result.refusals[0]).toEqual({ line: 3, problem: `time_zone: ${ZONE}` });
  expect(result.refusals[1]).toEqual({ line: 5, problem: `locale: ${LOCALE}` });
  expect(await get(ANN)).toEqual({
    time_zone: 'Asia/Tokyo',
    quiet_hours: [{ days: WEEK, from: '20:00', to: '08:00' }],
    locale: 'ja-JP',
  });
  const due = 'select count(*)::int due from deliveries where occurrence_id = $1 and next_attempt_at <= now()';
  expect((await app.pool.query(due, [occurrence])).rows).toEqual([{ due: 2 }]);
  const csv = await textOf(app.app.get(ExportService).users('acme', 'csv'));
  expect(csv.split('\r\n')[0]).toBe(
    'email,first_name,last_name,locked,custom_fields,addresses,time_zone,quiet_hours,locale',
  );
  expect(await imports(csv)).toMatchObject({ done: { updated: 0, created: 0 }, refused: 0 });
});
