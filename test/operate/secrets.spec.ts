import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { cli } from '../support/app/cli.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { Service } from '../support/app/service.js';
import { isStream, operations } from '../support/contract/contract.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';
import { fileOf, mail, webhook } from '../support/world/tenant.js';
import { addDraft } from '../support/world/draft.js';

const MARKER = 'mArKeR0f4Secret';
const HOOK_KEY = Buffer.from(`${MARKER} of the webhook`).toString('base64');
const HOOK_SECRET = `whsec_${HOOK_KEY}`;
const OLD_HOOK_SECRET = `${MARKER}-of-the-webhook-before`;
const STATUS_KEY = Buffer.from(`${MARKER} of the status webhook`).toString('base64');
const STATUS_SECRET = `whsec_${STATUS_KEY}`;
const LOGIN = { username: 'acme', password: `${MARKER}-of-the-mail-server` };

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Every form in which a secret is kept, sent or could be quoted. */
const SECRETS = [
  MARKER,
  HOOK_KEY,
  base64(OLD_HOOK_SECRET),
  STATUS_KEY,
  base64(LOGIN.password),
  base64(`\0${LOGIN.username}\0${LOGIN.password}`),
];

/** What the endpoint at each path answers. */
const STATUS_OF: Record<string, number> = { '/ok': 200, '/status': 410 };
const BODY_OF: Record<string, string> = {
  '/long': `${'.'.repeat(1000)}${HOOK_SECRET}`,
  '/status': `not by ${STATUS_SECRET}`,
};

const found = (text: string) => SECRETS.filter((secret) => text.includes(secret));

let database: TestDatabase;
let pool: Pool;
let service: Service;
let hooks: HttpSink;
let mails: SmtpSink;
let key: string;

/** One service, all of whose providers quote what they were sent. */
beforeAll(async () => {
  database = await createDatabase();
  pool = new Pool({ connectionString: database.url, max: 2 });
  hooks = await HttpSink.start();
  hooks.reply = ({ path, headers }) => ({
    status: STATUS_OF[path] ?? 500,
    body: BODY_OF[path] ?? quoted(path, String(headers['webhook-signature'])),
  });
  // It wants another password than the channel has, and quotes the wrong one.
  mails = await SmtpSink.start({ login: { ...LOGIN, password: 'another' } });
  const env = { DATABASE_URL: database.url };
  const paths = ['ok', 'quotes', 'bare', 'long'];
  const channels = [
    ...paths.map((path) =>
      webhook(path, hooks.url(`/${path}`), { secret: HOOK_SECRET, previous_secret: OLD_HOOK_SECRET }),
    ),
    mail('mail', mails.port, LOGIN),
  ];
  const templates = channels.map(({ slug }) => ({ channel: slug, subject: 'Order', text: 'Hi' }));
  const file = fileOf('acme', {
    channels,
    lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates }],
    statusWebhook: { url: hooks.url('/status'), secret: STATUS_SECRET },
  });
  service = await Service.start({ ...env, OUTBOUND_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'debug' });
  const applied = await cli(['apply', 'FILE'], env, file);
  expect([applied.code, found(applied.stdout + applied.stderr)]).toEqual([0, []]);
  const made = await cli(['key', 'create', '--org', 'acme', '--name', 'ci', '--all', '--json'], env);
  ({ key } = JSON.parse(made.stdout) as { key: string });
  await Promise.all(['ok', 'quotes', 'mail'].map(answerOver));
});

afterAll(async () => {
  await service.stop();
  await pool.end();
  await database.drop();
  await Promise.all([hooks.close(), mails.close()]);
});

const quoted = (path: string, signature: string) =>
  `${signature} is not by ${path === '/bare' ? HOOK_KEY : HOOK_SECRET} nor by ${OLD_HOOK_SECRET}`;

async function call(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
  const headers = { Authorization: `Key ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(service.url + path, { method, headers, body: body && JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

/** Sends a message over a channel, and answers what is kept of the provider's words. */
async function answerOver(channel: string): Promise<string> {
  const trigger = await call('POST', '/api/o/acme/p/shop/a/web/e/order-paid/trigger/', {
    options: { channels: [channel] },
  });
  expect(trigger.status).toBe(201);
  return until(20_000, async () => {
    const { rows } = await pool.query<{ answer: string }>(
      `select a.answer from attempts a join deliveries d on d.id = a.delivery_id join channels c on c.id = d.channel_id
       where c.slug = $1`,
      [channel],
    );
    return rows[0]?.answer;
  });
}

async function deliveryOver(channel: string): Promise<{ occurrence: string; delivery: string }> {
  const { rows } = await pool.query<{ occurrence: string; delivery: string }>(
    `select d.occurrence_id occurrence, d.id delivery from deliveries d join channels c on c.id = d.channel_id where c.slug = $1`,
    [channel],
  );
  return rows[0]!;
}

/** Every row of every table, the queue's included, as text. */
async function dump(): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) "name" from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text "row" from ${name} t`);
    texts.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return texts.join('\n');
}

async function thingsToRead(): Promise<Record<string, string>> {
  const { status } = await call('POST', '/api/o/acme/p/shop/categories/', { slug: 'news', name: 'News' });
  const { text } = await call('POST', '/api/o/acme/suppressions/', { name: 'email', value: 'gone@acme.test' });
  expect(status).toBe(201);
  const schedule = '/api/o/acme/p/shop/a/web/e/order-paid/schedule/';
  expect((await call('PUT', schedule, { cron: '0 9 * * mon', enabled: false })).status).toBe(200);
  const page = { html: '{{ content }}' };
  for (const owner of ['/api/o/acme', '/api/o/acme/p/shop'])
    for (const noun of ['layouts', 'partials'])
      expect((await call('PUT', `${owner}/${noun}/main/`, page)).status).toBeLessThan(300);
  const uploaded = await call('POST', '/api/o/acme/uploads/?filename=a.txt', { a: 1 });
  const { id: upload } = JSON.parse(uploaded.text) as { id: string };
  return {
    layout: 'main',
    partial: 'main',
    draft: await addDraft(pool, 'acme'),
    upload,
    category: 'news',
    suppression: String((JSON.parse(text) as { id: number }).id),
  };
}

describe('the secrets of a channel and of a status webhook', () => {
  it('are not in the database, wherever one looks', async () => {
    const text = await dump();
    for (const table of ['public.channels', 'public.attempts', 'public.jobs']) {
      expect(text).toContain(`\n${table} `);
    }
    expect(text).toContain(hooks.url('/quotes'));
    expect(found(text)).toEqual([]);
  });

  it('are in no answer of the API', async () => {
    const isOfProject = (path: string) => path.includes('/p/{prj}/c/{channel}/'); // the channels are the organization's
    const gets = operations.filter(
      (operation) => operation.method === 'GET' && !isStream(operation) && !isOfProject(operation.path),
    );
    const names: Record<string, string> = {
      ...{ org: 'acme', prj: 'shop', app: 'web', evt: 'order-paid' },
      ...{ username: 'ann@acme.test', email: 'ann@acme.test' },
      pk: String((await pool.query<{ id: number }>('select id from distribution_lists')).rows[0]!.id),
      channel: 'quotes',
      notification: String((await pool.query<{ id: number }>('select id from notifications')).rows[0]!.id),
      ...(await deliveryOver('quotes')),
      ...(await thingsToRead()),
    };
    const answers: Awaited<ReturnType<typeof call>>[] = [];
    // One after the other: all at once are more than an organization's share of connections.
    for (const { path } of gets)
      answers.push(
        await call(
          'GET',
          path.replace(/\{(\w+)\}/g, (_, name: string) => names[name]!),
        ),
      );
    expect(answers.length).toBeGreaterThan(12);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.some(({ text }) => text.includes('"quotes"'))).toBe(true);
    expect(answers.some(({ text }) => text.includes('is not by *** nor by ***'))).toBe(true);
    expect(answers.flatMap(({ text }) => found(text))).toEqual([]);
  });

  it('are not in the log, however much it says', async () => {
    await until(20_000, () => service.output.includes('"answer":"410 not by ***"'));
    expect(service.output).toContain('"message":"request"');
    // Only at the level `debug` does it tell how it starts.
    expect(service.output).toContain('"context":"InstanceLoader"');
    expect(found(service.output)).toEqual([]);
  });
});

describe('what a provider says', () => {
  it('is kept without the secret that it quotes', async () => {
    expect(await answerOver('quotes')).toMatch(/^500 v1,\S+ v1,\S+ is not by \*\*\* nor by \*\*\*$/);
    expect(await answerOver('ok')).toMatch(/^200 v1,\S+ v1,\S+ is not by \*\*\* nor by \*\*\*$/);
    expect(await answerOver('mail')).toMatch(/^535 .*\*\*\*/);
  });

  it('is kept without the secret that it quotes in the bare form, without its whsec_', async () => {
    expect(found(await answerOver('bare'))).toEqual([]);
  });

  it('is kept without the beginning of a secret that it was cut short in', async () => {
    const answer = await answerOver('long');
    expect(answer).toMatch(/^500 \.{1000}/);
    expect(answer).not.toContain(HOOK_KEY.slice(0, 8));
  });
});
