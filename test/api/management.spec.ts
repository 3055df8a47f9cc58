import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { builtInTypes } from '../../src/dispatcher/provider/built-in.js';
import { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { sentDuring } from '../support/app/sent.js';
import { startWorker } from '../support/app/worker.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';
import { SecretBox } from '../../src/platform/secret/secret-box.js';
import { signingSecret } from '../support/world/signing-secret.js';

type Body = Record<string, unknown>;

const SHOP = '/api/o/acme/p/shop';
const PAID = `${SHOP}/a/web/e/order-paid`;
const TELL = {
  name: 'Tell staff',
  distribution_lists: ['Staff'],
  templates: [{ channel: 'hook', text: 'Order {{ order }}', per: 'person' }],
};

let app: TestApp;
let http: HttpSink;
let smtp: SmtpSink;
let operator: string;

beforeAll(async () => {
  app = await TestApp.start();
  http = await HttpSink.start();
  smtp = await SmtpSink.start();
  operator = await app.key({ name: 'operator' });
});
afterAll(async () => {
  await app.stop();
  await http.close();
  await smtp.close();
});

async function ask(
  method: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path: string,
  body?: object,
  status?: number,
  as = operator,
) {
  const answer = await app.as(as)[method](path).send(body);
  const expected = status ?? { get: 200, post: 201, put: 200, patch: 200, delete: 204 }[method];
  expect({ path, status: answer.status, body: answer.body as unknown }).toMatchObject({ path, status: expected });
  return answer.body as Body;
}

const errorsOf = async (method: 'post' | 'patch', path: string, body: object) =>
  (await ask(method, path, body, 400)).errors as Record<string, string[]>;

/** An organization from nothing, over HTTP alone. */
async function build(): Promise<{ list: number; notification: number }> {
  await ask('post', '/api/o/', { slug: 'acme', name: 'Acme' });
  await ask('post', '/api/o/acme/p/', { slug: 'shop', name: 'Shop' });
  await ask('post', `${SHOP}/a/`, { slug: 'web', name: 'Web' });
  await ask('post', `${SHOP}/a/web/e/`, { slug: 'order-paid', name: 'Order paid', retention_days: 30 });
  const config = { url: http.url('/in'), secret: signingSecret('a-secret-of-the-hook') };
  await ask('post', `${SHOP}/c/`, { slug: 'hook', name: 'Hook', type: 'webhook', config });
  await ask('post', '/api/o/acme/u/', { email: 'ann@acme.test', first_name: 'Ann' });
  const { id } = await ask('post', `${SHOP}/d/`, { name: 'Staff' });
  await ask('post', `${SHOP}/d/${id as number}/add/`, ['ann@acme.test', 'bob@acme.test'], 200);
  const notification = await ask('post', `${PAID}/n/`, TELL);
  return { list: id as number, notification: notification.id as number };
}

beforeEach(async () => {
  await app.empty();
  operator = await app.key({ name: 'operator' });
  http.requests.length = 0;
});

describe('an organization built over HTTP alone', () => {
  it('is triggered, delivered and exported, and the export gives an equal one elsewhere', async () => {
    await build();
    const worker = await startWorker(app);
    try {
      await ask('post', `${PAID}/trigger/`, { context: { order: 'A-17' } });
      await until(10_000, async () => http.requests.length === 2);
      for (const { body } of http.requests) expect(body).toContain('Order A-17');
    } finally {
      await worker.stop();
    }
    const second = await TestApp.start();
    try {
      const env = { DATABASE_URL: app.databaseUrl, ACME_SHOP_HOOK_SECRET: signingSecret('a-secret-of-the-hook') };
      const elsewhere = { ...env, DATABASE_URL: second.databaseUrl };
      const exported = await cli(['export', 'config', '--org', 'acme'], env);
      expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining('Order {{ order }}') });
      expect(await cli(['apply', 'FILE'], elsewhere, exported.stdout)).toMatchObject({ code: 0, stderr: '' });
      expect(await cli(['export', 'config', '--org', 'acme'], elsewhere)).toEqual(exported);
      expect((await cli(['apply', 'FILE', '--dry-run'], env, exported.stdout)).stdout).toBe('nothing to change\n');
    } finally {
      await second.stop();
    }
  });

  it('is listed, for an operator all of them, for others their own', async () => {
    await build();
    await ask('post', '/api/o/', { slug: 'globex', name: 'Globex' });
    const slugs = async (key: string) =>
      (await app.as(key).get('/api/o/').expect(200)).body.map(({ slug }: { slug: string }) => slug);
    expect(await slugs(operator)).toEqual(['acme', 'globex']);
    expect(await slugs(await app.key({ org: 'acme' }))).toEqual(['acme']);
    expect(await slugs(await app.key({ org: 'acme', project: 'shop' }))).toEqual(['acme']);
  });
});

// A read that fails after the commit would answer 503 for something that was created.
it('answers a creation without a statement after its commit', async () => {
  await build();
  const creations: [path: string, body: object][] = [
    ['/api/o/acme/c/', { slug: 'more', name: 'More', type: 'log' }],
    [`${PAID}/n/`, { ...TELL, name: 'Tell more' }],
    ['/api/o/acme/k/', { name: 'ci', permissions: ['system:ping'] }],
  ];
  for (const [path, body] of creations) {
    const sent = await sentDuring(() => ask('post', path, body));
    expect([path, sent.at(-1)?.text]).toEqual([path, 'COMMIT']);
  }
});

describe('updating', () => {
  it('changes what is named and leaves the rest', async () => {
    await build();
    expect(await ask('patch', '/api/o/acme/', { name: 'Acme Ltd' })).toMatchObject({ name: 'Acme Ltd', slug: 'acme' });
    expect(await ask('patch', `${SHOP}/`, { enabled: false })).toEqual({ name: 'Shop', slug: 'shop', enabled: false });
    expect(await ask('get', `${SHOP}/settings/`)).toEqual({ name: 'Shop', slug: 'shop', enabled: false });
    expect(await ask('patch', `${SHOP}/a/web/`, { name: 'Site' })).toEqual({
      name: 'Site',
      slug: 'web',
      enabled: true,
    });
    expect(await ask('patch', `${PAID}/`, { max_recipients: 10, retention_days: null })).toEqual({
      ...{ name: 'Order paid', slug: 'order-paid', enabled: true },
      ...{ retention_days: null, max_recipients: 10, category: null, resolves_event: null },
    });
    expect(await ask('get', `${PAID}/`)).toMatchObject({ max_recipients: 10 });
  });

  it.each([
    ['post', '/api/o/', { slug: 'acme', name: 'X' }, 'slug', 'is already used by another organization'],
    ['post', '/api/o/', { slug: 'No', name: 'X' }, 'slug', 'must consist of lower-case letters'],
    ['post', '/api/o/', { slug: 'x', name: ' ' }, 'name', 'must not be blank'],
    ['post', '/api/o/', {}, 'name', ''],
    ['post', '/api/o/acme/p/', { slug: 'x' }, 'name', ''],
    ['post', `${SHOP}/a/`, { slug: 'x' }, 'name', ''],
    ['post', `${SHOP}/a/web/e/`, { slug: 'x' }, 'name', ''],
    ['post', `${SHOP}/c/`, { slug: 'x', type: 'log' }, 'name', ''],
    ['post', `${PAID}/n/`, { name: 'x' }, 'templates', ''],
    ['post', `${PAID}/n/`, { templates: TELL.templates }, 'name', ''],
    ['post', '/api/o/acme/p/', { slug: 'shop', name: 'X' }, 'slug', 'is already used by another project'],
    ['post', `${SHOP}/a/`, { slug: 'web', name: 'X' }, 'slug', 'is already used by another application'],
    ['post', `${SHOP}/a/web/e/`, { slug: 'order-paid', name: 'X' }, 'slug', 'is already used by another event'],
    ['patch', `${PAID}/`, { slug: 'other' }, 'slug', 'is not a known field'],
    ['patch', `${PAID}/`, { max_recipients: 0 }, 'max_recipients', 'must not be less than 1'],
    ['patch', `${PAID}/`, { enabled: null }, 'enabled', 'must be a boolean value'],
    ['post', `${SHOP}/c/`, { slug: 'hook', name: 'X', type: 'log' }, 'slug', 'is already used by another channel'],
    ['post', `${SHOP}/c/`, { slug: 'x', name: 'X', type: 'pigeon' }, 'type', 'is not a channel type. Known: email'],
    ['post', `${SHOP}/c/`, { slug: 'x', name: 'X', type: 'webhook' }, 'config.url', 'is required'],
    ['patch', `${SHOP}/c/hook/`, { config: { url: 'ftp://x', x: 1 } }, 'config.x', 'is not a setting'],
    ['patch', `${SHOP}/c/hook/`, { fallback: 'hook' }, 'fallback', '"hook" is not another channel of the project'],
    ['post', `${PAID}/n/`, TELL, 'name', 'is already used by another notification'],
    ['post', `${PAID}/n/`, { ...TELL, name: 'B', when: 'a ==' }, 'when', ''],
    ['post', `${PAID}/n/`, { ...TELL, name: 'B', templates: [] }, 'templates', 'must hold at least one template'],
    [
      'post',
      `${PAID}/n/`,
      { ...TELL, name: 'B', templates: [{ channel: 'no', text: 'x' }] },
      'templates.no',
      'no channel',
    ],
    [
      'post',
      `${PAID}/n/`,
      { ...TELL, name: 'B', templates: [{ channel: 'hook', txt: 'x' }] },
      'templates.hook.txt',
      'is not a known',
    ],
    [
      'post',
      `${PAID}/n/`,
      { ...TELL, name: 'B', templates: [{ channel: 'hook', text: '{% if %}' }] },
      'templates.hook.text',
      '',
    ],
    [
      'post',
      `${PAID}/n/`,
      { ...TELL, name: 'B', distribution_lists: ['No'] },
      'distribution_lists',
      'there is no list No',
    ],
    ['post', `${PAID}/n/`, { ...TELL, name: 'B', distribution_lists: [] }, 'distribution_lists', 'must name a list'],
    ['post', `${PAID}/n/`, { ...TELL, name: 'B', audience: { field: 'age', is: 1 } }, 'audience.field', ''],
    [
      'post',
      `${PAID}/n/`,
      { name: 'B', templates: [{ channel: 'hook', text: 'x', html: 'Hi {{ user.email }}' }] },
      'templates.hook.html',
      'set per to person',
    ],
    [
      'post',
      `${PAID}/n/`,
      { name: 'B', templates: [{ channel: 'hook', text: 'x', per: 'all' }] },
      'templates.hook.per',
      'must be one of room, person',
    ],
  ] as const)('%s %s refuses %j: %s', async (method, path, body, field, sentence) => {
    await build();
    const errors = await errorsOf(method, path, body);
    expect(errors).toEqual(
      expect.objectContaining({ [field]: expect.arrayContaining([expect.stringContaining(sentence)]) }),
    );
  });
});

describe('a channel', () => {
  it('masks its secrets, keeps them when the mask comes back, and drops or changes them otherwise', async () => {
    await build();
    const stored = async () =>
      (await app.pool.query(`select config from channels where slug = 'hook'`)).rows[0].config as Body;
    const before = await stored();
    expect(await ask('get', `${SHOP}/c/hook/`)).toEqual({
      ...{ name: 'Hook', slug: 'hook', type: 'webhook', enabled: true, fallback: null },
      config: { url: http.url('/in'), secret: '********' },
    });
    const moved = { url: http.url('/moved'), secret: '********' };
    expect(await ask('patch', `${SHOP}/c/hook/`, { config: moved })).toMatchObject({ config: moved });
    expect(await stored()).toEqual({ ...before, url: http.url('/moved') });
    const elsewhere = { ...moved, url: 'https://elsewhere.test/in' };
    expect(await errorsOf('patch', `${SHOP}/c/hook/`, { config: elsewhere })).toEqual({
      'config.secret': ['must be sent again: with the new url, the secret goes to another place'],
    });
    // A secret that an earlier release accepted stays, but nobody can set one like it.
    const box = app.app.get(SecretBox);
    const { id } = (await app.pool.query(`select id from organizations where slug = 'acme'`)).rows[0] as { id: number };
    const { prj } = (await app.pool.query(`select id prj from projects where slug = 'shop'`)).rows[0] as {
      prj: number;
    };
    const sealed = box.seal('short', ['channel', id, prj, 'hook', 'secret'].join(':'));
    await app.pool.query(
      `update channels set config = jsonb_set(config, '{secret,sealed}', to_jsonb($1::text)) where slug = 'hook'`,
      [sealed],
    );
    await ask('patch', `${SHOP}/c/hook/`, { config: moved });
    expect(await errorsOf('patch', `${SHOP}/c/hook/`, { config: { ...moved, secret: 'shorter' } })).toEqual({
      'config.secret': [expect.stringMatching(/^must be whsec_ and then base64/)],
    });
    await ask('patch', `${SHOP}/c/hook/`, { config: { ...moved, secret: signingSecret('another-secret-of-it') } });
    expect((await stored()).secret).not.toEqual(before.secret);
    expect(await ask('patch', `${SHOP}/c/hook/`, { config: { url: moved.url } })).toMatchObject({
      config: { url: moved.url },
    });
    expect(await errorsOf('patch', `${SHOP}/c/hook/`, { config: moved })).toEqual({
      'config.secret': ['is masked, but no secret is stored: send the secret'],
    });
  });

  it('is tested: one message, and what the provider said of it', async () => {
    await build();
    expect(await ask('post', `${SHOP}/c/hook/test/`, {}, 200)).toEqual({
      ...{ outcome: 'sent', answer: expect.stringContaining('200'), duration_ms: expect.any(Number) },
    });
    expect(http.requests).toHaveLength(1);
    http.reply = () => ({ status: 404, body: 'nobody here' });
    expect(await ask('post', `${SHOP}/c/hook/test/`, {}, 200)).toMatchObject({
      ...{ outcome: 'rejected', answer: expect.stringContaining('nobody here') },
    });
    http.reply = () => ({ status: 200, body: 'ok' });
    const config = { host: '127.0.0.1', port: smtp.port, security: 'none', from: 'a@acme.test' };
    await ask('post', '/api/o/acme/c/', { slug: 'mail', name: 'Mail', type: 'email', config });
    expect(await errorsOf('post', '/api/o/acme/c/mail/test/', {})).toEqual({
      to: ['is required: an address of the kind email'],
    });
    await ask('post', '/api/o/acme/c/mail/test/', { to: 'ann@acme.test', text: 'Is it you?' }, 200);
    const login = { ...config, username: 'ann', password: 'not-yours' };
    await ask('patch', '/api/o/acme/c/mail/', { config: login });
    const elsewhere = { ...login, host: 'mail.evil.test', password: '********' };
    expect(await errorsOf('patch', '/api/o/acme/c/mail/', { config: elsewhere })).toEqual({
      'config.password': ['must be sent again: with the new host, the secret goes to another place'],
    });
    await ask('patch', '/api/o/acme/c/mail/', { config: { ...login, from: 'b@acme.test', password: '********' } });
    expect(smtp.mails.at(-1)?.raw.toString()).toContain('Is it you?');
  });

  it('falls back to another, and the types of channels tell what they want', async () => {
    await build();
    await ask('post', '/api/o/acme/c/', { slug: 'box', name: 'Box', type: 'inbox' });
    expect(await ask('patch', `${SHOP}/c/hook/`, { fallback: 'box' })).toMatchObject({ fallback: 'box' });
    expect(await ask('patch', `${SHOP}/c/hook/`, { fallback: null })).toMatchObject({ fallback: null });
    const types = (await ask('get', '/api/dispatchers/')) as unknown as {
      type: string;
      room: boolean;
      fields: Body[];
    }[];
    const ofUsers = ['email', 'inbox', 'sms', 'telegram', 'webpush'];
    const inCode = ['email', 'http', 'inbox', 'log', 'webhook', 'webpush'];
    const named = [...inCode, 'discord', 'slack', 'sms', 'teams', 'telegram'].sort();
    expect(types.filter(({ type }) => named.includes(type)).map(({ type, room }) => [type, room])).toEqual(
      named.map((type) => [type, !ofUsers.includes(type)]),
    );
    expect(types).toHaveLength(inCode.length + builtInTypes().length);
    expect(types.find(({ type }) => type === 'webhook')!.fields).toContainEqual(
      expect.objectContaining({ key: 'secret', kind: 'string', secret: true }),
    );
  });
});

describe('many at once', () => {
  const settled = (calls: (() => PromiseLike<{ status: number }>)[]) =>
    Promise.all(calls.map(async (call) => (await call()).status)).then((statuses) => statuses.sort((a, b) => a - b));

  it('of one slug make one channel', async () => {
    await build();
    const body = (n: number) => ({ slug: 'new', name: `N${n}`, type: n % 2 ? 'inbox' : 'log' });
    const create = (n: number) => () => app.as(operator).post('/api/o/acme/c/').send(body(n));
    const statuses = await settled(Array.from({ length: 10 }, (_, n) => create(n)));
    expect(statuses).toEqual([201, ...Array(9).fill(400)]);
    const remove = () => app.as(operator).delete('/api/o/acme/c/new/');
    expect(await settled(Array(5).fill(remove))).toEqual([204, 404, 404, 404, 404]);
  });

  it('bring nothing back that was deleted, and lose nothing that was made', async () => {
    const { notification } = await build();
    for (let n = 0; n < 5; n++) {
      const { id } = await ask('post', `${PAID}/n/`, { ...TELL, name: `N${n}` });
      const one = `${PAID}/n/${id as number}/`;
      await ask('post', `${SHOP}/c/`, { slug: `c${n}`, name: 'C', type: 'log' });
      const change = { name: `M${n}`, templates: [{ channel: `c${n}`, text: 'x' }] };
      const statuses = await settled([
        () => app.as(operator).delete(one),
        () => app.as(operator).patch(one).send(change),
        () => app.as(operator).delete(`${SHOP}/c/c${n}/`),
        () => app.as(operator).patch(`${SHOP}/c/c${n}/`).send({ enabled: false }),
        () =>
          app
            .as(operator)
            .patch(`${SHOP}/c/hook/`)
            .send({ fallback: `c${n}` }),
      ]);
      expect(statuses.filter((status) => ![200, 204, 400, 404, 409].includes(status))).toEqual([]);
      await ask('get', one, undefined, 404);
      await ask('patch', `${SHOP}/c/hook/`, { fallback: null });
    }
    await ask('delete', `${PAID}/n/${notification}/`);
    await ask('delete', `${PAID}/`);
    for (let n = 0; n < 5; n++) {
      await ask('post', `${SHOP}/a/`, { slug: `a${n}`, name: 'A' });
      const [gone, made] = await Promise.all([
        app.as(operator).delete(`${SHOP}/a/a${n}/`),
        app.as(operator).post(`${SHOP}/a/a${n}/e/`).send({ slug: 'e', name: 'E' }),
      ]);
      expect([
        [204, 404],
        [409, 201],
      ]).toContainEqual([gone.status, made.status]);
    }
  });

  it('find what was made anew under an old name', async () => {
    await build();
    await ask('post', '/api/o/acme/p/', { slug: 'st', name: 'Old' });
    await ask('get', '/api/o/acme/p/st/settings/');
    await ask('delete', '/api/o/acme/p/st/');
    await ask('post', '/api/o/acme/p/', { slug: 'st', name: 'New' });
    expect(await ask('get', '/api/o/acme/p/st/settings/')).toMatchObject({ name: 'New' });
    await ask('post', '/api/o/acme/p/st/c/', { slug: 'c', name: 'C', type: 'log' });
  });
});

describe('the status webhook of an application', () => {
  it('is set as a whole, read without its secret, and removed', async () => {
    await build();
    const path = `${SHOP}/a/web/status-webhook/`;
    await ask('get', path, undefined, 404);
    const refused = await app
      .as(operator)
      .put(path)
      .send({ url: 'ftp://x', secret: '********', outcomes: ['dead'] });
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      { secret: ['is masked, but no secret is stored: send the secret'] },
    ]);
    const put = async (body: object) => (await app.as(operator).put(path).send(body).expect(200)).body as Body;
    const shown = { url: http.url('/status'), secret: '********', outcomes: ['sent', 'dead'], enabled: true };
    const body = { url: http.url('/status'), secret: signingSecret('of-the-webhook'), outcomes: ['dead', 'sent'] };
    expect(await put(body)).toEqual(shown);
    expect(await put({ ...shown, enabled: false })).toEqual({ ...shown, enabled: false });
    const elsewhere = await app
      .as(operator)
      .put(path)
      .send({ ...shown, url: 'https://elsewhere.test/' });
    expect([elsewhere.status, elsewhere.body.errors]).toEqual([
      400,
      { secret: ['must be sent again: with the new url, the secret goes to another place'] },
    ]);
    expect(await ask('get', path)).toEqual({ ...shown, enabled: false });
    await ask('delete', path);
    await ask('delete', path, undefined, 404);
  });
});

describe('a notification', () => {
  it('is listed, changed in part, switched off and deleted', async () => {
    const { notification } = await build();
    const one = `${PAID}/n/${notification}/`;
    const whole = {
      ...{
        id: notification,
        name: 'Tell staff',
        enabled: true,
        when: null,
        audience: null,
        ...{ to: null, window: null, digest: null, limit: null, steps: null, acknowledge: null, thread: null },
        distribution_lists: ['Staff'],
      },
      templates: [
        {
          ...{
            channel: 'hook',
            subject: null,
            text: 'Order {{ order }}',
            html: null,
            markdown: null,
            mjml: null,
            per: 'person',
          },
          ...{ from: null, reply_to: null, headers: null, translations: null, layout: null },
          ...{ url: null, image: null, actions: null, data: null, template: null },
        },
      ],
      translation_gaps: [],
    };
    expect(await ask('get', one)).toEqual(whole);
    expect(await ask('patch', one, { when: 'total > `1`', enabled: false, name: 'Tell' })).toEqual({
      ...whole,
      ...{ when: 'total > `1`', enabled: false, name: 'Tell' },
    });
    const audience = { field: 'email', is: 'ann@acme.test' };
    expect(await ask('patch', one, { audience, distribution_lists: [] })).toMatchObject({
      audience,
      distribution_lists: [],
    });
    expect(await ask('get', `${PAID}/n/`)).toHaveLength(1);
    await ask('delete', one);
    expect(await ask('get', `${PAID}/n/`)).toEqual([]);
    const { rows } = await app.pool.query(`select versions from events e join rulesets r on r.id = e.ruleset_id`);
    expect(rows).toEqual([{ versions: [] }]);
  });
});

describe('the translations of a notification', () => {
  it('are listed when they are missing or outdated, until they are changed or said to fit', async () => {
    const { notification } = await build();
    const one = `${PAID}/n/${notification}/`;
    const german = { subject: 'Bezahlt', text: 'Danke' };
    const put = async (text: string, translations: object) => {
      const templates = [{ channel: 'hook', subject: 'Paid', text, translations }];
      return ((await ask('patch', one, { templates })) as { translation_gaps: object[] }).translation_gaps;
    };
    const missing = { channel: 'hook', language: 'it', part: 'text', state: 'missing', of: null };
    expect(await put('Thanks', { de: german, it: { subject: 'Pagato' } })).toEqual([missing]);
    const [outdated] = await put('Thank you', { de: german });
    const of = expect.stringMatching(/^[0-9a-f]{12}$/) as unknown;
    expect(outdated).toEqual({ channel: 'hook', language: 'de', part: 'text', state: 'outdated', of });
    expect(await ask('get', `${PAID}/n/`)).toMatchObject([{ translation_gaps: [outdated] }]);
    const fits = { ...german, of: (outdated as { of: string }).of };
    expect(await put('Thank you', { de: fits })).toEqual([]);
    expect(await put('Thank you', { de: german })).toEqual([]);
  });
});

describe('a notification to a room', () => {
  const ROOM = { channel: 'hook', text: 'Order {{ order }}' };

  it('needs no list, and needs one as soon as it is for people', async () => {
    const { notification } = await build();
    const one = `${PAID}/n/${notification}/`;
    const posts = await ask('post', `${PAID}/n/`, { name: 'Post', templates: [ROOM] });
    expect(posts).toMatchObject({ distribution_lists: [], templates: [{ channel: 'hook', per: 'room' }] });
    const rules = await app.pool.query<{ rule: { templates: object[] } }>('select rule from rule_versions order by id');
    expect(rules.rows.map(({ rule }) => rule.templates)).toMatchObject([[{}], [{ per: 'room' }]]);
    expect(rules.rows[0]!.rule.templates[0]).not.toHaveProperty('per');
    expect(await ask('patch', one, { templates: [ROOM], distribution_lists: [] })).toMatchObject({
      distribution_lists: [],
      templates: [{ per: 'room' }],
    });
    const needsList = { distribution_lists: [expect.stringContaining('must name a list')] };
    expect(await errorsOf('patch', one, { templates: [{ ...ROOM, per: 'person' }] })).toEqual(needsList);
    await ask('post', `${SHOP}/c/`, { slug: 'box', name: 'Box', type: 'inbox' });
    expect(await errorsOf('patch', one, { templates: [ROOM, { channel: 'box', text: 'Hi' }] })).toEqual(needsList);
    const inRoom = { channel: 'box', text: 'Hi', per: 'room' };
    expect(await errorsOf('patch', one, { templates: [inRoom] })).toMatchObject({
      'templates.box.per': [expect.stringContaining('cannot be room')],
    });
  });
});

describe('lists, members, users and addresses', () => {
  it('are renamed, switched and removed', async () => {
    const { list } = await build();
    expect(await ask('patch', `${SHOP}/d/${list}/`, { name: ' Crew ' })).toMatchObject({ id: list, name: 'Crew' });
    const members = (await ask('get', `${SHOP}/d/${list}/m/`)) as unknown as { id: number }[];
    const first = `${SHOP}/d/${list}/m/${members[0]!.id}/`;
    expect(await ask('patch', first, { active: false, channel: 'hook' })).toMatchObject({
      active: false,
      channel: 'hook',
    });
    expect(await ask('patch', first, { channel: null })).toMatchObject({ active: false, channel: 'email' });
    expect(await errorsOf('patch', first, { channel: 'none' })).toEqual({
      channel: ['is not a channel of the project or the organization'],
    });
    await ask('delete', first);
    await ask('delete', first, undefined, 404);
    expect(await ask('get', `${SHOP}/d/${list}/m/`)).toHaveLength(1);
    const ann = '/api/o/acme/u/ann@acme.test';
    await ask('post', `${ann}/address/`, { name: 'phone', value: '+1 555 123 4567' }, 200);
    const phone = `${ann}/address/phone/${encodeURIComponent('+15551234567')}/`;
    expect(await errorsOf('patch', phone, { value: 'x' })).toHaveProperty('value');
    expect(await ask('patch', phone, { value: '+15557654321' })).toEqual({ name: 'phone', value: '+15557654321' });
    await ask('delete', phone, undefined, 404);
    await ask('delete', `${ann}/address/phone/+15557654321/`);
    expect(await ask('get', `${ann}/address/`)).toEqual([{ name: 'email', value: 'ann@acme.test' }]);
    await ask('delete', `${ann}/`);
    await ask('get', `${ann}/`, undefined, 404);
  });
});

describe('deleting what is in use', () => {
  it('answers 409, names who uses it, and loses nothing', async () => {
    const { list, notification } = await build();
    const conflict = async (path: string) => (await ask('delete', path, undefined, 409)).detail;
    expect(await conflict('/api/o/acme/')).toBe('The organization cannot be deleted: the project shop uses it.');
    expect(await conflict(`${SHOP}/`)).toBe('The project cannot be deleted: the application web uses it.');
    expect(await conflict(`${SHOP}/a/web/`)).toBe('The application cannot be deleted: the event order-paid uses it.');
    expect(await conflict(`${SHOP}/c/hook/`)).toBe(
      'The channel cannot be deleted: the notification Tell staff uses it.',
    );
    expect(await conflict(`${SHOP}/d/${list}/`)).toBe(
      'The distribution list cannot be deleted: the notification Tell staff uses it.',
    );
    expect(await conflict('/api/o/acme/u/ann@acme.test/address/email/ann@acme.test/')).toBe(
      'The address cannot be deleted: the distribution list Staff uses it.',
    );
    const { occurrence } = await ask('post', `${PAID}/trigger/`, {});
    expect(await conflict(`${PAID}/`)).toContain(`its occurrence ${occurrence as string} is not done`);
    await ask('post', `/api/o/acme/occurrences/${occurrence as string}/cancel/`, {}, 200);
    for (const path of [`${PAID}/n/${notification}/`, `${PAID}/`, `${SHOP}/a/web/`, `${SHOP}/c/hook/`])
      await ask('delete', path);
    for (const path of [`${SHOP}/d/${list}/`, `${SHOP}/`, '/api/o/acme/']) await ask('delete', path);
    await ask('get', '/api/o/acme/', undefined, 404);
  });

  it('takes lists, channels and people along with what holds them', async () => {
    const { list } = await build();
    await ask('post', '/api/o/acme/c/', { slug: 'box', name: 'Box', type: 'inbox' });
    await ask('patch', `${SHOP}/c/hook/`, { fallback: 'box' });
    const [member] = (await ask('get', `${SHOP}/d/${list}/m/`)) as unknown as { id: number }[];
    await ask('patch', `${SHOP}/d/${list}/m/${member!.id}/`, { channel: 'hook' });
    await ask('delete', `${PAID}/`);
    await ask('delete', `${SHOP}/a/web/`);
    await ask('delete', `${SHOP}/`);
    await ask('delete', '/api/o/acme/');
  });
});

describe('a key that is bound to less', () => {
  it.each([
    ['post', '/api/o/acme/p/', { slug: 'x', name: 'X' }, 'shop'],
    ['post', '/api/o/acme/c/', { slug: 'x', name: 'X', type: 'log' }, 'shop'],
    ['post', `${SHOP}/c/`, { slug: 'x', name: 'X', type: 'log' }, 'web'],
    ['post', `${SHOP}/a/`, { slug: 'x', name: 'X' }, 'web'],
    ['patch', `${SHOP}/`, { enabled: false }, 'web'],
    ['post', '/api/o/acme/u/', { email: 'mallory@acme.test' }, 'shop'],
    ['post', '/api/o/acme/u/', { email: 'mallory@acme.test' }, 'web of shop'],
    ['patch', '/api/o/acme/u/ann@acme.test/', { locked: true }, 'shop'],
    ['put', '/api/o/acme/u/ann@acme.test/', { locked: true }, 'shop'],
    ['delete', '/api/o/acme/u/ann@acme.test/', {}, 'shop'],
    ['post', '/api/o/acme/u/ann@acme.test/address/', { name: 'phone', value: '+15550000000' }, 'shop'],
    ['post', '/api/o/acme/u/ann@acme.test/address/', { name: 'phone', value: '+15550000000' }, 'web of shop'],
    ['patch', '/api/o/acme/u/ann@acme.test/address/email/ann@acme.test/', { value: 'evil@acme.test' }, 'shop'],
    ['delete', '/api/o/acme/u/ann@acme.test/address/email/ann@acme.test/', {}, 'shop'],
    ['delete', `${SHOP}/d/LIST/`, {}, 'web'],
    ['delete', `${SHOP}/`, {}, 'shop'],
    ['delete', `${SHOP}/a/web/`, {}, 'web'],
    ['post', '/api/o/', { slug: 'x', name: 'X' }, 'acme'],
    ['patch', '/api/o/acme/', { name: 'X' }, 'acme'],
    ['delete', '/api/o/acme/', {}, 'acme'],
  ] as const)('%s %s is refused', async (method, path, body, bound) => {
    const { list } = await build();
    const web = { project: 'shop', application: 'web' };
    const branch = { acme: {}, shop: { project: 'shop' }, web, 'web of shop': web }[bound];
    const key = await app.key({ org: 'acme', ...branch });
    const { detail } = await ask(method, path.replace('LIST', String(list)), body, 403, key);
    const ofShop =
      'The API key is bound to a project, and this concerns the whole organization. Use a key for the whole organization.';
    expect(detail).toBe(
      {
        acme: 'The API key is bound to an organization. Use an operator key.',
        shop: ofShop,
        'web of shop': ofShop,
        web: 'The API key is bound to an application, and this concerns the whole project. Use a key for the whole project.',
      }[bound],
    );
  });

  it('writes what lies in its branch', async () => {
    const { list } = await build();
    const key = await app.key({ org: 'acme', project: 'shop', application: 'web' });
    await ask('post', `${SHOP}/a/web/e/`, { slug: 'sent', name: 'Sent' }, 201, key);
    await ask('patch', `${SHOP}/a/web/`, { name: 'Site' }, 200, key);
    const added = await ask('post', `${SHOP}/d/${list}/add/`, ['new@acme.test'], 200, key);
    expect(added).toEqual({ added: 1, existing: 0, created_users: 1 });
  });
});
