import { beforeEach, expect, it } from '@jest/globals';
import { cli } from '../support/app/cli.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';
import { Tenant, inbox, mail } from '../support/world/tenant.js';

const BOB = 'bob@acme.test';
const PHONE = '+15551234567';

let app: TestApp;
let sink: SmtpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => SmtpSink.start(),
  (started) => (sink = started),
);

beforeEach(() => app.empty());

const tenant = () =>
  Tenant.create(app, {
    channels: [mail('mail', sink.port), inbox('inbox')],
    users: [{ email: BOB, first_name: 'Bobby', addresses: [{ name: 'phone', value: PHONE }] }],
    lists: [{ name: 'Staff', members: [BOB, 'ann@acme.test', 'jim-bob@acme.test'] }],
    notifications: [
      {
        name: 'Tell',
        distribution_list: 'Staff',
        templates: [
          { channel: 'mail', subject: 'Hi {{ user.first_name }}', text: 'secret {{ code }}' },
          { channel: 'inbox', text: 'secret {{ code }}' },
        ],
      },
    ],
  });

const ask = async (who: Tenant, method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) => {
  const answer = await app.as(who.key)[method](`/api/o/${who.org}${path}`).send(body);
  expect([path, answer.status < 300, answer.body]).toEqual([path, true, answer.body]);
  return answer;
};

/** The rows of all tables that hold a text, by table. */
async function rowsWith(text: string): Promise<Record<string, number>> {
  const { rows } = await app.pool.query<{ name: string }>(
    `select table_name name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const counts = await Promise.all(
    rows.map(async ({ name }) => {
      const pattern = `(^|[^-a-z])${text.replace(/[.+]/g, '\\$&')}`;
      const found = await app.pool.query(`select from "${name}" t where t::text ~* $1`, [pattern]);
      return [name, found.rowCount ?? 0] as const;
    }),
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Runs the second pass now, and waits until no job is left. */
const erased = (userId: number) =>
  until(20_000, async () => {
    await app.pool.query(`update jobs set run_at = now() where task = 'erase' and state = 'scheduled'`);
    const { rowCount } = await app.pool.query(`select from jobs where (payload->>'user')::int = $1`, [userId]);
    return rowCount === 0;
  });

it('erasing a user removes their data from every table, and keeps counts and a suppression', async () => {
  const acme = await tenant();
  sink.reply.rcpt = (to) => (to.startsWith('bob') ? { code: 550, text: `5.1.1 <${BOB}> User unknown` } : undefined);
  const all = await acme.trigger({ code: 'c-1', customer: { email: 'Bob@acme.test', phone: PHONE } });
  await acme.settled(all);
  const alone = await acme.trigger({ code: 'c-2' }, { limit_to: [BOB] });
  await acme.settled(alone);
  const { id } = (await ask(acme, 'get', `/u/${BOB}/`)).body as { id: number };
  expect(Object.keys(await rowsWith(BOB))).toEqual(
    expect.arrayContaining([
      'users',
      'addresses',
      'messages',
      'attempts',
      'occurrences',
      'suppressions',
      'audit_entries',
    ]),
  );

  await ask(acme, 'delete', `/u/${BOB}/?erase=1`);
  await erased(id);
  for (const text of [BOB, PHONE, 'Bobby']) expect([text, await rowsWith(text)]).toEqual([text, {}]);
  // Those of others are whole.
  expect(await rowsWith('jim-bob@acme.test')).toMatchObject({ users: 1, messages: 1 });
  expect((await ask(acme, 'get', `/occurrences/${all}/`)).body).toMatchObject({
    context: { code: 'c-1', customer: { email: '[erased]', phone: '[erased]' } },
  });
  const kept = (await ask(acme, 'get', `/occurrences/${all}/deliveries/`)).body as { status: string }[];
  expect(kept.map(({ status }) => status).sort()).toEqual(['dead', 'sent', 'sent', 'sent', 'sent', 'sent']);
  expect((await ask(acme, 'get', `/occurrences/${alone}/`)).body).toMatchObject({
    context: {},
    options: { limit_to: ['[erased]'] },
  });

  const audit = (await ask(acme, 'get', '/audit/?order=desc')).body as { verb: string; noun: string; name: string }[];
  expect(audit).toContainEqual(expect.objectContaining({ verb: 'erase', noun: 'user', name: `[user ${id}]` }));
  expect(audit).toContainEqual(
    expect.objectContaining({ verb: 'create', noun: 'suppression', name: 'email/[erased]' }),
  );
  const verified = await cli(['audit', 'verify', '--org', acme.org], { DATABASE_URL: app.databaseUrl });
  expect(verified.stderr).toBe('');

  // The address comes back, over a list: it is suppressed as before.
  expect((await ask(acme, 'get', '/suppressions/')).body).toEqual([]);
  const [list] = (await ask(acme, 'get', '/p/shop/d/')).body as { id: number }[];
  await ask(acme, 'post', `/p/shop/d/${list!.id}/add/`, ['BOB@acme.test']);
  expect((await ask(acme, 'get', '/suppressions/')).body).toMatchObject([
    { name: 'email', value: 'BOB@acme.test', cause: 'hard_bounce' },
  ]);
});

it('erasing a user removes the files of occurrences that were about them alone', async () => {
  const acme = await tenant();
  const attachments = [{ filename: 'payslip.txt', content: 'SGVsbG8=' }];
  const alone = await acme.trigger({}, { limit_to: [BOB], attachments });
  const all = await acme.trigger({}, { attachments });
  for (const occurrence of [alone, all]) await acme.settled(occurrence);
  const { id } = (await ask(acme, 'get', `/u/${BOB}/`)).body as { id: number };
  await ask(acme, 'delete', `/u/${BOB}/?erase=1`);
  await erased(id);
  const { rows } = await app.pool.query<{ of: string }>('select occurrence_id of from attachments');
  expect(rows).toEqual([{ of: all }]);
  const filesOf = async (occurrence: string) =>
    ((await ask(acme, 'get', `/occurrences/${occurrence}/`)).body as { attachments: object[] }).attachments;
  expect([(await filesOf(alone)).length, (await filesOf(all)).length]).toEqual([0, 1]);
});

it('a user who is erased is no longer among those who are told of channels that fail', async () => {
  const acme = await tenant();
  const alerts = { users: ['ann@acme.test', 'Bob@acme.test'] };
  await ask(acme, 'patch', '/settings/', { alerts });
  await ask(acme, 'delete', `/u/${BOB}/?erase=1`);
  expect((await ask(acme, 'get', '/settings/')).body).toMatchObject({ alerts: { users: ['ann@acme.test'] } });
});

it('a user that is deleted without ?erase=1 leaves the records of their messages', async () => {
  const acme = await tenant();
  const occurrence = await acme.trigger({ code: 'c-3' });
  await acme.settled(occurrence);
  await ask(acme, 'delete', `/u/${BOB}/`);
  expect(await rowsWith(BOB)).toMatchObject({ messages: 1 });
});

it('the export of a user has a line for everything that is stored about them, and nothing of others', async () => {
  const acme = await tenant();
  const occurrence = await acme.trigger({ code: 'c-4' });
  await acme.settled(occurrence);
  await ask(acme, 'post', '/suppressions/', { name: 'phone', value: PHONE, cause: 'stop' });
  const answer = await app
    .as(acme.key)
    .get(`/api/o/${acme.org}/u/${BOB}/export/`)
    .buffer(true)
    .parse((response, done) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk));
      response.on('end', () => done(null, text));
    });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/x-ndjson']);
  const text = answer.body as string;
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter(({ kind }) => kind !== 'audit_entry')).toEqual([
    expect.objectContaining({ kind: 'user', email: BOB, first_name: 'Bobby' }),
    { kind: 'address', name: 'email', value: BOB },
    { kind: 'address', name: 'phone', value: PHONE },
    expect.objectContaining({
      kind: 'membership',
      project: 'shop',
      distribution_list: 'Staff',
      address: BOB,
      active: true,
    }),
    expect.objectContaining({ kind: 'suppression', value: PHONE, cause: 'stop' }),
    expect.objectContaining({
      ...{ kind: 'delivery', occurrence, channel: 'mail', status: 'sent' },
      message: expect.objectContaining({ recipient: BOB, subject: 'Hi Bobby', text: 'secret c-4' }),
    }),
    expect.objectContaining({ kind: 'delivery', occurrence, channel: 'inbox', status: 'sent' }),
    expect.objectContaining({ kind: 'inbox_message', text: 'secret c-4' }),
  ]);
  expect(lines.filter(({ kind }) => kind === 'audit_entry').map(({ noun }) => noun)).toEqual(
    expect.arrayContaining(['user', 'address', 'member']),
  );
  expect(text).not.toMatch(/ann@acme|jim-bob/);
});
