import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PERMISSIONS } from '../../src/auth/permission.js';
import { TestApp } from '../support/app/app.js';
import { signingSecret } from '../support/world/signing-secret.js';

const PATH = '/api/o/acme/configuration/';
const PLAN = `${PATH}plan/`;

const FILE = `
organizations:
  - slug: acme
    name: Acme Inc
    channels: [{ slug: mail, name: Mail, type: log }]
    users: [{ email: ann@acme.test, first_name: Ann }]
    projects:
      - slug: shop
        name: Shop
        distribution_lists: [{ name: Staff, members: [ann@acme.test] }]
        applications:
          - slug: web
            name: Web
            events:
              - slug: paid
                name: Paid
                notifications: [{ name: Tell, distribution_list: Staff, templates: [{ channel: mail, text: hi }] }]
      - { slug: blog, name: Blog }
  - { slug: globex, name: Globex }
`;

let app: TestApp;
let key: string;

beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());
beforeEach(async () => {
  await app.empty();
  await app.apply(FILE);
  key = await app.key({ org: 'acme' });
});

const send = (method: 'put' | 'post', path: string, body: object, as = key) => app.as(as)[method](path).send(body);
const put = (body: object, as = key, query = '') => send('put', PATH + query, body, as);
const plan = (body: object, as = key, query = '') => send('post', PLAN + query, body, as);

const channel = (slug: string) => ({ slug, name: slug, type: 'log' });
const shop = (fields: object) => ({ projects: [{ slug: 'shop', name: 'Shop', ...fields }] });
const exists = async (table: string, slug: string) =>
  (await app.pool.query(`select from ${table} where slug = $1`, [slug])).rowCount === 1;

describe('a configuration over HTTP', () => {
  it('is planned without a change, then applied, and changes nothing the second time', async () => {
    const body = shop({ channels: [channel('sms')] });
    const changes = [{ verb: 'create', noun: 'channel', name: 'acme/shop/sms' }];
    const planned = await plan(body);
    expect([planned.status, planned.body]).toEqual([200, { changes, warnings: [], version: expect.any(String) }]);
    expect(await exists('channels', 'sms')).toBe(false);
    const applied = await put(body);
    expect([applied.status, applied.body]).toEqual([200, planned.body]);
    expect(await exists('channels', 'sms')).toBe(true);
    expect((await put(body)).body).toMatchObject({ changes: [] });
  });

  it('writes the key into the audit log', async () => {
    await put(shop({ channels: [channel('sms')] }), await app.key({ org: 'acme', name: 'deploy' }));
    const { body } = await app.as(key).get('/api/o/acme/audit/');
    expect(body).toContainEqual(expect.objectContaining({ actor: 'deploy', verb: 'create', noun: 'channel' }));
  });

  it('is exported as it can be applied again, without secrets', async () => {
    const hook = { slug: 'hook', name: 'Hook', type: 'webhook' };
    await put({ channels: [{ ...hook, config: { url: 'https://h.test/', secret: signingSecret('marker') } }] });
    const { status, body } = await app.as(key).get(`${PATH}?users=1`);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(signingSecret('marker'));
    const { channels, users, projects } = body as { channels: { config: object }[]; users: object; projects: object[] };
    expect(channels[1]!.config).toEqual({ url: 'https://h.test/', secret: { env: 'ACME_HOOK_SECRET' } });
    expect(users).toEqual([{ email: 'ann@acme.test', first_name: 'Ann' }]);
    expect(projects).toMatchObject([
      { slug: 'shop', distribution_lists: [{ name: 'Staff', members: ['ann@acme.test'] }] },
      { slug: 'blog' },
    ]);
    expect((await plan({ users, projects }, key, '?prune=1')).body).toMatchObject({ changes: [] });
    expect((await app.as(key).get(PATH)).body).not.toHaveProperty('users');
  });

  it('is not exported with more users than a body may have', async () => {
    await app.pool.query(
      `insert into users (organization_id, email, email_key, custom_fields)
       select o.id, 'u' || i || '@acme.test', 'u' || i || '@acme.test', jsonb_build_object('bio', repeat('x', 250000))
       from organizations o, generate_series(1, 20) i where o.slug = 'acme'`,
    );
    const { status, body } = await app.as(key).get(`${PATH}?users=1`);
    expect([status, (body as { detail: string }).detail]).toEqual([409, expect.stringContaining('more than 4 MB')]);
    await app.as(key).get(PATH).expect(200);
  });

  it('names all mistakes at once, by their paths, and changes nothing', async () => {
    const templates = [
      { channel: 'mail', subject: '{% if %}', text: 'x' },
      { channel: 'pigeon', text: 'x' },
    ];
    const events = [{ slug: 'e', name: 'E', notifications: [{ name: 'N', distribution_list: 'Staff', templates }] }];
    const channels = [channel('good'), { slug: 'bad', name: 'Bad', type: 'email', config: { host: 'h', port: 'x' } }];
    const body = { colour: 'red', ...shop({ channels, applications: [{ slug: 'web', name: 'Web', events }] }) };
    const { status, body: problem } = await put(body);
    expect(status).toBe(400);
    expect(Object.keys((problem as { errors: object }).errors)).toEqual([
      'colour',
      'projects[0].channels[1].config.port',
      'projects[0].channels[1].config.from',
      'projects[0].applications[0].events[0].notifications[0].templates[0].subject',
    ]);
    expect(await exists('channels', 'good')).toBe(false);
  });

  it('refuses references, which only the client can resolve', async () => {
    const config = { url: 'https://h.test/', secret: { env: 'PATH' } };
    const templates = [{ channel: 'mail', text: { file: '/etc/passwd' } }];
    const events = [{ slug: 'e', name: 'E', notifications: [{ name: 'N', distribution_list: 'Staff', templates }] }];
    const webhook = { url: 'https://h.test/', secret: { file: '/etc/passwd' } };
    const body = {
      channels: [{ slug: 'hook', name: 'Hook', type: 'webhook', config }],
      ...shop({ applications: [{ slug: 'web', name: 'Web', status_webhook: webhook, events }] }),
    };
    const { status, body: problem } = await put(body);
    const { errors } = problem as { errors: Record<string, string[]> };
    expect([status, Object.keys(errors)]).toEqual([
      400,
      [
        'channels[0].config.secret',
        'projects[0].applications[0].status_webhook.secret',
        'projects[0].applications[0].events[0].notifications[0].templates[0].text',
      ],
    ]);
    for (const sentences of Object.values(errors))
      expect(sentences).toEqual([expect.stringMatching(/^must not be a ref/)]);
  });

  it('warns of fields in templates that do not exist, over this operation and in a header of the notification', async () => {
    const templates = [{ channel: 'mail', per: 'person', text: 'Hi {{ user.firstname }} {{ event.slug }}' }];
    const notifications = [{ name: 'N', distribution_lists: ['Staff'], templates }];
    const body = shop({
      applications: [{ slug: 'web', name: 'Web', events: [{ slug: 'paid', name: 'Paid', notifications }] }],
    });
    const { warnings } = (await plan(body)).body as { warnings: object[] };
    expect(warnings).toEqual([
      {
        field: 'projects[0].applications[0].events[0].notifications[0].templates[0].text',
        sentence: expect.stringMatching(
          /^user\.firstname does not exist, so it is always empty: did you mean first_name/,
        ),
      },
    ]);
    const path = '/api/o/acme/p/shop/a/web/e/paid/n/';
    const created = await app.as(key).post(path).send(notifications[0]);
    expect([created.status, created.headers['unknown-fields']]).toEqual([201, 'user.firstname']);
    const { id } = created.body as { id: number };
    const better = await app
      .as(key)
      .patch(`${path}${id}/`)
      .send({ templates: [{ channel: 'mail', text: 'Hi' }] });
    expect([better.status, better.headers['unknown-fields']]).toEqual([200, undefined]);
  });

  it('names an unknown field that every object has', async () => {
    const { status, body } = await put({ toString: 1, projects: [{ slug: 'shop', name: 'Shop', constructor: 1 }] });
    expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([
      400,
      ['toString', 'projects[0].constructor'],
    ]);
  });

  it('refuses another slug than that of the path', async () => {
    const { status, body } = await put({ slug: 'globex' });
    expect([status, body]).toMatchObject([400, { errors: { slug: [expect.stringContaining('must be acme')] } }]);
  });

  it('names only the first mistake of shape in a large body, as looking for all of them could take minutes', async () => {
    const { status, body } = await put({ users: Array.from({ length: 100_000 }, () => 1) });
    expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([400, ['users[0]']]);
  });

  it('names the first hundred of many references', async () => {
    const users = Array.from({ length: 2_000 }, (_, i) => ({ email: `u${i}@acme.test` }));
    const secrets = Array.from({ length: 20_000 }, (_, i) => [`secret${i}`, { env: 'SECRET' }] as const);
    const channels = [{ ...channel('hook'), config: Object.fromEntries(secrets) }];
    const { status, body } = await put({ users, channels });
    expect([status, Object.keys((body as { errors: object }).errors).length]).toEqual([400, 100]);
  });

  it('refuses a body of more than 4 MB', async () => {
    expect((await put({ name: 'x'.repeat(5_000_000) })).status).toBe(413);
  });
});

describe('prune', () => {
  it('deletes what the lists leave out only if asked', async () => {
    const body = { projects: [{ slug: 'blog', name: 'Blog' }] };
    expect((await put(body)).body).toMatchObject({ changes: [] });
    const { body: planned } = await plan(body, key, '?prune=1');
    expect(planned).toMatchObject({ changes: [{ verb: 'delete', noun: 'project', name: 'acme/shop' }] });
    const applied = await put(body, key, '?prune=1').set('If-Match', (planned as { version: string }).version);
    expect([applied.status, await exists('projects', 'shop')]).toEqual([200, false]);
    expect((await app.as(key).get('/api/o/acme/p/shop/')).status).toBe(404);
  });

  it('is refused if the deletions differ from the plan', async () => {
    const body = { projects: [{ slug: 'blog', name: 'Blog' }] };
    const { version } = (await plan(body, key, '?prune=1')).body as { version: string };
    await put({ projects: [{ slug: 'new', name: 'New' }] });
    expect((await put(body, key, '?prune=1').set('If-Match', version)).status).toBe(412);
    expect(await exists('projects', 'shop')).toBe(true);
  });

  it('names what cannot be deleted, with the words of its deletion', async () => {
    const { body } = await put({ channels: [] }, key, '?prune=1');
    expect(body).toMatchObject({ status: 409, detail: expect.stringMatching(/^channel acme\/mail cannot be deleted/) });
  });
});

describe('a key', () => {
  const with_ = (...permissions: string[]) => app.key({ org: 'acme', permissions: permissions as typeof PERMISSIONS });

  it.each([
    ['channels', { channels: [channel('x')] }, 'channel:write', '/api/o/acme/c/', channel('x')],
    ['users', { users: [{ email: 'x@x.test' }] }, 'user:write', '/api/o/acme/u/', { email: 'x@x.test' }],
    [
      'projects',
      { projects: [{ slug: 'x', name: 'X' }] },
      'organization:write',
      '/api/o/acme/p/',
      { slug: 'x', name: 'X' },
    ],
    [
      'lists',
      shop({ distribution_lists: [{ name: 'x' }] }),
      'distributionlist:write',
      '/api/o/acme/p/shop/d/',
      { name: 'x' },
    ],
    [
      'events',
      shop({ applications: [{ slug: 'web', name: 'Web', events: [{ slug: 'x', name: 'X' }] }] }),
      'event:write',
      '/api/o/acme/p/shop/a/web/e/',
      { slug: 'x', name: 'X' },
    ],
  ])(
    'without the permission for %s is refused with the words of their operation',
    async (_, body, missing, path, one) => {
      const weak = await with_(...PERMISSIONS.filter((permission) => permission !== missing));
      const [file, single] = [await put(body, weak), await app.as(weak).post(path).send(one)];
      const words = ({ status, detail }: { status: number; detail: string }) => [status, detail];
      expect(words(file.body as never)).toEqual([403, `The API key lacks the permission ${missing}.`]);
      expect(words(file.body as never)).toEqual(words(single.body as never));
      expect((await plan(body, weak)).status).toBe(403);
    },
  );

  it('replaces and compares messages only with the permission of their operation', async () => {
    const messages = { en: { secret: 'x' } };
    const path = '/api/o/acme/p/shop/messages';
    expect((await app.as(key).put(path).send({ messages })).status).toBe(200);
    const weak = await with_(...PERMISSIONS.filter((permission) => permission !== 'event:write'));
    const single = await app.as(weak).put(path).send({ messages: {} });
    const refused = { status: 403, detail: (single.body as { detail: string }).detail };
    expect(refused.detail).toBe('The API key lacks the permission event:write.');
    for (const send of [put, plan])
      for (const given of [{}, messages, { en: { secret: 'guessed' } }])
        expect((await send(shop({ messages: given }), weak)).body).toMatchObject(refused);
    expect((await app.as(key).get(path)).body).toEqual({ messages });
    expect((await put(shop({ messages: {} }), await with_('configuration:write', 'event:write'))).status).toBe(200);
  });

  it('needs no permission for what the file only passes through', async () => {
    const weak = await with_('configuration:write', 'notification:write');
    const notifications = [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'mail', text: 'new' }] }];
    const events = [{ slug: 'paid', name: 'Paid', notifications }];
    const body = { name: 'Acme Inc', ...shop({ applications: [{ slug: 'web', name: 'Web', events }] }) };
    expect((await put(body, weak)).body).toMatchObject({ changes: [{ verb: 'update', noun: 'notification' }] });
    expect((await put({ ...body, name: 'Other' }, weak)).body).toMatchObject({
      detail: 'The API key lacks the permission organization:write.',
    });
  });

  it('of the organization cannot change its name or quotas, as over HTTP', async () => {
    const single = await app.as(key).patch('/api/o/acme/').send({ name: 'Other' });
    for (const body of [{ name: 'Other' }, { quotas: { stored_mb: 1 } }]) {
      const { status, body: problem } = await put(body);
      expect([status, problem]).toMatchObject([403, { detail: (single.body as { detail: string }).detail }]);
    }
    expect((await put({ name: 'Other' }, await app.key())).status).toBe(200);
  });

  it('of a project changes this project', async () => {
    const bound = await app.key({ org: 'acme', project: 'shop' });
    const { status } = await put({ slug: 'acme', name: 'Acme Inc', ...shop({ channels: [channel('x')] }) }, bound);
    expect([status, await exists('channels', 'x')]).toEqual([200, true]);
  });

  it('of a project is refused for others with the words of their operations', async () => {
    const bound = await app.key({ org: 'acme', project: 'shop' });
    const words = async (request: PromiseLike<{ body: unknown }>) => {
      const { status, detail } = (await request).body as { status: number; detail: string };
      return [status, detail];
    };
    const renamed = { slug: 'blog', name: 'Other' };
    const foreign = await words(put({ projects: [renamed] }, bound));
    expect(foreign).toEqual([404, 'There is no such project.']);
    expect(foreign).toEqual(await words(app.as(bound).patch('/api/o/acme/p/blog/').send({ name: 'Other' })));
    expect(await words(put({ projects: [{ slug: 'not-there', name: 'X' }] }, bound))).toEqual(foreign);
    const own = await words(put({ channels: [channel('x')] }, bound));
    expect(own).toEqual(await words(app.as(bound).post('/api/o/acme/c/').send(channel('x'))));
    const user = { email: 'x@x.test' };
    const ofUser = await words(put({ users: [user] }, bound));
    expect(ofUser).toEqual(await words(app.as(bound).post('/api/o/acme/u/').send(user)));
    const zone = { time_zone: 'UTC' };
    expect(await words(put(zone, bound))).toEqual(await words(app.as(bound).patch('/api/o/acme/settings/').send(zone)));
    const other = await words(send('put', '/api/o/globex/configuration/', {}, bound));
    expect(other).toEqual(await words(app.as(bound).get('/api/o/globex/')));
  });

  it('of a project prunes only inside it, and exports only it', async () => {
    const bound = await app.key({ org: 'acme', project: 'shop' });
    const { body } = await put(shop({ applications: [] }), bound, '?prune=1');
    expect(body).toMatchObject({ changes: [{ verb: 'delete', noun: 'application', name: 'acme/shop/web' }] });
    expect(await exists('projects', 'blog')).toBe(true);
    const { body: exported } = await app.as(bound).get(PATH);
    expect(exported).toMatchObject({ slug: 'acme', projects: [{ slug: 'shop' }] });
    expect(Object.keys(exported as object)).toEqual(['slug', 'name', 'projects']);
  });

  it('of an application is refused', async () => {
    const bound = await app.key({ org: 'acme', project: 'shop', application: 'web' });
    expect((await put(shop({}), bound)).status).toBe(403);
  });
});

it('applies one configuration of an organization at a time, in all processes', async () => {
  const client = await app.pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ id: number }>(`select id from organizations where slug = 'acme'`);
    await client.query('select pg_advisory_xact_lock($1::int, $2::int)', [7_261_005, rows[0]!.id]);
    expect((await put({ channels: [channel('x')] })).body).toMatchObject({ status: 409, detail: /being applied/ });
    const globex = await app.key({ org: 'globex' });
    expect((await send('put', '/api/o/globex/configuration/', { channels: [] }, globex)).status).toBe(200);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
