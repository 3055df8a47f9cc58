import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { Service } from '../support/app/service.js';
import { useApp } from '../support/app/use.js';
import { createFolder } from '../support/folder.js';

const FILE = `
organizations:
  - slug: acme
    name: Acme
    channels:
      - { slug: inbox, name: Inbox, type: inbox }
      - { slug: hook, name: Hook, type: webhook, config: { url: "http://127.0.0.1:9/" } }
    users: [{ email: ann@acme.test, first_name: Ann }, { email: bob@acme.test, locked: true }]
    projects:
      - slug: shop
        name: Shop
        channels: [{ slug: log, name: Log, type: log }]
        applications:
          - slug: web
            name: Web
            events:
              - slug: order-paid
                name: Order paid
                notifications:
                  - name: Tell the customer
                    to: recipients
                    templates: [{ channel: inbox, subject: "Order {{ order }}", text: "Hi {{ user.first_name }}" }]
              - { slug: empty, name: Empty }
      - { slug: depot, name: Depot, applications: [{ slug: gate, name: Gate, events: [{ slug: opened, name: Opened }] }] }
  - { slug: globex, name: Globex }
`;
const EVENT = 'acme/shop/web/order-paid';
const CONTEXT = ['--context', '{"order":"A-17"}'];

let app: TestApp;
let env: Record<string, string>;
const folder = createFolder();
useApp({ ROLE: 'all' }, async (started) => {
  app = started;
  await app.apply(FILE);
  env = { CARILLON_URL: app.url, CARILLON_KEY: await app.key({ org: 'acme' }) };
});
afterAll(() => folder.remove());

async function run(args: string[], more: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await cli(args, { ...env, ...more });
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

const json = async (...args: string[]) => JSON.parse(await run([...args, '--json'])) as Record<string, unknown>;

const refusal = async (args: string[], more: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await cli(args, { ...env, ...more });
  expect([code, stdout]).toEqual([1, '']);
  return stderr;
};

describe('trigger', () => {
  const to = ['--recipients', 'ann@acme.test'];

  it('prints the occurrence, which explain takes', async () => {
    const path = (await run(['trigger', EVENT, ...CONTEXT, ...to])).trim();
    expect(path).toMatch(/^acme\/[0-9a-f-]{36}$/);
    expect(await run(['explain', path])).toMatch(/^.*\n- Tell the customer: /);
  });

  it('waits until everything is delivered', async () => {
    const printed = await run(['trigger', EVENT, ...CONTEXT, ...to, '--wait']);
    expect(printed).toMatch(/^acme\/\S+\n1 sent, 0 skipped, 0 dead, 0 pending\n$/);
    const data = await json('trigger', EVENT, ...CONTEXT, ...to, '--wait');
    expect(data).toMatchObject({ replayed: false, unknown_users: [], status: 'expanded', done: true, warnings: [] });
    const messages = await app.as(env.CARILLON_KEY).get('/api/o/acme/u/ann@acme.test/inbox/');
    expect((messages.body as { subject: string }[])[0]).toMatchObject({ subject: 'Order A-17' });
  });

  it('takes the context from a file and from standard input, and recipients as JSON', async () => {
    const file = join(folder.path, 'context.json');
    writeFileSync(file, '{"order":"from a file"}');
    const recipients = ['--recipients', '[{"email":"eve@acme.test","first_name":"Eve"}]'];
    const path = (await run(['trigger', EVENT, '--context', `@${file}`, ...recipients, '--wait'])).split('\n')[0]!;
    const detail = await app.as(env.CARILLON_KEY).get(`/api/o/acme/occurrences/${path.split('/')[1]}/`);
    expect(detail.body).toMatchObject({ context: { order: 'from a file' }, counts: { sent: 1 } });
    const piped = await Service.try(['trigger', EVENT, '--context', '-', ...to], env, '{"order":"piped"}');
    expect(piped).toMatchObject({ code: 0, stderr: '' });
  });

  it('uploads files and attaches them', async () => {
    const files = ['report.pdf', 'notes'].map((name) => join(folder.path, name));
    for (const file of files) writeFileSync(file, `content of ${file}`);
    const attach = files.flatMap((file) => ['--attach', file]);
    const { occurrence } = await json('trigger', EVENT, ...CONTEXT, ...to, ...attach);
    const detail = await app.as(env.CARILLON_KEY).get(`/api/o/acme/occurrences/${String(occurrence)}/`);
    expect((detail.body as { attachments: object[] }).attachments).toMatchObject([
      { filename: 'report.pdf', content_type: 'application/pdf', size: `content of ${files[0]}`.length },
      { filename: 'notes', content_type: 'application/octet-stream' },
    ]);
    const calendars = ['REQUEST', 'CANCEL', null].map((method, i) => {
      const file = join(folder.path, `${i}.ics`);
      writeFileSync(file, `BEGIN:VCALENDAR\r\n${method ? `METHOD:${method}\r\n` : ''}END:VCALENDAR\r\n`);
      return ['--attach', file];
    });
    const invited = await json('trigger', EVENT, ...CONTEXT, ...to, ...calendars.flat());
    const shown = await app.as(env.CARILLON_KEY).get(`/api/o/acme/occurrences/${String(invited.occurrence)}/`);
    expect(
      (shown.body as { attachments: { content_type: string }[] }).attachments.map(({ content_type: type }) => type),
    ).toEqual([
      'text/calendar; method=REQUEST; charset=utf-8',
      'text/calendar; method=CANCEL; charset=utf-8',
      'text/calendar; charset=utf-8',
    ]);
    const missing = await refusal(['trigger', EVENT, ...to, '--attach', join(folder.path, 'missing')]);
    expect(missing).toContain('missing');
    const keyed = await refusal(['trigger', EVENT, ...to, ...attach, '--idempotency-key', 'one']);
    expect(keyed).toContain('--attach cannot be used with --idempotency-key');
  });

  it('happens once with an idempotency key', async () => {
    const args = ['trigger', EVENT, ...CONTEXT, ...to, '--idempotency-key', 'order-17'];
    const [first, second] = [await json(...args), await json(...args)];
    expect(second).toEqual({ ...first, replayed: true });
  });

  it('warns about names that are not users, and about nobody; both are refused on request', async () => {
    const args = [
      'trigger',
      EVENT,
      ...CONTEXT,
      '--recipients',
      'ann@acme.test,nobody@acme.test',
      '--limit-to',
      'x@y.test',
    ];
    const { code, stderr } = await cli([...args, '--wait'], env);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^warning: not users: .*\n.*\nwarning: The trigger reached nobody/s),
    ]);
    expect(await refusal([...args, '--strict-recipients'])).toContain('carillon: ');
    expect(await refusal(['trigger', EVENT, ...to, '--strict'])).toContain('order');
  });

  it('exits with 2 if something is not delivered in time', async () => {
    const args = ['trigger', EVENT, ...CONTEXT, ...to, '--send-at', '2090-01-01T00:00:00Z', '--wait', '--timeout', '0'];
    const { code, stdout } = await cli(args, env);
    expect([code, stdout]).toEqual([2, expect.stringContaining('\nnot finished in time: 0 sent')]);
  });

  it('works with a key of one project, and is refused elsewhere with the words of the service', async () => {
    const key = await app.key({ org: 'acme', project: 'shop' });
    await run(['trigger', EVENT, ...CONTEXT, ...to], { CARILLON_KEY: key });
    const other = 'acme/depot/gate/opened';
    const { body } = await app.as(key).post('/api/o/acme/p/depot/a/gate/e/opened/trigger/').send({});
    const { detail } = body as { detail: string };
    expect(await refusal(['trigger', other], { CARILLON_KEY: key })).toBe(`carillon: ${detail}\n`);
  });

  it.each([
    [['acme/shop'], '"acme/shop" is not organization/project/application/event, such as acme/shop/web/order-paid'],
    [['acme/shop/web/a/b'], '"acme/shop/web/a/b" is not organization/'],
    [['acme/shop/../x'], '".." cannot be a name'],
    [[EVENT, '--context', '{'], '--context is not valid JSON: '],
    [[EVENT, '--context', '@/none.json'], 'cannot read /none.json: ENOENT'],
    [[EVENT, '--context', '[]'], 'context: '],
    [[EVENT], 'options.recipients: '],
    [[EVENT, '--wait', '--timeout', 'x'], '--timeout must be a number of seconds, 0 to 86400, not "x"'],
    [[EVENT, '--contxt', '{}'], "unknown option '--contxt'\n(Did you mean --context?)"],
    [['acme/shop/web/none'], 'There is no such event.'],
  ])('refuses %j', async (args, sentence) => {
    expect(await refusal(['trigger', ...args])).toContain(sentence);
  });

  it('takes the service before the name of the command', async () => {
    const { CARILLON_URL, CARILLON_KEY } = env as Record<'CARILLON_URL' | 'CARILLON_KEY', string>;
    const args = ['--url', CARILLON_URL, '--key', CARILLON_KEY, 'trigger', EVENT, ...CONTEXT, ...to];
    const { code, stdout } = await cli(args, {});
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^acme\//)]);
  });
});

it('names the nearest command', async () => {
  expect(await refusal(['triger'])).toContain("unknown command 'triger'\n(Did you mean trigger?)");
});

it('says in a sentence that the service cannot be reached, and never prints the key', async () => {
  const closed = createServer();
  await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done));
  const { port } = closed.address() as AddressInfo;
  await new Promise((done) => closed.close(done));
  const stderr = await refusal(['user', 'list', 'acme'], { CARILLON_URL: `http://127.0.0.1:${port}` });
  const reason = `connect ECONNREFUSED 127.0.0.1:${port}`;
  expect(stderr).toBe(`carillon: the service at http://127.0.0.1:${port} cannot be reached: ${reason}\n`);
  expect(await refusal(['user', 'list', 'acme'], { CARILLON_KEY: 'crl_wrong' })).not.toContain('crl_wrong');
});

describe('simulate', () => {
  it('shows what a trigger would send', async () => {
    const args = ['simulate', EVENT, ...CONTEXT, '--recipients', 'ann@acme.test,bob@acme.test'];
    expect(await run(args)).toBe(
      [
        'Tell the customer: matched',
        '  inbox: 1 message to 2 users (locked 1)',
        '1 message to 2 users; kept back: locked 1',
        '--- inbox to ann@acme.test',
        'Subject: Order A-17',
        'Hi Ann',
        '',
      ].join('\n'),
    );
    expect(await json(...args, '--at', '2030-01-01T08:00:00Z')).toMatchObject({ totals: { messages: 1 } });
    expect(await run(['simulate', 'acme/shop/web/empty'])).toContain('warning: ');
  });
});

describe('explain', () => {
  it('explains an occurrence for everyone and for one user', async () => {
    const args = ['trigger', EVENT, ...CONTEXT, '--recipients', 'ann@acme.test,bob@acme.test', '--wait'];
    const path = (await run(args)).split('\n')[0]!;
    expect(await run(['explain', path])).toMatch(/^Of 2 deliveries: 1 sent, 1 locked\./);
    expect(await run(['explain', path, '--user', 'bob@acme.test'])).toContain('locked');
    expect(await json('explain', path, '--user', 'bob@acme.test')).toMatchObject({ gate: 'locked' });
    expect(await refusal(['explain', 'acme'])).toContain('"acme" is not organization/occurrence, such as acme/0');
  });
});

describe('user', () => {
  it('creates, shows, changes, lists and deletes users', async () => {
    const user = 'acme/zoe/x@acme.test';
    const fields = ['--first-name', 'Zoe', '--custom-fields', '{"team":"ops","level":1}'];
    expect(await json('user', 'create', user, ...fields)).toMatchObject({
      email: 'zoe/x@acme.test',
      first_name: 'Zoe',
    });
    expect(await run(['user', 'get', user])).toMatch(/^id: +\d+\nemail: +zoe\/x@acme.test\n/);
    const update = ['--lock', '--last-name', 'Roe', '--custom-fields', '{"level":2}'];
    expect(await json('user', 'update', user, ...update)).toMatchObject({
      ...{ locked: true, first_name: 'Zoe', last_name: 'Roe', custom_fields: { team: 'ops', level: 2 } },
    });
    expect(await json('user', 'update', user, '--unlock', '--replace-custom-fields', '{}')).toMatchObject({
      ...{ locked: false, custom_fields: {} },
    });
    expect(await run(['user', 'list', 'acme', '--search', 'zoe'])).toMatch(
      /^ID +USERNAME +NAME\n\d+ +zoe\/x@acme.test +Zoe Roe\n$/,
    );
    expect(await json('user', 'delete', user, '--erase')).toEqual({
      username: 'zoe/x@acme.test',
      deleted: true,
      erased: true,
    });
    expect(await refusal(['user', 'get', user])).toBe('carillon: There is no such user.\n');
    expect(await refusal(['user', 'update', 'acme/ann@acme.test'])).toContain('nothing to change');
    expect(await refusal(['user', 'create', 'acme/x'])).toMatch(/^carillon: [^]*email: must be an e-mail address/);
  });

  it('reads a whole user and writes it back', async () => {
    const user = 'acme/ann@acme.test';
    const whole = await json('user', 'get', user, '--whole');
    expect(whole).toMatchObject({ email: 'ann@acme.test', custom_fields: {}, memberships: [] });
    const data = JSON.stringify({ ...whole, time_zone: 'Europe/Berlin' });
    expect(await json('user', 'put', user, '--data', data)).toMatchObject({
      first_name: 'Ann',
      time_zone: 'Europe/Berlin',
    });
    expect(await refusal(['user', 'put', user, '--data', '{"nam":1}'])).toContain('nam: is not a known field');
  });

  it('lists more users than a page has, one line of JSON for each', async () => {
    await app.pool.query(
      `insert into users (organization_id, email, email_key) select id, 'u' || i || '@many.test', 'u' || i || '@many.test'
       from organizations, generate_series(1, 2100) i where slug = 'globex'`,
    );
    const key = await app.key();
    const lines = (await run(['user', 'list', 'globex', '--json'], { CARILLON_KEY: key })).trimEnd().split('\n');
    expect(new Set(lines.map((line) => (JSON.parse(line) as { email: string }).email)).size).toBe(2100);
    const some = await run(['user', 'list', 'globex', '--limit', '1500'], { CARILLON_KEY: key });
    expect(some.trimEnd().split('\n')).toHaveLength(1501);
  });
});

describe('channel test', () => {
  it('sends a test message over a channel of the organization or of a project', async () => {
    expect(await json('channel', 'test', 'acme/shop/log', '--text', 'Hello')).toMatchObject({
      outcome: 'sent',
    });
    const { code, stdout } = await cli(['channel', 'test', 'acme/hook'], env);
    expect([code, stdout]).toEqual([2, expect.stringMatching(/^(retry|rejected) after \d+ ms: .*ECONNREFUSED/)]);
    expect(await refusal(['channel', 'test', 'acme'])).toContain(
      'is not organization/channel, such as acme/mail; or organization/project/channel, such as acme/shop/mail',
    );
  });
});

describe('key over HTTP', () => {
  it('creates a key within the permissions of its own, lists it as the database does, and revokes it', async () => {
    const key = await app.key({
      org: 'acme',
      permissions: ['apikey:read', 'apikey:write', 'event:trigger', 'system:ping'],
    });
    const more = { CARILLON_KEY: key };
    const printed = await run(
      ['key', 'create', '--name', 'ci', '--project', 'shop', '--all', '--rate-limit', '7', '--json'],
      more,
    );
    const { id, key: created } = JSON.parse(printed) as { id: number; key: string };
    expect((await app.as(created).get('/api/system/ping/')).body).toEqual({ token: 'ci' });
    const overHttp = await run(['key', 'list', '--org', 'acme', '--json'], more);
    const { stdout: onDatabase } = await cli(['key', 'list', '--org', 'acme', '--json'], {
      DATABASE_URL: app.databaseUrl,
    });
    const withoutUse = (text: string) =>
      (JSON.parse(text) as object[]).map((each) => ({ ...each, last_used_at: undefined }));
    expect(withoutUse(overHttp)).toEqual(withoutUse(onDatabase));
    expect(await run(['key', 'revoke', String(id)], more)).toBe(
      `key ${id} is revoked; every process refuses it within five seconds\n`,
    );
    expect(await run(['key', 'list'], more)).toMatch(/ci +acme\/shop +revoked/);
    expect(await refusal(['key', 'create', '--operator', '--name', 'x', '--all'], more)).toContain('add --database');
    const wide = ['key', 'create', '--name', 'x', '--permission', 'user:write'];
    expect(await refusal(wide, more)).toContain('user:write');
    expect(await refusal(['key', 'create', '--name', 'x', '--all', '--rate-limit', 'x'], more)).toContain(
      'rate_limit: must be',
    );
  });

  it('needs --org with an operator key', async () => {
    const more = { CARILLON_KEY: await app.key() };
    expect(await refusal(['key', 'list'], more)).toContain('say which with --org');
    expect(await run(['key', 'list', '--org', 'globex'], more)).toBe('no keys\n');
  });
});

describe('suppression over HTTP', () => {
  it('adds, lists and lifts a suppression as the database way does', async () => {
    const add = ['suppression', 'add', '--value', 'gone@acme.test', '--note', 'Asked by phone', '--project', 'shop'];
    const { id } = await json(...add);
    const database = { DATABASE_URL: app.databaseUrl };
    const overHttp = await run(['suppression', 'list', '--json']);
    const { stdout: onDatabase } = await cli(['suppression', 'list', '--org', 'acme', '--json'], database);
    expect(overHttp).toBe(onDatabase);
    expect(await run(['suppression', 'list', '--project', 'depot'])).toBe('no suppressions\n');
    expect(await run(['suppression', 'list', '--org', 'acme'])).toMatch(
      /gone@acme.test +manual +shop .* Asked by phone\n/,
    );
    expect(await run(['suppression', 'lift', String(id)])).toBe(`suppression ${id as number} is lifted\n`);
    expect(await refusal(['suppression', 'lift', String(id)])).toBe('carillon: There is no such suppression.\n');
    expect(await refusal(['suppression', 'list', '--cause', 'x'])).toContain('cause: must be');
  });
});
