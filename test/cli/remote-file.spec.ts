import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';
import { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';
import { signingSecret } from '../support/world/signing-secret.js';

const ACME = `organizations:
  - slug: acme
    name: Acme Inc
    channels:
      - { slug: mail, name: Mail, type: log }
      - { slug: hook, name: Hook, type: webhook, config: { url: "https://h.test/", secret: { env: HOOK }, rate: { env: RATE } } }
    users:
      - { email: ann@acme.test, first_name: Ann }
    projects:
      - slug: shop
        name: Shop
        distribution_lists:
          - { name: Staff, members: [ann@acme.test] }
        applications:
          - slug: web
            name: Web
            events:
              - slug: paid
                name: Paid
                notifications:
                  - { name: Tell, distribution_list: Staff, templates: [{ channel: mail, text: { file: hi.txt } }] }
      - { slug: blog, name: Blog }
`;
const SECRETS = { HOOK: signingSecret('marker-of-a-hook'), RATE: '5' };

let app: TestApp;
let folder: TestFolder;
let database: Record<string, string>;

beforeAll(async () => {
  app = await TestApp.start();
  database = { DATABASE_URL: app.databaseUrl, ...SECRETS };
});
afterAll(() => app.stop());
beforeEach(async () => {
  folder = createFolder();
  writeFileSync(join(folder.path, 'hi.txt'), 'Hi\n');
  await app.empty();
});
afterEach(() => folder.remove());

/** A machine that knows the service, and no database. */
const remote = (key: string): Record<string, string> => ({ CARILLON_URL: app.url, CARILLON_KEY: key, ...SECRETS });

function put(text: string): string {
  const path = join(folder.path, 'acme.yaml');
  writeFileSync(path, text);
  return path;
}

const changed = ACME.replace('name: Blog', 'name: Our blog').replace('name: Hook', 'name: Callback');

describe('a file over the network', () => {
  it('is planned, applied and exported with what the database way prints', async () => {
    await cli(['apply', put(ACME)], database);
    const key = await app.key();
    const path = put(changed);
    for (const args of [
      ['plan', path],
      ['apply', path, '--dry-run', '--json'],
      ['export', 'config', '--org', 'acme'],
    ])
      expect([args, await cli(args, remote(key))]).toEqual([args, await cli(args, database)]);
    expect(await cli(['apply', path], remote(key))).toEqual({
      code: 0,
      stdout:
        'update channel acme/hook\n    name: Hook -> Callback\nupdate project acme/blog\n    name: Blog -> Our blog\ndone\n',
      stderr: '',
    });
    expect((await cli(['apply', path], database)).stdout).toBe('nothing to change\n');
    const options = ['--url', app.url, '--key', key];
    expect((await cli(['apply', path, ...options], SECRETS)).stdout).toBe('nothing to change\n');
  });

  it('is refused with the lines of its mistakes, as the database way prints them', async () => {
    await cli(['apply', put(ACME)], database);
    const path = put(
      ACME.replace('type: log', 'type: lgo').replace('distribution_list: Staff', 'distribution_list: Stuff'),
    );
    const [here, there] = [await cli(['apply', path], database), await cli(['apply', path], remote(await app.key()))];
    expect(there.stderr.split('\n')).toEqual([
      expect.stringMatching(/^carillon: \S+acme\.yaml:5: channel acme\/mail: type: is not a channel type/),
      expect.stringMatching(
        /acme\.yaml:21: notification acme\/shop\/web\/paid\/Tell: distribution_lists: there is no list/,
      ),
      '',
    ]);
    expect(there).toEqual(here);
  });

  it('prints a warning for a field in a template that does not exist, with its line, both ways', async () => {
    await cli(['apply', put(ACME)], database);
    writeFileSync(join(folder.path, 'hi.txt'), 'Hi {{ event.nmae }}');
    const path = put(ACME);
    const there = await cli(['plan', path], remote(await app.key()));
    expect([there.code, there.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^warning: \S+acme\.yaml:21: notification acme\/shop\/web\/paid\/Tell: templates\.mail\.text: event\.nmae does not exist/,
      ),
    ]);
    expect(await cli(['plan', path], database)).toEqual(there);
  });

  it('names a reference that cannot be resolved, before anything is sent', async () => {
    const { code, stderr } = await cli(['apply', put(ACME)], {
      CARILLON_URL: 'http://127.0.0.1:1',
      CARILLON_KEY: 'k',
      RATE: '5',
    });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('acme.yaml:6: channel acme/hook: config.secret: needs'),
    ]);
  });

  it('asks for --yes before it deletes', async () => {
    await cli(['apply', put(ACME)], database);
    const path = put(ACME.replace('      - { slug: blog, name: Blog }\n', ''));
    const env = remote(await app.key());
    const refused = await cli(['apply', path, '--prune'], env);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('add --yes to confirm these deletions\ndelete project acme/blog'),
    ]);
    expect((await cli(['apply', path, '--prune', '--yes'], env)).stdout).toBe('delete project acme/blog\ndone\n');
  });
});

describe('a key of one project', () => {
  const projectOnly = (project: string, text = 'Hi') => `organizations:
  - slug: acme
    name: Acme Inc
    projects:
      - slug: ${project}
        name: ${project === 'shop' ? 'Shop' : 'Taken over'}
        channels:
          - { slug: own, name: Own, type: log }
        applications:
          - slug: web
            name: Web
            events:
              - slug: paid
                name: Paid
                notifications:
                  - { name: Tell, distribution_list: Staff, templates: [{ channel: own, text: "${text}" }] }
`;

  it('changes this project from a machine without the database', async () => {
    await cli(['apply', put(ACME)], database);
    const env = remote(await app.key({ org: 'acme', project: 'shop' }));
    const { code, stdout, stderr } = await cli(['apply', put(projectOnly('shop', 'New'))], env);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('create channel acme/shop/own\nupdate notification acme/shop/web/paid/Tell\n');
    const exported = await cli(['export', 'config', '--org', 'acme'], env);
    expect(exported.stdout).toContain('slug: shop');
    expect(exported.stdout).not.toMatch(/blog|first_name|slug: mail/);
  });

  it('is refused for others with the words of the API, and nothing changes', async () => {
    await cli(['apply', put(ACME)], database);
    const key = await app.key({ org: 'acme', project: 'shop' });
    const refused = async (file: string) => {
      const { code, stdout, stderr } = await cli(['apply', put(file)], remote(key));
      expect([code, stdout]).toEqual([1, '']);
      return stderr;
    };
    const words = async (answer: PromiseLike<{ body: unknown }>) =>
      `carillon: ${((await answer).body as { detail: string }).detail}\n`;
    const api = () => app.as(key);
    expect(await refused(projectOnly('blog'))).toBe(
      await words(api().patch('/api/o/acme/p/blog/').send({ name: 'Taken over' })),
    );
    expect(await refused(ACME)).toBe(await words(api().patch('/api/o/acme/p/blog/').send({ name: 'Blog' })));
    const channel = { slug: 'own', name: 'Own', type: 'log' };
    const ofOrganization = `organizations: [{ slug: acme, name: Acme Inc, channels: [${JSON.stringify(channel)}] }]`;
    expect(await refused(ofOrganization)).toBe(await words(api().post('/api/o/acme/c/').send(channel)));
    const elsewhere = 'organizations: [{ slug: globex, name: Globex }]';
    expect(await refused(elsewhere)).toBe(await words(api().get('/api/o/globex/')));
    const { rows } = await app.pool.query('select slug, name from projects order by slug');
    expect(rows).toEqual([
      { slug: 'blog', name: 'Blog' },
      { slug: 'shop', name: 'Shop' },
    ]);
    expect((await app.pool.query(`select from channels where slug = 'own'`)).rowCount).toBe(0);
  });

  it('runs as a program on a machine that has no database, no secrets and no data folder', async () => {
    await cli(['apply', put(ACME)], database);
    const key = await app.key({ org: 'acme', project: 'shop' });
    const [own, other] = [createFolder(), createFolder()];
    writeFileSync(join(own.path, 'file.yaml'), projectOnly('shop', 'From afar'));
    writeFileSync(join(other.path, 'file.yaml'), projectOnly('blog'));
    const words = (await app.as(key).patch('/api/o/acme/p/blog/').send({ name: 'Taken over' })).body as {
      detail: string;
    };
    const [changes, refusal] = await Promise.all([program(own, key), program(other, key)]);
    expect(changes).toEqual({
      ...{ code: 0, stderr: '', files: ['file.yaml'] },
      stdout: expect.stringMatching(
        /create channel acme\/shop\/own\nupdate notification acme\/shop\/web\/paid\/Tell\n/,
      ),
    });
    expect(refusal).toEqual({ code: 1, stdout: '', stderr: `carillon: ${words.detail}\n`, files: ['file.yaml'] });
    const { rows } = await app.pool.query(
      `select slug, name from projects union select 'text', text from templates order by slug`,
    );
    expect(rows).toEqual([
      { slug: 'blog', name: 'Blog' },
      { slug: 'shop', name: 'Shop' },
      { slug: 'text', name: 'From afar' },
    ]);
  });

  /** `carillon apply --url` in a process of its own, and what is in its folder afterwards. */
  async function program({ path, remove }: TestFolder, key: string) {
    const args = [join(root, 'dist', 'main.js'), 'apply', 'file.yaml', '--url', app.url];
    const env = { PATH: process.env.PATH, HOME: path, CARILLON_KEY: key };
    const ended = await new Promise<object>((done) => {
      execFile(process.execPath, args, { cwd: path, env }, (error, stdout, stderr) =>
        done({ code: error ? error.code : 0, stdout, stderr }),
      );
    });
    const files = readdirSync(path);
    remove();
    return { ...ended, files };
  }
});
