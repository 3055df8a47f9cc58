import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signingSecretContext } from '../../src/auth/recipient/signing-secret.js';
import { tokenContext } from '../../src/engine/token/token-context.js';
import { SecretBox } from '../../src/platform/secret/secret-box.js';
import { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { loadedBy } from '../support/app/loaded-by.js';
import { createFolder } from '../support/folder.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';
import { signingSecret } from '../support/world/signing-secret.js';

let app: TestApp;
let env: Record<string, string>;

beforeAll(async () => {
  app = await TestApp.start();
  env = { DATABASE_URL: app.databaseUrl };
});
afterAll(() => app.stop());

async function run(args: string[], more: Record<string, string>, file?: string): Promise<string> {
  const { code, stdout, stderr } = await cli(args, more, file);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

describe('apply', () => {
  it('shows what it would do, does it, and has nothing to do the second time', async () => {
    const { code, stdout: planned } = await cli(['apply', 'FILE', '--dry-run'], env, ACME_AND_GLOBEX);
    expect(code).toBe(2);
    expect(planned).toContain('create organization acme\n');
    expect(planned).toContain('create channel acme/shop/hook\n');
    expect(planned).toContain('create 2 users in acme\n');
    expect(planned.trim().split('\n').pop()).toBe('nothing was changed (dry run)');
    expect((await app.pool.query('select from organizations')).rowCount).toBe(0);
    const done = await run(['apply', 'FILE'], env, ACME_AND_GLOBEX);
    expect(done.replace(/done\n$/, '')).toBe(planned.replace(/nothing was changed.*\n$/, ''));
    expect(await run(['apply', 'FILE'], env, ACME_AND_GLOBEX)).toBe('nothing to change\n');
  });

  it('changes only what the file says anew', async () => {
    const file = `organizations: [{ slug: acme, name: Acme Ltd, users: [{ email: ANN@acme.test, last_name: Doe }] }]`;
    const { changes } = JSON.parse(await run(['apply', 'FILE', '--json'], env, file)) as { changes: object[] };
    expect(changes).toEqual([
      {
        verb: 'update',
        noun: 'organization',
        name: 'acme',
        differences: [{ field: 'name', before: 'Acme Inc', after: 'Acme Ltd' }],
      },
      { verb: 'update', noun: 'user', name: 'acme', count: 1 },
    ]);
    const { rows } = await app.pool.query(
      `select email, first_name, last_name, custom_fields from users where email_key = 'ann@acme.test'`,
    );
    expect(rows).toEqual([
      { email: 'ann@acme.test', first_name: 'Ann', last_name: 'Doe', custom_fields: { team: 'ops' } },
    ]);
  });

  it.each([
    [
      'organizations: [{ slug: Bad Slug, name: X }]',
      'organizations[0].slug: must consist of lower-case letters, digits',
    ],
    [
      'organizations: [{ slug: x, name: X, colour: red }]',
      'file.yaml:1: organizations[0].colour: is not a known field',
    ],
    [
      'organizations:\n  - slug: x\n    nam: X\n    usrs: []',
      'file.yaml:3: organizations[0].nam: is not a known field: did you mean name?',
    ],
    [
      'organizations: [{ slug: x, name: X, users: [{ email: nope }] }]',
      'organizations[0].users[0].email: must be an e-mail address',
    ],
    ['organizations: [', 'Flow sequence in block collection'],
    [
      'organizations: [{ slug: x, name: X, channels: [{ slug: c, name: C, type: pigeon }] }]',
      'channel x/c: type: is not a channel type. Known: email, webhook,',
    ],
    [
      'organizations: [{ slug: x, name: X, channels: [{ slug: c, name: C, type: webhook, config: { url: "http://h/", secret: { env: NOT_SET } } }] }]',
      'channel x/c: config.secret: needs the environment variable NOT_SET: set it',
    ],
    [
      'organizations: [{ slug: x, name: X, channels: [{ slug: c, name: C, type: email, config: { host: h.test, from: "not, one" } }] }]',
      'channel x/c: ',
    ],
    [
      'organizations: [{ slug: x, name: X, projects: [{ slug: p, name: P, applications: [{ slug: a, name: A, events: [{ slug: e, name: E, notifications: [{ name: N, when: "a ==", audience: { field: age, is: 1 }, templates: [{ channel: c, text: "{% if %}" }] }] }] }] }] }]',
      'notification x/p/a/e/N: when: ',
    ],
    [
      'organizations: [{ slug: x, name: X, users: [{ email: a@x.test, addresses: [{ name: phone, value: "12" }] }] }]',
      'user x/a@x.test: addresses.phone.value: must be an international',
    ],
  ])('refuses %s', async (file, sentence) => {
    const { code, stderr } = await cli(['apply', 'FILE'], env, file);
    expect(code).toBe(1);
    expect(stderr).toContain(sentence);
    expect((await app.pool.query(`select from organizations where slug = 'x'`)).rowCount).toBe(0);
  });

  it('keeps an event as long as the file says; left out it stays so, null takes it back', async () => {
    const file = (retention: string) =>
      `organizations: [{ slug: kept, name: Kept, projects: [{ slug: p, name: P, applications: [{ slug: a, name: A, events: [{ slug: e, name: E${retention} }] }] }] }]`;
    const days = async () =>
      (await app.pool.query(`select retention_days from events where slug = 'e'`)).rows as { retention_days: number }[];
    await run(['apply', 'FILE'], env, file(', retention_days: 7'));
    expect(await days()).toEqual([{ retention_days: 7 }]);
    expect(await run(['apply', 'FILE'], env, file(', retention_days: 7'))).toBe('nothing to change\n');
    expect(await run(['apply', 'FILE'], env, file(''))).toBe('nothing to change\n');
    expect(await days()).toEqual([{ retention_days: 7 }]);
    expect(await run(['apply', 'FILE'], env, file(', retention_days: null'))).toBe(
      'update event kept/p/a/e\n    retention_days: 7 -> (none)\ndone\n',
    );
    expect(await days()).toEqual([{ retention_days: null }]);
    expect(await run(['apply', 'FILE'], env, file(', retention_days: null'))).toBe('nothing to change\n');
    for (const bad of ['0', '3651', '1.5', 'long']) {
      const { code, stderr } = await cli(['apply', 'FILE'], env, file(`, retention_days: ${bad}`));
      expect([code, stderr]).toEqual([1, expect.stringContaining('events[0].retention_days: must ')]);
    }
    expect(await days()).toEqual([{ retention_days: null }]);
  });

  it('stores a secret only sealed', async () => {
    const file = `organizations: [{ slug: acme, name: Acme, channels: [{ slug: signed, name: S, type: webhook, config: { url: "https://h.test/", secret: { env: HOOK } } }] }]`;
    await run(['apply', 'FILE'], { ...env, HOOK: signingSecret('marker-of-a-secret') }, file);
    const { rows } = await app.pool.query<{ config: string }>(
      `select config::text config from channels where slug = 'signed'`,
    );
    expect(rows[0]!.config).toMatch(/"secret": \{"sealed": "v1\./);
    expect(rows[0]!.config).not.toContain(signingSecret('marker-of-a-secret'));
    expect(await run(['apply', 'FILE'], { ...env, HOOK: signingSecret('marker-of-a-secret') }, file)).toBe(
      'nothing to change\n',
    );
  });
});

describe('quota', () => {
  it('sets the quotas of an organization, and lists them', async () => {
    const set = ['quota', 'set', '--org', 'acme', '--stored-mb', '512', '--send-at-days', 'default'];
    expect(await run(set, { ...env, QUOTA_SEND_AT_DAYS: '30' })).toBe('acme: stored_mb is 512, send_at_days is 30\n');
    const listed = JSON.parse(await run(['quota', 'list', '--org', 'acme', '--json'], env)) as object[];
    expect(listed).toMatchObject([
      { organization: 'acme', stored_mb: 0, quotas: { stored_mb: 512, send_at_days: 366 }, own: ['stored_mb'] },
    ]);
    expect((await cli(['quota', 'set', '--org', 'acme', '--ruleset-kb', '0'], env)).stderr).toBe(
      'carillon: --ruleset-kb must be default or a whole number from 1 to 262144, not "0"\n',
    );
  });
});

describe('key', () => {
  it('creates a key that works, lists it, and revokes it', async () => {
    const args = ['key', 'create', '--org', 'acme', '--project', 'shop', '--application', 'web', '--name', 'ci'];
    const printed = await run([...args, '--permission', 'system:ping', '--permission', 'event:list', '--json'], env);
    const { id, name, key } = JSON.parse(printed) as { id: number; name: string; key: string };
    expect([name, (await app.as(key).get('/api/system/ping/')).body]).toEqual(['ci', { token: 'ci' }]);
    expect((await app.as(key).get('/api/o/acme/u/')).status).toBe(403);
    const listed = JSON.parse(await run(['key', 'list', '--org', 'acme', '--json'], env)) as object[];
    expect(listed).toEqual([
      expect.objectContaining({
        id,
        name: 'ci',
        ...{ organization: 'acme', project: 'shop', application: 'web' },
        state: 'valid',
        permissions: ['system:ping', 'event:list'],
      }),
    ]);
    expect(JSON.stringify(listed)).not.toContain(key);
    await run(['key', 'revoke', String(id)], env);
    expect(await run(['key', 'list', '--org', 'acme'], env)).toMatch(/ci +acme\/shop\/web +revoked/);
    expect((await cli(['key', 'revoke', String(id)], env)).stderr).toBe(
      `carillon: there is no valid key ${id}: npx carillon key list shows all keys\n`,
    );
  });

  it('creates one with a rate limit, and lists it', async () => {
    const args = ['key', 'create', '--org', 'acme', '--name', 'slow', '--all', '--rate-limit', '7', '--json'];
    const { id, key } = JSON.parse(await run(args, env)) as { id: number; key: string };
    const { headers } = await app.as(key).get('/api/system/ping/');
    expect(headers).toMatchObject({ 'ratelimit-policy': '"key";q=7;w=1', ratelimit: '"key";r=6;t=1' });
    const listed = JSON.parse(await run(['key', 'list', '--org', 'acme', '--json'], env)) as { id: number }[];
    expect(listed.find((each) => each.id === id)).toMatchObject({ rate_limit: 7 });
    expect(await run(['key', 'list', '--org', 'acme'], env)).toMatch(/slow +acme +valid .* 7 +all\n/);
  });

  it.each([
    [['--org', 'none', '--all'], 'there is no organization none'],
    [['--org', 'acme', '--project', 'none', '--all'], 'there is no project none in acme'],
    [['--org', 'acme', '--application', 'web', '--all'], '--application requires --project'],
    [['--org', 'acme'], 'give at least one --permission, a --role, or --all'],
    [['--org', 'acme', '--role', 'suport'], 'there is no role suport: did you mean support?'],
    [['--org', 'acme', '--permission', 'user:fly'], 'there is no permission user:fly'],
    [['--all'], 'give --org, or --operator'],
    [['--org', 'acme', '--all', '--expires', 'soon'], '--expires must be a time'],
    [['--org', 'acme', '--all', '--expires', '2020-01-01T00:00:00Z'], '--expires must be in the future, not "2020-'],
    [['--org', 'acme', '--all', '--rate-limit', '0'], '--rate-limit must be a whole number of requests a second'],
    [['--org', 'acme', '--all', '--rate-limit', '1000001'], '1 to 1000000, not "1000001"'],
  ])('refuses %j', async (args, sentence) => {
    const { code, stdout, stderr } = await cli(['key', 'create', '--name', 'x', ...args], env);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
  });
});

describe('console', () => {
  const signIn = async (args: string[], more: Record<string, string> = {}) => {
    const printed = await run(['console', ...args], { ...env, ...more });
    const [, url, link] = /^(\S+)#t=(\S+)\n$/.exec(printed)!;
    const { status, body } = await app.as().post('/api/session/').send({ link });
    return { url, status, body: body as object };
  };

  it('prints a link that signs in to one organization, or to all', async () => {
    const one = await signIn(['--org', 'acme']);
    expect(one).toMatchObject({ url: 'http://127.0.0.1:3000/console/', status: 201 });
    expect(one.body).toMatchObject({ via: 'link', organization: 'acme', project: null });
    const all = await signIn([], { PUBLIC_URL: 'https://notify.example.com/carillon/' });
    expect(all).toMatchObject({ url: 'https://notify.example.com/carillon/console/', status: 201 });
    expect(all.body).toMatchObject({ via: 'link', organization: null });
    const { url } = JSON.parse(await run(['console', '--json'], env)) as { url: string };
    expect(url).toMatch(/#t=crt_[0-9a-f]{72}$/);
    expect((await app.pool.query(`select from api_keys where via is null and name = 'console'`)).rowCount).toBe(0);
  });

  it('names an organization that does not exist', async () => {
    const { code, stderr } = await cli(['console', '--org', 'nowhere'], env);
    expect([code, stderr]).toEqual([1, 'carillon: there is no organization nowhere\n']);
  });
});

describe('key list', () => {
  it('names an organization that does not exist', async () => {
    const { code, stdout, stderr } = await cli(['key', 'list', '--org', 'nosuch', '--json'], env);
    expect([code, stdout, stderr]).toEqual([1, '', 'carillon: there is no organization nosuch\n']);
  });

  it('writes to a file', async () => {
    const printed = await run(['key', 'list', '--json'], env);
    const folder = createFolder();
    try {
      const file = join(folder.path, 'keys.json');
      expect(await run(['key', 'list', '--json', '--out', file], env)).toBe('');
      expect(readFileSync(file, 'utf8')).toBe(printed);
    } finally {
      folder.remove();
    }
  });
});

describe('doctor', () => {
  it('finds nothing wrong with a good setup', async () => {
    const { ok, checks } = JSON.parse(await run(['doctor', '--json'], env)) as {
      ok: boolean;
      checks: { name: string; ok: boolean }[];
    };
    expect([ok, checks.map(({ name }) => name)]).toEqual([
      true,
      [
        'configuration',
        'database',
        'pooler',
        'encoding',
        'sessions',
        'isolation',
        'connections',
        'links',
        'secret key',
        'migrations',
        'clock',
      ],
    ]);
  });

  it('shows how large each table is, and the queue, as words and as data', async () => {
    await app.pool.query('analyze');
    const { rows } = await app.pool.query<{ users: number }>('select count(*)::int users from users');
    const { tables } = JSON.parse(await run(['doctor', '--json'], env)) as {
      tables: { name: string; rows: number | null; bytes: number; size: string }[];
    };
    const names = tables.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['occurrences', 'deliveries', 'attempts', 'messages', 'inbox_messages']),
    );
    expect(names).toContain('jobs');
    expect(tables.find(({ name }) => name === 'users')).toEqual({
      name: 'users',
      rows: rows[0]!.users,
      bytes: expect.any(Number),
      size: expect.stringMatching(/^\d+ (bytes|kB|MB)$/),
    });
    expect(tables.map(({ bytes }) => bytes)).toEqual(tables.map(({ bytes }) => bytes).sort((a, b) => b - a));
    const words = await run(['doctor'], env);
    expect(words).toMatch(/ok +clock .*\n\ntable +rows +size\n/);
    expect(words).toMatch(new RegExp(`\\nusers +${rows[0]!.users} +\\d+ kB\\n`));
    expect(words).toMatch(/\njobs +\d+ +\d+ kB/);
  });

  it.each([
    [{ PORT: 'x' }, 'FAIL  configuration'],
    [{ RETENTION_DAYS: '0' }, 'RETENTION_DAYS must be a whole number from 1 to 3650, not "0"'],
    [{ INBOX_RETENTION_DAYS: '3651' }, 'INBOX_RETENTION_DAYS must be a whole number from 1 to 3650, not "3651"'],
    [{ DATABASE_URL: 'postgresql://u@127.0.0.1:1/d' }, 'FAIL  database'],
  ])('says what to do about %j, and fails', async (bad, sentence) => {
    const { code, stdout } = await cli(['doctor'], { ...env, ...(bad as Record<string, string>) });
    expect(code).toBe(1);
    expect(stdout).toContain(sentence);
    expect(stdout).toContain('->');
  });
});

describe('a new SECRET_KEY', () => {
  const [OLD, NEW] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string];
  const FILE = `
organizations:
  - slug: keyed
    name: Keyed
    channels: [{ slug: hook, name: Hook, type: webhook, config: { url: "http://127.0.0.1:9/in", secret: "whsec_c2VjcmV0IG9mIGEgaG9vaywgbG9uZyBlbm91Z2g=" } }]
    projects:
      - slug: p
        name: P
        applications: [{ slug: a, name: A, status_webhook: { url: "http://127.0.0.1:9/s", secret: "whsec_c2VjcmV0IG9mIGEgaG9vaywgbG9uZyBlbm91Z2g=" } }]
`;
  const stored = async () =>
    (
      await app.pool.query<{ sealed: string }>(
        `select config->'secret'->>'sealed' sealed from channels where config ? 'secret' union all select secret from status_webhooks
         union all select secret from signing_secrets`,
      )
    ).rows.map(({ sealed }) => sealed.split('.')[1]);

  it('opens what the previous key has sealed, and reseal seals it again, so that the previous one can go', async () => {
    await run(['apply', 'FILE'], { ...env, SECRET_KEY: OLD }, FILE);
    // As a request stores it.
    const { rows } = await app.pool.query<{ id: number }>(`select id from organizations where slug = 'keyed'`);
    const place = signingSecretContext(rows[0]!.id, 'kid');
    const sealed = new SecretBox(Buffer.from(OLD, 'base64')).seal('crs_secret', place);
    await app.pool.query(
      `insert into signing_secrets (organization_id, kid, name, secret) values ($1, 'kid', 'web', $2)`,
      [rows[0]!.id, sealed],
    );
    const [hook] = (await app.pool.query<{ id: number }>(`select id from channels where slug = 'hook'`)).rows;
    const before = await stored();
    const both = { ...env, SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD };
    // It opens both: a secret that it could not open would be stored again, and be a change.
    expect(await run(['apply', 'FILE'], both, FILE)).toBe('nothing to change\n');
    const lost = await cli(['reseal'], { ...env, SECRET_KEY: NEW });
    expect([lost.code, lost.stderr]).toEqual([1, expect.stringMatching(/opens the secrets of .*channel keyed\/hook/)]);
    expect(await stored()).toEqual(before);
    // Of two tokens, a key opens one. The other is no loss: it can be made again.
    const [tokenPlace, lostPlace] = ['kept', 'lost'].map((purpose) => tokenContext(hook!.id, purpose));
    const old = new SecretBox(Buffer.from(OLD, 'base64'));
    await app.pool.query(
      `insert into channel_tokens (channel_id, purpose, sealed) values ($1, 'kept', $2), ($1, 'lost', $3), ($1, 'begun', null)`,
      [hook!.id, old.seal('token', tokenPlace!), new SecretBox(Buffer.alloc(32, 9)).seal('token', lostPlace!)],
    );
    expect(JSON.parse(await run(['reseal', '--json'], both))).toEqual({ resealed: before.length + 1, lost: [] });
    const tokens = await app.pool.query<{ purpose: string; sealed: string | null }>(
      'select purpose, sealed from channel_tokens order by purpose',
    );
    expect(tokens.rows.map(({ purpose }) => purpose)).toEqual(['begun', 'kept']);
    expect(new SecretBox(Buffer.from(NEW, 'base64')).open(tokens.rows[1]!.sealed!, tokenPlace!)).toBe('token');
    expect(await stored()).not.toContain(before[0]);
    expect(await run(['apply', 'FILE'], { ...env, SECRET_KEY: NEW }, FILE)).toBe('nothing to change\n');
    const resealed = await app.pool.query<{ secret: string }>(`select secret from signing_secrets where kid = 'kid'`);
    expect(new SecretBox(Buffer.from(NEW, 'base64')).open(resealed.rows[0]!.secret, place)).toBe('crs_secret');
    expect(JSON.parse(await run(['reseal', '--json'], { ...env, SECRET_KEY: NEW }))).toEqual({ resealed: 0, lost: [] });
  });
});

describe('a short command', () => {
  // Prisma's WebAssembly alone takes seconds of CPU time.
  // The parts of the build that hold Prisma, Nest and the readers of files; their names begin with those of modules in them.
  const HEAVY = /\/dist\/parts\/(query_compiler|common|core|platform-express|provisioning\.module|file-check)[^/]*$/;

  it.each([
    'help',
    'key list',
    'key create --operator --name x --all',
    'console --org acme',
    'quota list',
    'quota set --org acme --ruleset-kb default',
    'audit verify',
    'doctor',
  ])('loads neither Prisma nor Nest: %s', async (command) => {
    const loaded = await loadedBy(command.split(' '), env);
    expect(loaded.filter((url) => url.endsWith('/dist/main.js'))).toHaveLength(1);
    expect(loaded.filter((url) => HEAVY.test(url))).toEqual([]);
  });

  it('is not one that reads a file', async () => {
    expect((await loadedBy(['export', 'config', '--org', 'acme'], env)).filter((url) => HEAVY.test(url))).not.toEqual(
      [],
    );
  });
});

it('counts on its progress bar what it says', async () => {
  const users = Array.from({ length: 600 }, (_, i) => ({ email: `u${i}@bar.test` }));
  const lists = [{ name: 'One', members: ['u1@bar.test'] }];
  const projects = [{ slug: 'p', name: 'P', distribution_lists: lists }];
  const file = JSON.stringify({ organizations: [{ slug: 'bar', name: 'Bar', users, projects }] });
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  try {
    const { code, stderr } = await cli(['apply', 'FILE'], env, file);
    expect([code, stderr.match(/\d+ of .*/g)]).toEqual([
      0,
      ['500 of 601 users and members', '600 of 601 users and members', '601 of 601 users and members'],
    ]);
  } finally {
    process.stderr.isTTY = isTTY;
  }
});

it('prints no control character of a name', async () => {
  const name = 'x\u001b]52;c;aGk=\u0007\ny';
  await run(['key', 'create', '--operator', '--name', name, '--all'], env);
  const listed = await run(['key', 'list'], env);
  expect(listed).toContain('x\\x1b]52;c;aGk=\\x07\\x0ay ');
  const plan = `organizations: [{ slug: odd, name: "a\\e[2Jb", users: [{ email: "\\e[2J" }] }]`;
  const { stdout, stderr } = await cli(['apply', 'FILE', '--dry-run'], env, plan);
  expect(stdout + stderr).not.toContain('\u001b');
});

it('explains itself', async () => {
  const help = await run(['--help'], env);
  for (const command of ['start', 'migrate', 'apply', 'export', 'import', 'key', 'console', 'reseal', 'doctor']) {
    expect(help).toContain(`  ${command}`);
    expect(await run([command, '--help'], env)).toContain('Usage: carillon');
  }
  expect(await run(['help'], env)).toBe(help);
  expect(await run(['help', 'key'], env)).toBe(await run(['key', '--help'], env));
  expect(await cli([], env)).toEqual({ code: 1, stdout: '', stderr: help });
  const wrong = await cli(['fly'], env);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("unknown command 'fly'")]);
});
