import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';
import { Tenant, mail, webhook } from '../support/world/tenant.js';

let app: TestApp;
let hooks: HttpSink;
let mails: SmtpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (hooks = started),
);
useSink(
  () => SmtpSink.start(),
  (started) => (mails = started),
);

const MEMBERS = ['ann@acme.test', 'bob@acme.test', 'eve@acme.test'];

const tenantWith = (slug: 'hook' | 'mail') =>
  Tenant.create(app, {
    channels: [slug === 'hook' ? webhook('hook', hooks.url('/in')) : mail('mail', mails.port)],
    lists: [{ name: 'Staff', members: MEMBERS }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: slug, text: 'Hi' }] }],
  });

const stateOf = async ({ org }: Tenant) => {
  const { rows } = await app.pool.query<{ isPaused: boolean; suppressions: number }>(
    `select exists (select from channel_states s join channels c on c.id = s.channel_id
                    where c.organization_id = o.id and probe_at is not null) "isPaused",
            (select count(*)::int from suppressions where organization_id = o.id) suppressions
     from organizations o where slug = $1`,
    [org],
  );
  return rows[0]!;
};

const probeNow = () =>
  app.pool.query(`
  with probe as (update channel_states set probe_at = now() where probe_at is not null),
       due as (update deliveries set next_attempt_at = now() where status = 'pending')
  update jobs set state = 'ready', run_at = now() where state = 'scheduled'`);

it.each([
  ['hook', 'a 401', () => (hooks.reply = () => ({ status: 401, body: 'wrong key' }))],
  ['mail', 'a wrong login', () => (mails.reply.mail = () => ({ code: 535, text: '5.7.8 login failed' }))],
  [
    'mail',
    'a domain that Outlook refuses',
    () => (mails.reply.data = () => ({ code: 550, text: '5.7.515 Access denied, sending domain ACME.TEST' })),
  ],
] as const)(
  'over a %s, %s pauses the channel at once, keeps every message and suppresses nobody',
  async (slug, _, fail) => {
    const tenant = await tenantWith(slug);
    fail();
    const occurrence = await tenant.trigger();
    await until(15_000, async () => (await stateOf(tenant)).isPaused);
    const waiting = await tenant.deliveries(occurrence);
    expect(waiting.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
    expect(await stateOf(tenant)).toEqual({ isPaused: true, suppressions: 0 });
    hooks.reply = () => ({ status: 200 });
    mails.reply = {};
    // What the failed attempts have cost is not counted: there are as many left as before.
    const { rows } = await app.pool.query<{ counted: number }>(
      'select sum(attempts - attempts_before)::int counted from deliveries where occurrence_id = $1',
      [occurrence],
    );
    expect(rows).toEqual([{ counted: 0 }]);
    await until(15_000, async () => {
      await probeNow();
      return (await tenant.deliveries(occurrence)).every(({ status }) => status === 'sent');
    });
    expect(await stateOf(tenant)).toEqual({ isPaused: false, suppressions: 0 });
  },
);

it('a message that the receiver refuses ends alone: its channel goes on', async () => {
  const tenant = await tenantWith('hook');
  hooks.reply = ({ body }) => ({ status: body.includes('bob@acme.test') ? 422 : 200 });
  const deliveries = await tenant.triggerAndSettle();
  expect(deliveries.map(({ user, status }) => [user, status])).toEqual([
    ['ann@acme.test', 'sent'],
    ['bob@acme.test', 'dead'],
    ['eve@acme.test', 'sent'],
  ]);
  expect(await stateOf(tenant)).toEqual({ isPaused: false, suppressions: 0 });
});
