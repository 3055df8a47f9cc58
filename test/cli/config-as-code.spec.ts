import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { root } from '../../src/platform/config/root.js';
import type { OrganizationEntry, ProvisioningFile } from '../../src/operate/provisioning/file.js';
import { readProvisioningFile } from '../../src/operate/provisioning/file-check.js';
import { ProvisioningService } from '../../src/operate/provisioning/provisioning.service.js';
import { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';
import { signingSecret } from '../support/world/signing-secret.js';

let app: TestApp;
let second: TestApp;
let folder: TestFolder;
let env: Record<string, string>;

const SECRETS = {
  ACME_SIGNED_SECRET: signingSecret('marker-of-a-channel'),
  ACME_SHOP_HOOK_SECRET: signingSecret('marker-of-a-project'),
  ACME_SHOP_WEB_STATUS_SECRET: signingSecret('marker-of-a-webhook'),
};

const ACME = `
organizations:
  - slug: acme
    name: Acme Inc
    channels:
      - { slug: mail, name: Mail, type: email, config: { host: 127.0.0.1, port: 1025, security: none, from: "a <a@acme.test>", from_domains: acme.example, rate: 50 } }
      - { slug: signed, name: Signed, type: webhook, fallback: mail, config: { url: "https://h.test/in", secret: { env: ACME_SIGNED_SECRET } } }
      - { slug: quiet, name: "Quiet: off", type: log, enabled: false }
    users:
      - { email: Ann@acme.test, first_name: Ann, last_name: "O'Neil # \\"x\\"", custom_fields: { team: ops, "the: key": [1, null, "é"] }, addresses: [{ name: phone, value: "+15551234567" }] }
      - { email: bob@acme.test, locked: true }
    projects:
      - slug: shop
        name: Shop
        channels:
          - { slug: hook, name: Hook, type: webhook, fallback: signed, config: { url: "http://127.0.0.1:9000/in", secret: { env: ACME_SHOP_HOOK_SECRET } } }
        distribution_lists:
          - { name: Staff, members: [ann@acme.test, { email: bob@acme.test, channel: mail, active: false }, new@acme.test] }
          - { name: "Nobody: yet", members: [] }
        applications:
          - slug: web
            name: Web shop
            status_webhook: { url: "https://s.test/", outcomes: [dead], secret: { env: ACME_SHOP_WEB_STATUS_SECRET } }
            events:
              - slug: order-paid
                name: Order paid
                retention_days: 7
                notifications:
                  - name: Tell
                    when: "total > \`100\`"
                    distribution_list: Staff
                    templates:
                      - { channel: hook, per: person, subject: "Order {{ order }}", text: "  Hi {{ user.first_name }},\\n\\n  line two: {{ order }}\\n" }
                      - { channel: mail, markdown: "# Hi", from: "Shop <shop@acme.example>", reply_to: "{{ order }}@acme.example", headers: { X-B: "{{ order }}", X-Long-Name: "1" }, translations: { de: { markdown: "# Hallo" }, pt-BR: { subject: Oi, markdown: "# Oi" } } }
                  - { name: All of ops, enabled: false, audience: { field: custom_fields.team, is: ops }, templates: [{ channel: signed, text: hi }] }
              - { slug: silent, name: Silent }
      - { slug: empty, name: Empty }
`;

beforeAll(async () => {
  [app, second] = [await TestApp.start(), await TestApp.start()];
});
afterAll(() => Promise.all([app.stop(), second.stop()]));
beforeEach(async () => {
  folder = createFolder();
  env = { DATABASE_URL: app.databaseUrl, ...SECRETS };
  await app.empty();
});
afterEach(() => folder.remove());

const put = (name: string, text: string): string => {
  writeFileSync(join(folder.path, name), text);
  return join(folder.path, name);
};

/** The lines of a problem in a file, without its name and line. */
const withoutPlace = (text: string) => text.replaceAll(/^(carillon: )?\S+\.yaml:\d+: /gm, '$1');

async function run(args: string[], file?: string, more = env): Promise<string> {
  const { code, stdout, stderr } = await cli(args, more, file);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

/** The file, with one organization changed. */
function acmeWith(change: (acme: OrganizationEntry) => void): string {
  const file = parse(ACME) as ProvisioningFile;
  change(file.organizations[0]!);
  return JSON.stringify(file);
}

describe('a plan', () => {
  it('warns of addresses that are not allowed', async () => {
    const warning = (channel: string) =>
      `warning: channel ${channel}: 127.0.0.1 is not allowed: it has a loopback address. The operator can allow it with OUTBOUND_ALLOW\n`;
    const planned = await cli(['apply', 'FILE', '--dry-run'], { ...env, OUTBOUND_ALLOW: '' }, ACME);
    expect([planned.code, planned.stderr.replaceAll(/\S+file\.yaml:\d+: /g, '')]).toEqual([
      2,
      warning('acme/mail') + warning('acme/shop/hook'),
    ]);
    const allowed = await cli(['apply', 'FILE', '--dry-run'], env, ACME);
    expect([allowed.code, allowed.stderr]).toEqual([2, '']);
  });

  it('shows each field before and after, no secret, and exits with 2 while something would change', async () => {
    await run(['apply', 'FILE'], ACME);
    expect((await cli(['apply', 'FILE', '--dry-run'], env, ACME)).code).toBe(0);
    const file = acmeWith((acme) => {
      acme.name = 'Acme Ltd';
      const [mail, signed] = acme.channels!;
      mail!.config!.port = 2525;
      delete mail!.config!.rate;
      signed!.fallback = null;
      const [shop] = acme.projects!;
      shop!.channels![0]!.config!.url = 'http://127.0.0.1:9001/in';
      shop!.channels![0]!.fallback = 'quiet';
      const [web] = shop!.applications!;
      web!.status_webhook!.outcomes = ['sent', 'dead'];
      const [tell, ops] = web!.events![0]!.notifications!;
      tell!.distribution_list = 'Nobody: yet';
      tell!.templates![0]!.text = '  Hi {{ user.first_name }},\n\n  another line: {{ order }}\n';
      tell!.templates!.pop();
      ops!.enabled = true;
      ops!.templates![0]!.per = 'person';
    });
    const changed = { ...env, ACME_SIGNED_SECRET: signingSecret('marker-of-another') };
    const { code, stdout, stderr } = await cli(['apply', 'FILE', '--dry-run'], changed, file);
    expect([code, stderr]).toEqual([2, '']);
    expect(stdout).toBe(
      [
        'update organization acme',
        '    name: Acme Inc -> Acme Ltd',
        'update channel acme/mail',
        '    config.port: 1025 -> 2525',
        '    config.rate: 50 -> (none)',
        'update channel acme/signed',
        '    config.secret: changed (a secret)',
        'update channel acme/signed',
        '    fallback: mail -> (none)',
        'update channel acme/shop/hook',
        '    config.url: http://127.0.0.1:9000/in -> http://127.0.0.1:9001/in',
        'update channel acme/shop/hook',
        '    fallback: signed -> quiet',
        'update status webhook acme/shop/web',
        '    outcomes: ["dead"] -> ["sent","dead"]',
        'update notification acme/shop/web/order-paid/Tell',
        '    distribution_lists: ["Staff"] -> ["Nobody: yet"]',
        '    templates.hook.text:',
        '      -   line two: {{ order }}',
        '      +   another line: {{ order }}',
        '    templates.mail.markdown: # Hi -> (none)',
        '    templates.mail.from: Shop <shop@acme.example> -> (none)',
        '    templates.mail.reply_to: {{ order }}@acme.example -> (none)',
        '    templates.mail.headers.X-B: {{ order }} -> (none)',
        '    templates.mail.headers.X-Long-Name: 1 -> (none)',
        '    templates.mail.translations.de.markdown: # Hallo -> (none)',
        '    templates.mail.translations.pt-BR.subject: Oi -> (none)',
        '    templates.mail.translations.pt-BR.markdown: # Oi -> (none)',
        '    templates.mail.per: person -> (none)',
        'update notification acme/shop/web/order-paid/All of ops',
        '    enabled: false -> true',
        '    templates.signed.per: room -> person',
        'nothing was changed (dry run)',
        '',
      ].join('\n'),
    );
    const applied = await run(['apply', 'FILE'], file, changed);
    expect(applied.replace(/done\n$/, '')).toBe(stdout.replace(/nothing was.*\n$/, ''));
    expect(await run(['apply', 'FILE'], file, changed)).toBe('nothing to change\n');
    expect(stdout).not.toContain('whsec_');
  });

  it('is data with --json', async () => {
    await run(['apply', 'FILE'], 'organizations: [{ slug: acme, name: Acme }]');
    const { code, stdout } = await cli(
      ['apply', 'FILE', '--dry-run', '--json'],
      env,
      'organizations: [{ slug: acme, name: A }]',
    );
    const differences = [{ field: 'name', before: 'Acme', after: 'A' }];
    expect([code, JSON.parse(stdout)]).toEqual([
      2,
      { dry_run: true, changes: [{ verb: 'update', noun: 'organization', name: 'acme', differences }] },
    ]);
  });
});

describe('a template in a file', () => {
  const file = ACME.replace('markdown: "# Hi"', 'markdown: { file: hi.md }');

  it('is read beside the provisioning file, and its change is seen', async () => {
    put('hi.md', '# Hi\n\n{{ order }}\n');
    const path = put('acme.yaml', file);
    await run(['apply', path]);
    const { rows } = await app.pool.query('select markdown from templates where markdown is not null');
    expect(rows).toEqual([{ markdown: '# Hi\n\n{{ order }}' }]);
    expect(await run(['apply', path])).toBe('nothing to change\n');
    put('hi.md', '# Hello\n\n{{ order }}\n');
    const { code, stdout } = await cli(['apply', path, '--dry-run'], env);
    expect([code, stdout]).toEqual([
      2,
      [
        'update notification acme/shop/web/order-paid/Tell',
        '    templates.mail.markdown:',
        '      - # Hi',
        '      + # Hello',
        'nothing was changed (dry run)',
        '',
      ].join('\n'),
    ]);
  });

  it('that is missing, or is no template, is refused and named', async () => {
    const path = put('acme.yaml', file);
    const missing = await cli(['apply', path], env);
    expect([missing.code, missing.stderr]).toEqual([
      1,
      `carillon: ${path}:34: notification acme/shop/web/order-paid/Tell: templates.mail.markdown: needs the file hi.md, but it cannot be read\n`,
    ]);
    put('hi.md', '{% if %}');
    expect((await cli(['apply', path], env)).stderr).toContain('templates.mail.markdown');
    const { stderr } = await cli(['apply', 'FILE'], env, ACME.replace('text: hi', 'text: { env: HI }'));
    expect(stderr).toContain('env: is not a known field');
    expect((await app.pool.query('select from organizations')).rowCount).toBe(0);
  });
});

describe('the templates of a notification', () => {
  const LONGEST = 131_072;

  it.each([
    ['a part that is too long', [{ channel: 'hook', text: 'x'.repeat(LONGEST + 1) }]],
    ['a channel that is named twice', [1, 2].map(() => ({ channel: 'hook', text: 'x' }))],
    ['nothing to say', [{ channel: 'hook', subject: 'x' }]],
    ['a part that is no Liquid', [{ channel: 'hook', text: '{% if %}' }]],
    ['a channel that is not there', [{ channel: 'pigeon', text: 'x' }]],
    ['a sender of a channel without senders', [{ channel: 'hook', text: 'x', from: 'a@acme.test' }]],
    ['a sender of another domain', [{ channel: 'mail', text: 'x', from: 'a@evil.test' }]],
    ['two senders', [{ channel: 'mail', text: 'x', from: 'a@acme.test, b@acme.test' }]],
    ['a translation into no language', [{ channel: 'mail', text: 'x', translations: { German: { text: 'y' } } }]],
    ['a translation that is no Liquid', [{ channel: 'mail', text: 'x', translations: { de: { text: '{% if %}' } } }]],
    ['a header that is not allowed', [{ channel: 'mail', text: 'x', headers: { Bcc: 'b@acme.test' } }]],
  ])('are refused for %s with the same words in a file and over HTTP', async (_why, templates) => {
    await run(['apply', 'FILE'], ACME);
    const body = { name: 'New', distribution_lists: ['Staff'], templates };
    const path = '/api/o/acme/p/shop/a/web/e/order-paid/n/';
    const answer = await app
      .as(await app.key({ org: 'acme' }))
      .post(path)
      .send(body);
    expect(answer.status).toBe(400);
    const { errors } = answer.body as { errors: Record<string, string[]> };
    const file = acmeWith((acme) => acme.projects![0]!.applications![0]!.events![0]!.notifications!.push(body));
    const { code, stderr } = await cli(['apply', 'FILE'], env, file);
    const lines = Object.entries(errors).flatMap(([field, sentences]) =>
      sentences.map((sentence) => `notification acme/shop/web/order-paid/New: ${field}: ${sentence}`),
    );
    expect([code, withoutPlace(stderr)]).toEqual([1, `carillon: ${lines.join('\n')}\n`]);
    expect(Object.keys(errors)[0]).toMatch(/^templates\.(hook|mail|pigeon)/);
  });

  it('may be as long as the limit both ways', async () => {
    await run(['apply', 'FILE'], ACME);
    const key = await app.key({ org: 'acme' });
    const long = (name: string) => ({
      ...{ name, distribution_lists: ['Staff'] },
      templates: [{ channel: 'hook', text: 'x'.repeat(LONGEST) }],
    });
    const answer = await app.as(key).post('/api/o/acme/p/shop/a/web/e/order-paid/n/').send(long('Over HTTP'));
    expect(answer.status).toBe(201);
    const file = acmeWith((acme) =>
      acme.projects![0]!.applications![0]!.events![0]!.notifications!.push(long('In a file')),
    );
    expect(await run(['apply', 'FILE'], file)).toBe('create notification acme/shop/web/order-paid/In a file\ndone\n');
  });
});

describe('--prune', () => {
  const smaller = acmeWith((acme) => {
    acme.users = [{ email: 'ann@acme.test' }];
    acme.channels = acme.channels!.filter(({ slug }) => slug !== 'quiet');
    const [shop] = acme.projects!;
    acme.projects = [shop!];
    shop!.distribution_lists = [{ name: 'Staff', members: ['ann@acme.test'] }];
    const [event] = shop!.applications![0]!.events!;
    shop!.applications![0]!.events = [{ ...event!, notifications: [event!.notifications![0]!] }];
  });
  const DELETED = [
    'delete notification acme/shop/web/order-paid/All of ops',
    'delete event acme/shop/web/silent',
    'delete 2 members in acme/shop/Staff',
    '    bob@acme.test',
    '    new@acme.test',
    'delete distribution list acme/shop/Nobody: yet',
    'delete project acme/empty',
    'delete channel acme/quiet',
    'delete 2 users in acme',
    '    bob@acme.test',
    '    new@acme.test',
  ];

  it('deletes what the file does not name, once it was told yes', async () => {
    await run(['apply', 'FILE'], ACME);
    await run(['apply', 'FILE'], 'organizations: [{ slug: globex, name: G, users: [{ email: ann@acme.test }] }]');
    expect(await run(['apply', 'FILE'], smaller)).toBe('nothing to change\n');
    const planned = await cli(['apply', 'FILE', '--prune', '--dry-run'], env, smaller);
    expect([planned.code, planned.stdout.trim().split('\n').slice(0, -1)]).toEqual([2, DELETED]);
    const { code, stdout, stderr } = await cli(['apply', 'FILE', '--prune'], env, smaller);
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      `carillon: nothing was changed: add --yes to confirm these deletions\n${DELETED.join('\n')}\n`,
    ]);
    expect((await app.pool.query('select from channels')).rowCount).toBe(4);
    expect(await run(['apply', 'FILE', '--prune', '--yes'], smaller)).toBe([...DELETED, 'done', ''].join('\n'));
    expect(await run(['apply', 'FILE', '--prune'], smaller)).toBe('nothing to change\n');
    const { rows } = await app.pool.query('select slug from organizations order by slug');
    expect(rows).toEqual([{ slug: 'acme' }, { slug: 'globex' }]);
    expect((await app.pool.query('select from users')).rowCount).toBe(2);
    const rules = await app.pool.query<{ names: string[] }>(
      `select array(select v.rule->>'name' from rule_versions v where v.id = any(r.versions)) names
       from events e join rulesets r on r.id = e.ruleset_id`,
    );
    expect(rules.rows).toEqual([{ names: ['Tell'] }]);
  });

  it('names the first 20 people that it would delete, and all of them as JSON', async () => {
    const emails = Array.from({ length: 22 }, (_, i) => `u${i + 10}@acme.test`);
    const file = (users: object[]) => JSON.stringify({ organizations: [{ slug: 'acme', name: 'Acme', users }] });
    await run(['apply', 'FILE'], file(emails.map((email) => ({ email }))));
    const args = ['apply', 'FILE', '--prune', '--dry-run'];
    const named = (await cli(args, env, file([]))).stdout.split('\n');
    expect(named.slice(0, -2)).toEqual([
      'delete 22 users in acme',
      ...emails.slice(0, 20).map((email) => `    ${email}`),
      '    and 2 more',
    ]);
    expect(JSON.parse((await cli([...args, '--json'], env, file([]))).stdout)).toEqual({
      dry_run: true,
      changes: [{ verb: 'delete', noun: 'user', name: 'acme', count: 22, people: emails }],
    });
  });

  it('deletes a project with all that is in it, also what uses its own channels', async () => {
    await run(
      ['apply', 'FILE'],
      ACME.replace('channel: mail, active', 'channel: hook, active')
        .replace('fallback: signed', 'fallback: own')
        .replace(
          '          - { slug: hook',
          '          - { slug: own, name: Own, type: log }\n          - { slug: hook',
        ),
    );
    const file = 'organizations: [{ slug: acme, name: Acme Inc, projects: [] }]';
    expect(await run(['apply', 'FILE', '--prune', '--yes'], file)).toBe(
      'delete project acme/shop\ndelete project acme/empty\ndone\n',
    );
  });

  it('names the keys that go with what they reach', async () => {
    await run(['apply', 'FILE'], ACME);
    await app.key({ org: 'acme', project: 'empty' });
    await app.key({ org: 'acme', project: 'shop', application: 'web' });
    const file =
      'organizations: [{ slug: acme, name: Acme Inc, projects: [{ slug: shop, name: Shop, applications: [] }] }]';
    const { stdout } = await cli(['apply', 'FILE', '--prune', '--dry-run'], env, file);
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'delete 1 API key in acme/shop',
      'delete application acme/shop/web',
      'delete 1 API key in acme',
      'delete project acme/empty',
    ]);
  });

  it('does nothing when something else would be deleted than was agreed to', async () => {
    await run(['apply', 'FILE'], ACME);
    const agreed = [{ verb: 'delete' as const, noun: 'project', name: 'acme/other' }];
    const file = 'organizations: [{ slug: acme, name: Acme Inc, projects: [] }]';
    const apply = app.app.get(ProvisioningService).apply(file, { prune: true, agreed });
    await expect(apply).rejects.toThrow('the deletions differ from the approved plan');
    expect((await app.pool.query('select from projects')).rowCount).toBe(2);
  });

  it.each([
    [
      'organizations: [{ slug: a, name: A, users: [] }, { slug: a, name: A, users: [] }]',
      'organization a: is listed twice',
    ],
    [ACME.replace('name: "Nobody: yet"', 'name: " staff "'), 'distribution list acme/shop/staff: is listed twice'],
    [ACME.replace('name: All of ops', 'name: Tell'), 'notification acme/shop/web/order-paid/Tell: is listed twice'],
    [ACME.replace('slug: silent', 'slug: order-paid'), 'event acme/shop/web/order-paid: is listed twice'],
    [ACME.replace('slug: empty', 'slug: shop'), 'project acme/shop: is listed twice'],
    [ACME.replace('slug: quiet', 'slug: signed'), 'channel acme/signed: is listed twice'],
  ])('never sees a file that names a thing twice', async (file, sentence) => {
    const { code, stderr } = await cli(['apply', 'FILE', '--prune', '--yes'], env, file);
    expect([code, withoutPlace(stderr)]).toEqual([1, `carillon: ${sentence}\n`]);
  });

  it('leaves alone what the file holds no list of', async () => {
    await run(['apply', 'FILE'], ACME);
    const file = 'organizations: [{ slug: acme, name: Acme Inc, projects: [{ slug: shop, name: Shop }] }]';
    expect(await run(['apply', 'FILE', '--prune', '--yes'], file)).toBe('delete project acme/empty\ndone\n');
    const kept = await app.pool.query(`select (select count(*)::int from users) users,
      (select count(*)::int from channels) channels, (select count(*)::int from notifications) notifications`);
    expect(kept.rows).toEqual([{ users: 3, channels: 4, notifications: 2 }]);
  });

  it.each([
    ['channels', [], 'channel acme/mail cannot be deleted: the distribution list Staff, the notification Tell use it.'],
    ['channels', [], 'channel acme/signed cannot be deleted: the channel hook, the notification All of ops use it.'],
    ['lists', [], 'distribution list acme/shop/Staff cannot be deleted: the notification Tell uses it.'],
  ])('refuses to delete %s that are used', async (what, none, sentence) => {
    await run(['apply', 'FILE'], ACME);
    const lists = {
      slug: 'acme',
      name: 'Acme Inc',
      projects: [{ slug: 'shop', name: 'Shop', distribution_lists: none }],
    };
    const entry = what === 'lists' ? lists : { slug: 'acme', name: 'Acme Inc', channels: none };
    const file = JSON.stringify({ organizations: [entry] });
    const { code, stderr } = await cli(['apply', 'FILE', '--prune', '--yes'], env, file);
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
    expect((await app.pool.query('select from channels')).rowCount).toBe(4);
  });
});

describe('switches and ceilings', () => {
  const changed = (enabled: boolean, most: number | null) =>
    acmeWith((acme) => {
      const [shop] = acme.projects!;
      const [web] = shop!.applications!;
      Object.assign(shop!, { enabled });
      Object.assign(web!, { enabled });
      Object.assign(web!.events![0]!, { enabled, max_recipients: most });
    });

  it('are planned, applied, left as they stand when left out, and taken back', async () => {
    await run(['apply', 'FILE'], ACME);
    const { code, stdout } = await cli(['apply', 'FILE', '--dry-run'], env, changed(false, 5000));
    expect(code).toBe(2);
    for (const name of ['project acme/shop', 'application acme/shop/web', 'event acme/shop/web/order-paid'])
      expect(stdout).toContain(`update ${name}\n    enabled: true -> false\n`);
    expect(stdout).toContain('    max_recipients: (none) -> 5000\n');
    await run(['apply', 'FILE'], changed(false, 5000));
    expect(await run(['apply', 'FILE'], ACME)).toBe('nothing to change\n');
    expect(await run(['apply', 'FILE'], changed(true, null))).toContain('    max_recipients: 5000 -> (none)\n');
    expect((await app.pool.query('select from events where enabled and max_recipients is null')).rowCount).toBe(2);
  });

  it('are exported where something is off or has a ceiling, and nowhere else', async () => {
    await run(['apply', 'FILE'], changed(false, 5000));
    const exported = await run(['export', 'config', '--org', 'acme']);
    const [shop, empty] = readProvisioningFile(exported).file.organizations[0]!.projects!;
    const [web] = shop!.applications!;
    expect([shop, web, web!.events![0]]).toMatchObject([
      { enabled: false },
      { enabled: false },
      { enabled: false, max_recipients: 5000 },
    ]);
    for (const entry of [empty, web!.events![1]]) {
      expect(entry).not.toHaveProperty('enabled');
      expect(entry).not.toHaveProperty('max_recipients');
    }
    expect(await run(['apply', 'FILE', '--prune'], exported)).toBe('nothing to change\n');
  });

  it.each(['0', '-1', '1.5', '2147483648', '"7"'])('have no %s as a ceiling', async (bad) => {
    const file = ACME.replace('retention_days: 7', `max_recipients: ${bad}`);
    const { code, stderr } = await cli(['apply', 'FILE'], env, file);
    expect([code, stderr]).toEqual([1, expect.stringContaining('events[0].max_recipients: must ')]);
  });
});

/** What autovacuum may do at any time, here all the time: to count the rows of a transaction that is not committed yet, which is none. */
async function whileAnalyzing<T>(work: () => Promise<T>): Promise<T> {
  const done = new AbortController();
  const analyze = async () => {
    while (!done.signal.aborted) await app.pool.query('analyze users, addresses, members');
  };
  const analyzing = analyze();
  const result = await work().finally(() => done.abort());
  await analyzing;
  return result;
}

describe('export', () => {
  it('writes a file that applies without a change, and elsewhere gives the same file', async () => {
    await run(['apply', 'FILE'], ACME);
    const exported = await run(['export', 'config', '--org', 'acme']);
    expect(exported.split('\n').slice(0, 5)).toEqual([
      '# Written by carillon export.',
      '# It contains no secrets. carillon apply reads them from these environment variables:',
      '#   ACME_SIGNED_SECRET',
      '#   ACME_SHOP_HOOK_SECRET',
      '#   ACME_SHOP_WEB_STATUS_SECRET',
    ]);
    expect(exported).not.toContain('whsec_');
    // Only where it is not the default.
    expect(exported.match(/\bper: \w+/g)).toEqual(['per: person']);
    expect(await run(['apply', 'FILE', '--prune'], exported)).toBe('nothing to change\n');
    const elsewhere = { ...env, DATABASE_URL: second.databaseUrl };
    await run(['apply', 'FILE'], exported, elsewhere);
    expect(await run(['export', 'config', '--org', 'acme'], undefined, elsewhere)).toBe(exported);
    const hook = await second.pool.query(`select config->>'url' url from channels where slug = 'hook'`);
    expect(hook.rows).toEqual([{ url: 'http://127.0.0.1:9000/in' }]);
  });

  it('writes where a message for an inbox leads, its buttons and its data, and a plan names what differs', async () => {
    const file = (amount: number) => `
organizations:
  - slug: rich
    name: Rich
    channels: [{ slug: box, name: Box, type: inbox }]
    projects:
      - slug: shop
        name: Shop
        distribution_lists: [{ name: Staff }]
        applications:
          - slug: web
            name: Web
            events:
              - slug: paid
                name: Paid
                notifications:
                  - name: Tell
                    distribution_list: Staff
                    templates:
                      - channel: box
                        text: Hi
                        url: /orders/{{ order }}
                        image: https://acme.test/{{ order }}.png
                        actions: [{ label: Pay, url: "{{ pay }}" }]
                        data: { zebra: 1, amount: ${amount}, items: [{ id: "{{ order }}" }], none: null }
`;
    await run(['apply', 'FILE'], file(3));
    const exported = await run(['export', 'config', '--org', 'rich']);
    expect(exported).toContain('url: /orders/{{ order }}');
    expect(await run(['apply', 'FILE'], exported)).toBe('nothing to change\n');
    expect(await run(['apply', 'FILE'], file(4))).toContain('    templates.box.data.amount: 3 -> 4\n');
  });

  it('takes back what was added since, and keeps every character of a template', async () => {
    // A change of the template alone would make them outdated.
    const untranslated = ACME.replace(/, translations: .*$/m, ' }');
    await run(
      ['apply', 'FILE'],
      untranslated.replace('status_webhook', '# status_webhook').replace('retention_days: 7', ''),
    );
    await app.pool.query(`update templates set markdown = e'a\\u2028b\\n  c\\n'`);
    const exported = await run(['export', 'config', '--org', 'acme']);
    expect(await run(['apply', 'FILE'], exported)).toBe('nothing to change\n');
    await run(['apply', 'FILE'], untranslated.replace('fallback: signed, ', ''));
    expect(await run(['apply', 'FILE'], exported)).toContain('delete status webhook acme/shop/web\n');
    expect(await run(['export', 'config', '--org', 'acme'])).toBe(exported);
  });

  it('that fails leaves the file as it was', async () => {
    await run(['apply', 'FILE'], ACME);
    const target = put('out.yaml', 'before');
    // The last list has a member whose channel cannot be named.
    await app.pool.query(`update channels set slug = 'mail' where slug = 'hook'`);
    await app.pool.query(`delete from templates`);
    const { code } = await cli(['export', 'config', '--org', 'acme', '--out', target], env);
    expect([code, readFileSync(target, 'utf8'), readdirSync(folder.path)]).toEqual([1, 'before', ['out.yaml']]);
    const nowhere = await cli(['export', 'users', '--org', 'acme', '--out', join(folder.path, 'no', 'x')], env);
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('ENOENT')]);
  });

  it('leaves people out when it is told to, and writes to a file', async () => {
    await run(['apply', 'FILE'], ACME);
    const target = join(folder.path, 'out.yaml');
    expect(await run(['export', 'config', '--org', 'acme', '--no-people', '--out', target])).toBe('');
    const text = readFileSync(target, 'utf8');
    expect(text).not.toContain('@acme.test"');
    expect(readProvisioningFile(text).file.organizations[0]!.users).toBeUndefined();
    expect(await run(['apply', target, '--prune'])).toBe('nothing to change\n');
  });

  it('of many people comes in order and whole', async () => {
    const users = Array.from({ length: 6001 }, (_, i) => ({ email: `u${(i * 7919) % 6001}@acme.test` }));
    const lists = [{ name: 'All', members: users.map(({ email }) => email) }];
    const projects = [{ slug: 'p', name: 'P', distribution_lists: lists }];
    const file = JSON.stringify({ organizations: [{ slug: 'acme', name: 'Acme', users, projects }] });
    await run(['apply', 'FILE'], ACME);
    await app.empty(); // leaves pages without rows, for ANALYZE to see
    await whileAnalyzing(() => run(['apply', 'FILE'], file));
    const [acme] = readProvisioningFile(await run(['export', 'config', '--org', 'acme'])).file.organizations;
    const emails = users.map(({ email }) => email).sort();
    expect(acme!.users!.map(({ email }) => email).sort()).toEqual(emails);
    expect(acme!.projects![0]!.distribution_lists![0]!.members!.map(String).sort()).toEqual(emails);
  });

  it('refuses what a file could not say, and an organization that is not there', async () => {
    await run(['apply', 'FILE'], ACME);
    await app.pool.query(`update channels set slug = 'mail' where slug = 'hook'`);
    const hidden = await cli(['export', 'config', '--org', 'acme'], env);
    expect([hidden.code, hidden.stderr]).toEqual([
      1,
      expect.stringContaining(`uses the organization's channel mail, which a channel of the project hides`),
    ]);
    const none = await cli(['export', 'config', '--org', 'none'], env);
    expect([none.code, none.stderr]).toEqual([1, 'carillon: there is no organization none\n']);
  });
});

it('serves the schema that files are checked with', async () => {
  const { status, body } = await app.as().get('/api/provisioning.schema.json');
  const committed = readFileSync(join(root, 'src/operate/provisioning/provisioning.schema.json'), 'utf8');
  const stored = JSON.parse(committed) as { definitions: { channel: object } };
  expect(status).toBe(200);
  expect(body).toMatchObject(stored);
  expect(body).toMatchObject({ definitions: { config_email: { required: ['host', 'from'] } } });
});
