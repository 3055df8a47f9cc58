import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { Tenant, mail, travelToNextAttempt } from '../support/world/tenant.js';

let app: TestApp;
let sink: SmtpSink;
useApp({ ROLE: 'all', SUPPRESS_AFTER_FAILURES: '2' }, (started) => (app = started));
useSink(
  () => SmtpSink.start(),
  (started) => (sink = started),
);

const tenantWith = (members: string[]) =>
  Tenant.create(app, {
    channels: [mail('mail', sink.port)],
    lists: [{ name: 'Staff', members }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'mail', text: 'Hi' }] }],
  });

interface Suppression {
  value: string;
  cause: string;
  evidence: Record<string, unknown>;
}

const suppressed = async ({ org, key }: Tenant) =>
  (await app.as(key).get(`/api/o/${org}/suppressions/`)).body as Suppression[];

it('a mailbox that does not exist is suppressed with the answer of its server, a full one is not', async () => {
  const tenant = await tenantWith(['ann@acme.test', 'gone@acme.test', 'lost@acme.test', 'full@acme.test']);
  sink.reply.rcpt = (to) => {
    if (/^(gone|lost)/.test(to)) return { code: 550, text: '5.1.1 User unknown' };
    return to.startsWith('full') ? { code: 552, text: '5.2.2 mailbox full' } : undefined;
  };
  const occurrence = await tenant.trigger();
  const deliveries = await tenant.settled(occurrence);
  const evidenceOf = (user: string) => ({
    delivery: Number(deliveries.find((each) => each.user === user)!.id),
    ...{ occurrence, answer: '550 5.1.1 User unknown', at: expect.any(String) },
  });
  const rows = await suppressed(tenant);
  expect(rows.sort((a, b) => (a.value < b.value ? -1 : 1))).toMatchObject([
    { value: 'gone@acme.test', cause: 'hard_bounce', evidence: evidenceOf('gone@acme.test') },
    { value: 'lost@acme.test', cause: 'hard_bounce', evidence: evidenceOf('lost@acme.test') },
  ]);
  const audit = (await app.as(tenant.key).get(`/api/o/${tenant.org}/audit/`)).body as { noun: string }[];
  expect(audit.filter(({ noun }) => noun === 'suppression')).toMatchObject(
    rows.map(({ value }) => ({ verb: 'create', name: `email/${value}`, actor: 'answer of a provider', key: null })),
  );
});

it('an address whose messages are given up again and again is suppressed, and counted from the beginning once it is lifted', async () => {
  const tenant = await tenantWith(['ann@acme.test']);
  sink.reply.rcpt = () => ({ code: 450, text: '4.2.0 not now' });
  /** The last of eight attempts. */
  const giveUp = async () => {
    const occurrence = await tenant.trigger();
    await tenant.tried(occurrence, 1);
    await app.pool.query('update deliveries set attempts = 7 where occurrence_id = $1', [occurrence]);
    await travelToNextAttempt(app);
    expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'dead', attempts: 8 }]);
  };
  await giveUp();
  expect(await suppressed(tenant)).toEqual([]);
  await giveUp();
  const [row] = await suppressed(tenant);
  expect(row).toMatchObject({
    ...{ value: 'ann@acme.test', cause: 'hard_bounce' },
    evidence: { failures: 2, since: expect.any(String), answer: '450 4.2.0 not now', delivery: expect.any(Number) },
  });
  await app.pool.query('delete from suppressions');
  await giveUp();
  expect(await suppressed(tenant)).toEqual([]);
});

it('permanent refusals of a recipient are counted too, failures of the channel are not', async () => {
  const tenant = await tenantWith(['ann@acme.test', 'bob@acme.test']);
  sink.reply.rcpt = (to) =>
    to.startsWith('ann')
      ? { code: 552, text: '5.2.2 mailbox full' }
      : { code: 554, text: '5.7.1 Client host rejected: Access denied' };
  /** Ann's message ends at once, Bob's with the last of eight attempts. */
  const giveUp = async () => {
    const occurrence = await tenant.trigger();
    await tenant.tried(occurrence, 1);
    const last = `update deliveries set attempts = 7 where occurrence_id = $1 and status = 'pending'`;
    await app.pool.query(last, [occurrence]);
    await travelToNextAttempt(app);
    await tenant.settled(occurrence);
  };
  await giveUp();
  expect(await suppressed(tenant)).toEqual([]);
  await giveUp();
  expect(await suppressed(tenant)).toMatchObject([
    { value: 'ann@acme.test', cause: 'hard_bounce', evidence: { failures: 2, answer: '552 5.2.2 mailbox full' } },
  ]);
});
