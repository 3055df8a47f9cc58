import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import ts from 'typescript';
import { Permission } from '../../src/auth/permission.js';
import { root } from '../../src/platform/config/root.js';
import { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { useSink } from '../support/app/use.js';
import { FakeSlack } from '../support/providers/slack.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';

const EVE = 'eve@example.com';
const folder = join(root, 'examples', 'shop');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

let mails: SmtpSink;
let slack: FakeSlack;
let app: TestApp;
let shop: ChildProcess | undefined;
useSink(
  () => SmtpSink.start(),
  (sink) => (mails = sink),
);
useSink(
  () => FakeSlack.start(),
  (sink) => (slack = sink),
);
useSink(
  async () => {
    const started = await TestApp.start({ ROLE: 'all', PUBLIC_URL: 'http://127.0.0.1:3000' });
    return Object.assign(started, { close: () => started.stop() });
  },
  (started) => (app = started),
);
afterEach(() => void shop?.kill());

/** Applies the file as the example says, to sinks on ports of this test. Returns the environment of the shop. */
async function configure(): Promise<Record<string, string>> {
  const env = { DATABASE_URL: app.databaseUrl, SLACK_URL: slack.webhookUrl };
  const file = read('carillon.yaml').replace('port: 1025', `port: ${mails.port}`);
  expect(file).toContain(String(mails.port));
  expect(await cli(['apply', 'FILE'], env, file)).toMatchObject({ code: 0, stderr: '' });
  const permissions = [Permission.EventTrigger, Permission.UserWrite, Permission.TokenCreate];
  return { CARILLON_URL: app.url, CARILLON_KEY: await app.key({ org: 'acme', permissions }) };
}

const run = (command: string, args: string[], env: Record<string, string>) =>
  spawn(command, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs a server, and returns where it listens. */
async function serve(command: string, args: string[], env: Record<string, string>): Promise<string> {
  shop = run(command, args, { ...env, PORT: String(await freePort()) });
  let output = '';
  shop.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const url = await until(20_000, () => /http:\S+/.exec(output)?.[0]);
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await until(20_000, answers);
  return url;
}

type Act = (path: string, body: Record<string, string | number>) => Promise<void>;

const overHttp =
  (url: string): Act =>
  async (path, body) => {
    const headers = { 'Content-Type': 'application/json' };
    const { status } = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(status).toBe(200);
  };

/** Runs the shop with Express, and returns where it listens. */
function serveTypeScript(env: Record<string, string>): Promise<string> {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  const { outputText } = ts.transpileModule(read('server.ts'), { compilerOptions });
  return serve(process.execPath, ['--input-type=module', '--eval', outputText], env);
}

const LANGUAGES: Record<string, (env: Record<string, string>) => Promise<Act>> = {
  TypeScript: async (env) => overHttp(await serveTypeScript(env)),
  Python: async (env) => overHttp(await serve('python3', [join(folder, 'server.py')], env)),
  curl: (env) =>
    Promise.resolve(async (path, { email, name, order, total }) => {
      const args = path === '/orders' ? ['order-paid', email, order, total] : ['signed-up', email, name];
      const child = run(join(folder, 'shop.sh'), args.map(String), env);
      expect((await once(child, 'exit'))[0]).toBe(0);
    }),
};

const mailsOf = () => Promise.all(mails.mails.map(({ raw }) => PostalMime.parse(raw)));
const statuses = async () =>
  (
    await app.pool.query<{ status: string }>(
      `select e.slug || ' ' || n.name || ' ' || coalesce(d.gate::text, d.status::text) status from deliveries d
       join occurrences o on o.id = d.occurrence_id join events e on e.id = o.event_id join notifications n on n.id = d.notification_id
       order by d.id`,
    )
  ).rows.map(({ status }) => status);

describe('the example of a shop', () => {
  it('takes fewer than 60 lines of configuration and code', () => {
    const lines = (name: string) => read(name).trimEnd().split('\n').length;
    expect(lines('carillon.yaml') + lines('server.ts')).toBeLessThan(60);
  });

  const hasPython = spawnSync('python3', ['--version']).status === 0;
  for (const [language, start] of Object.entries(LANGUAGES)) {
    const itRuns = language === 'Python' && !hasPython ? it.skip : it;
    itRuns(`welcomes a customer, confirms an order and tells the team in ${language}, one trigger each`, async () => {
      const act = await start(await configure());
      await act('/customers', { email: EVE, name: 'Eve' });
      await until(20_000, () => mails.mails.length === 1);
      await act('/orders', { email: EVE, order: 'A-17', total: 120 });
      await until(20_000, () => mails.mails.length === 2 && slack.posts.length === 1);

      const [welcome, confirmation] = await mailsOf();
      expect([welcome!.subject, confirmation!.subject]).toEqual(['Hi Eve', 'Order A-17']);
      expect(confirmation!.text).toContain('Thank you, Eve.');
      expect(slack.posts.map(({ text }) => text)).toEqual(['Order A-17: 120 EUR']);
      const key = await app.key({ org: 'acme' });
      const inbox = await app.as(key).get(`/api/o/acme/u/${EVE}/inbox/`);
      expect(inbox.body).toMatchObject([{ text: 'Order A-17 is paid. We are packing it.' }]);

      const [, path] = /Stop tips: http:\/\/127\.0\.0\.1:3000(\/u\/\S+)/.exec(welcome!.text!)!;
      expect((await app.as().post(path!).type('form').send('List-Unsubscribe=One-Click')).status).toBe(200);
      await act('/customers', { email: EVE, name: 'Eve' });
      await until(20_000, async () => (await statuses()).includes('signed-up Welcome opted_out'));
      expect(mails.mails).toHaveLength(2);
    });
  }

  it('hands out the token for the inbox in the page', async () => {
    const url = await serveTypeScript(await configure());
    await overHttp(url)('/customers', { email: EVE, name: 'Eve' });
    const answer = await fetch(`${url}/token?email=${EVE}`);
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ token: expect.any(String) })]);
  });
});
