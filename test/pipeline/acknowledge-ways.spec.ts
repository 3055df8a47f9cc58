import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Metrics } from '../../src/platform/telemetry/metrics.js';
import { AcknowledgeTokens } from '../../src/engine/acknowledge/token.js';
import type { NotificationEntry, StatusWebhookEntry } from '../../src/operate/provisioning/file.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { until } from '../support/until.js';
import { signingSecret } from '../support/world/signing-secret.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { openSteps, passMinutes, quiet } from '../support/world/steps.js';
import { Tenant, inbox, webhook } from '../support/world/tenant.js';

const PUBLIC_URL = 'https://notify.test/hooks';

let app: TestApp;
let hooks: HttpSink;
useApp({ ROLE: 'all', PUBLIC_URL }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (hooks = started),
);

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';
const TEXT = 'Look: {{ acknowledge_url }}.';

const tenantOf = (more: Partial<NotificationEntry> = {}, statusWebhook?: StatusWebhookEntry) =>
  Tenant.create(app, {
    statusWebhook,
    channels: [inbox('app'), webhook('hook', hooks.url('/hook'))],
    users: [{ email: ANN, first_name: 'Ann', last_name: 'A' }, { email: BOB }],
    lists: [{ name: 'Staff', members: [ANN, BOB] }],
    notifications: [
      {
        ...{ name: 'Tell', distribution_list: 'Staff' },
        steps: [{ channels: ['app'] }, { after: '10m', unless: 'acknowledged', channels: ['hook'] }],
        templates: [
          { channel: 'app', subject: 'Disk <full>', text: TEXT },
          { channel: 'hook', text: TEXT },
        ],
        ...more,
      },
    ],
  });

async function triggered(tenant: Tenant, options: object = {}): Promise<string> {
  const id = await tenant.trigger({}, options);
  await quiet(app.pool, id);
  return id;
}

/** The links in the messages of an occurrence, by channel and user. */
async function linksOf(id: string): Promise<Record<string, string>> {
  const { rows } = await app.pool.query<{ key: string; text: string }>(
    `select c.slug || ' ' || split_part(u.email, '@', 1) key, m.text from deliveries d join messages m on m.delivery_id = d.id
     join channels c on c.id = d.channel_id join users u on u.id = d.user_id where d.occurrence_id = $1`,
    [id],
  );
  return Object.fromEntries(rows.map(({ key, text }) => [key, /^Look: (.*)\.$/.exec(text)![1]!]));
}

async function linkOf(id: string, whose = 'app ann'): Promise<string> {
  const url = (await linksOf(id))[whose]!;
  expect(url).toMatch(/^https:\/\/notify\.test\/hooks\/a\/[\w-]{44}$/);
  return url.replace(PUBLIC_URL, '');
}

const open = (link: string) => app.as().get(link).set('Accept-Language', 'en');
const press = (link: string, note?: string) =>
  app
    .as()
    .post(link)
    .set('Accept-Language', 'en')
    .type('form')
    .send(note === undefined ? {} : { note });

const acknowledgements = async (tenant: Tenant, id: string) =>
  ((await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${id}/`)).body as { acknowledgements: object[] })
    .acknowledgements;

const BUTTON = '<button>Acknowledge</button>';

it('a link acknowledges when its button is pressed, and not when a scanner opens it', async () => {
  const tenant = await tenantOf();
  const id = await triggered(tenant);
  const link = await linkOf(id);
  const page = await open(link);
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  for (const text of ['<h1>Disk &lt;full&gt;</h1>', 'a•••@acme.test', BUTTON, 'name="note"'])
    expect(page.text).toContain(text);
  expect(page.text).not.toContain('<script');
  expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
  expect(await acknowledgements(tenant, id)).toEqual([]);

  const done = await press(link, ' I am\n on \0 it. ');
  expect([done.status, done.text.includes(BUTTON)]).toEqual([200, false]);
  expect(done.text).toContain('You acknowledged this, ');
  expect(done.text).toContain('Note: I am on it.');
  const stored = { user: ANN, at: expect.any(String), way: 'link', step: 1, note: 'I am on it.' };
  expect(await acknowledgements(tenant, id)).toEqual([stored]);

  // Pressed again, or by the next user: the first stays.
  const [again, others] = [await press(link, 'Once more'), await press(await linkOf(id, 'app bob'))];
  expect([again.text, again.text.includes('Note: I am on it.')]).toEqual([done.text, true]);
  expect(others.text).toContain('Ann A acknowledged this, ');
  expect(await acknowledgements(tenant, id)).toEqual([stored]);
  await passMinutes(app, id, 10);
  expect(await openSteps(app, id)).toBeNull();
  expect(Object.keys(await linksOf(id)).toSorted()).toEqual(['app ann', 'app bob']);
  const { rows } = await app.pool.query(`select actor from audit_entries where verb = 'acknowledge' and name = $1`, [
    id,
  ]);
  expect(rows).toEqual([{ actor: 'acknowledge link' }]);
});

it('a link answers its step, also after the last one, and where each acknowledges for themselves', async () => {
  const tenant = await tenantOf({ acknowledge: { by: 'each' } });
  const id = await triggered(tenant);
  await passMinutes(app, id, 10);
  expect(await openSteps(app, id)).toBeNull();
  await press(await linkOf(id, 'hook ann')).expect(200);
  const page = await press(await linkOf(id, 'app bob'));
  expect(page.text).toContain('<h1>Disk');
  expect(page.text).toContain('You acknowledged this, ');
  expect(await acknowledgements(tenant, id)).toEqual([
    expect.objectContaining({ user: ANN, way: 'link', step: 2 }),
    expect.objectContaining({ user: BOB, way: 'link', step: 1 }),
  ]);
  // Its message has no subject.
  expect((await open(await linkOf(id, 'hook bob'))).text).toContain('<h1>Tell</h1>');
});

it('a link says what ended it, in the language of the reader', async () => {
  const tenant = await tenantOf();
  const canceled = await triggered(tenant);
  await app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${canceled}/cancel/`).expect(200);
  const expired = await triggered(tenant, { expires_at: new Date(Date.now() + 3_600_000).toISOString() });
  await app.pool.query(
    `update occurrences set options = jsonb_set(options, '{expires_at}', '"2020-01-01T00:00:00Z"') where id = $1`,
    [expired],
  );
  const german = async (link: string) => (await app.as().post(link).set('Accept-Language', 'de')).text;
  expect(await german(await linkOf(canceled))).toContain('Dies wurde abgebrochen.');
  expect(await german(await linkOf(expired))).toContain('Dies ist abgelaufen.');
  expect([await acknowledgements(tenant, canceled), await acknowledgements(tenant, expired)]).toEqual([[], []]);

  const threaded = await tenantOf({ thread: 'disk' });
  const resolved = await threaded.trigger({ disk: 'd1' });
  await quiet(app.pool, resolved);
  await threaded.trigger({ disk: 'd2' }, { resolves_thread: 'd1' });
  expect(await german(await linkOf(resolved))).toContain('Dies ist erledigt.');
  expect(await acknowledgements(threaded, resolved)).toEqual([]);

  const live = await triggered(tenant);
  const link = await linkOf(live);
  const long = await press(link, '😀'.repeat(1001));
  expect([long.status, long.text.includes('a note has at most 1,000 characters')]).toEqual([400, true]);
  await press(link, '😀'.repeat(1000)).expect(200);
});

it('a wrong link, and one whose user or message is gone, look the same', async () => {
  const [tenant, other] = [await tenantOf(), await tenantOf()];
  const [id, link] = await triggered(tenant).then(async (made) => [made, await linkOf(made)] as const);
  const tokens = app.app.get(AcknowledgeTokens);
  const owner = tokens.verify(link.slice('/a/'.length))!;
  const { rows } = await app.pool.query<{ id: number }>('select id from organizations where slug = $1', [other.org]);
  const foreign = tokens.sign({ ...owner, organizationId: rows[0]!.id });
  const never = tokens.sign({ ...owner, delivery: '9223372036854775807' });
  await app.as(tenant.key).delete(`/api/o/${tenant.org}/u/${ANN}/`).expect(204);
  const pages = [link, `/a/${foreign}`, `/a/${never}`, `${link}x`, '/a/sample'].map((each) => press(each));
  const [first, ...rest] = await Promise.all(pages);
  expect([first!.status, first!.text.includes('This link does not work')]).toEqual([404, true]);
  for (const page of rest) expect([page.status, page.text]).toEqual([404, first!.text]);
  expect(await acknowledgements(tenant, id)).toEqual([]);
});

it('only messages whose steps ask for it have a link, and what is only shown has none that works', async () => {
  const tenant = await tenantOf({
    steps: [{ channels: ['app'] }, { after: '10m', unless: 'read', channels: ['hook'] }],
  });
  expect(await linksOf(await triggered(tenant))).toEqual({ 'app ann': '', 'app bob': '' });
  const event = (each: Tenant) => `/api/o/${each.org}/p/shop/a/web/e/order-paid`;
  const simulated = async (each: Tenant) =>
    JSON.stringify(
      (
        await app
          .as(each.key)
          .post(`${event(each)}/simulate/`)
          .send({})
      ).body,
    );
  const asking = await tenantOf();
  expect(await simulated(tenant)).not.toContain(`${PUBLIC_URL}/a/`);
  expect(await simulated(asking)).toContain(`${PUBLIC_URL}/a/sample`);
  const { body } = await app
    .as(asking.key)
    .post(`${event(asking)}/preview/`)
    .send({ text: TEXT, user: ANN });
  expect(body).toMatchObject({ text: `Look: ${PUBLIC_URL}/a/sample.`, ...{ missing: [], optional: [] } });
});

describe('with a recipient token', () => {
  const tokenFor = async (tenant: Tenant, user: string, scopes = ['inbox']) => {
    const path = `/api/o/${tenant.org}/u/${user}/token/`;
    const { body } = await app.as(tenant.key).post(path).send({ scopes }).expect(201);
    return (body as { token: string }).token;
  };
  const inboxOf = (tenant: Tenant, user: string) => `/api/o/${tenant.org}/u/${user}/inbox/`;
  const answer = (tenant: Tenant, token: string, message: number, user = ANN) =>
    app
      .as()
      .post(`${inboxOf(tenant, user)}${message}/acknowledge/`)
      .set('Authorization', `Bearer ${token}`);
  const messageOf = async (tenant: Tenant, user: string) => {
    const { body } = await app.as(tenant.key).get(inboxOf(tenant, user));
    return (body as { id: number }[])[0]!.id;
  };

  it('a user acknowledges what is in their own inbox, and nothing else', async () => {
    const tenant = await tenantOf();
    await app.as(tenant.key).post(`/api/o/${tenant.org}/signing-secrets/`).send({ name: 'app' }).expect(201);
    const id = await triggered(tenant);
    const [ann, bob] = [await tokenFor(tenant, ANN), await tokenFor(tenant, BOB)];
    const [own, others] = [await messageOf(tenant, ANN), await messageOf(tenant, BOB)];
    expect((await answer(tenant, ann, others)).status).toBe(404);
    expect((await answer(tenant, bob, own)).status).toBe(404);
    expect((await answer(tenant, ann, 0)).status).toBe(404);
    expect((await answer(tenant, await tokenFor(tenant, ANN, ['preferences']), own)).status).toBe(403);
    const direct = app.as().post(`/api/o/${tenant.org}/occurrences/${id}/acknowledge/`).send({ user: ANN });
    expect((await direct.set('Authorization', `Bearer ${ann}`)).status).toBe(403);
    expect((await answer(tenant, ann, own).send({ note: 'x'.repeat(1001) })).body).toMatchObject({
      errors: { note: [expect.any(String)] },
    });
    expect(await acknowledgements(tenant, id)).toEqual([]);

    const done = await answer(tenant, ann, own).send({ note: 'I am on it.' });
    const stored = { user: ANN, at: expect.any(String), way: 'inbox', step: 1, note: 'I am on it.' };
    expect([done.status, done.body]).toEqual([200, stored]);
    expect((await answer(tenant, ann, own)).body).toEqual(done.body);
    expect(await acknowledgements(tenant, id)).toEqual([stored]);
    await passMinutes(app, id, 10);
    expect(Object.keys(await linksOf(id)).toSorted()).toEqual(['app ann', 'app bob']);
  });
});

describe('in an inbox', () => {
  const stateOf = async (tenant: Tenant, user = ANN) => {
    const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/u/${user}/inbox/`).expect(200);
    return (body as { acknowledge: string | null }[])[0]!.acknowledge;
  };
  const acknowledge = (tenant: Tenant, id: string, user: string) =>
    app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${id}/acknowledge/`).send({ user }).expect(200);

  it('a message says that it waits for an acknowledgement until anyone has acknowledged, or it is canceled, expired or resolved', async () => {
    const tenant = await tenantOf({ thread: 'disk' });
    const id = await triggered(tenant);
    expect([await stateOf(tenant), await stateOf(tenant, BOB)]).toEqual(['open', 'open']);
    await acknowledge(tenant, id, BOB);
    expect([await stateOf(tenant), await stateOf(tenant, BOB)]).toEqual(['done', 'done']);

    const canceled = await triggered(tenant);
    expect(await stateOf(tenant)).toBe('open');
    await app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${canceled}/cancel/`).expect(200);
    expect(await stateOf(tenant)).toBeNull();

    const expiring = await triggered(tenant, { expires_at: new Date(Date.now() + 3_600_000).toISOString() });
    expect(await stateOf(tenant)).toBe('open');
    const expire = `update occurrences set options = jsonb_set(options, '{expires_at}', '"2020-01-01T00:00:00Z"') where id = $1`;
    await app.pool.query(expire, [expiring]);
    expect(await stateOf(tenant)).toBeNull();

    await quiet(app.pool, await tenant.trigger({ disk: 'd1' }));
    expect(await stateOf(tenant)).toBe('open');
    await quiet(app.pool, await tenant.trigger({ disk: 'd2' }, { resolves_thread: 'd1', channels: ['hook'] }));
    expect(await stateOf(tenant)).toBeNull();
  });

  it('where each acknowledges for themselves, and until it lapses', async () => {
    const tenant = await tenantOf({ acknowledge: { by: 'each', for: '4h' } });
    const id = await triggered(tenant);
    await acknowledge(tenant, id, ANN);
    expect([await stateOf(tenant), await stateOf(tenant, BOB)]).toEqual(['done', 'open']);
    await app.pool.query(`update acknowledgements set at = at - interval '4 hours' where occurrence_id = $1`, [id]);
    expect(await stateOf(tenant)).toBe('open');
  });

  it('a message that does not ask for it says nothing', async () => {
    const tenant = await tenantOf({
      steps: [{ channels: ['app'] }, { after: '10m', unless: 'read', channels: ['hook'] }],
    });
    const id = await triggered(tenant);
    await acknowledge(tenant, id, ANN);
    expect(await stateOf(tenant)).toBeNull();
  });
});

it('the metric counts what waits for an acknowledgement', async () => {
  const waiting = async () => {
    const metric = (await new Metrics(app.pool).measure()).find(({ name }) => name === 'carillon_unacknowledged');
    return metric!.values[0]!.value;
  };
  const before = await waiting();
  const readers = await tenantOf({
    steps: [{ channels: ['app'] }, { after: '10m', unless: 'read', channels: ['hook'] }],
  });
  await triggered(readers);
  expect(await waiting()).toBe(before);
  const tenant = await tenantOf();
  const [first, second] = [await triggered(tenant), await triggered(tenant), await triggered(tenant)];
  expect(await waiting()).toBe(before + 3);
  await press(await linkOf(first)).expect(200);
  await app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${second}/cancel/`).expect(200);
  expect(await waiting()).toBe(before + 1);
});

it('the status webhook of the application hears who acknowledged, once, if it wants to', async () => {
  const secret = signingSecret('acknowledged');
  const tenant = await tenantOf({}, { url: hooks.url('/status'), secret, outcomes: ['acknowledged'] });
  const id = await triggered(tenant);
  const link = await linkOf(id);
  await press(link, 'I am on it.').expect(200);
  await press(link).expect(200);
  await press(await linkOf(id, 'app bob')).expect(200);
  await until(10_000, async () => (await app.pool.query(`select from jobs where task = 'report'`)).rowCount === 0);
  const told = hooks.requests.filter(({ path }) => path === '/status');
  const bodies = told.map(({ body, headers }) => new Webhook(secret).verify(body, headers as Record<string, string>));
  expect(bodies).toEqual([
    {
      type: 'occurrence.acknowledged',
      timestamp: expect.any(String),
      data: {
        ...{ organization: tenant.org, project: 'shop', application: 'web' },
        acknowledgement: {
          ...{ occurrence: id, event: 'order-paid', user: ANN, at: expect.any(String) },
          ...{ way: 'link', step: 1, note: 'I am on it.' },
        },
      },
    },
  ]);
});
