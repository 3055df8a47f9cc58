import { expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import type { TemplateEntry } from '../../src/operate/provisioning/file.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';
import { Tenant, mail, queueIsEmpty, travelToNextAttempt } from '../support/world/tenant.js';

let app: TestApp;
let sink: SmtpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => SmtpSink.start(),
  (started) => (sink = started),
);

/** A tenant who tells Ann, and whoever else is named, over mail. */
const tenantWith = (parts: Omit<TemplateEntry, 'channel'>, others: string[] = []) =>
  Tenant.create(app, {
    channels: [mail('mail', sink.port)],
    users: [{ email: 'ann@acme.test', first_name: 'Ann', last_name: 'Lee' }],
    lists: [{ name: 'Staff', members: ['ann@acme.test', ...others] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'mail', ...parts }] }],
  });

const parsed = async () => Promise.all(sink.mails.map(({ raw }) => PostalMime.parse(raw)));

it('a paid order becomes one mail, whose HTML escapes what the order says and whose text does not', async () => {
  const tenant = await tenantWith({
    subject: 'Order {{ order }} <paid>',
    text: 'Hi {{ user.first_name }}, {{ note }}',
    html: '<p>Hi {{ user.first_name }}, {{ note }}</p>',
  });
  const occurrence = await tenant.trigger({ order: 'A-17', note: '<b>5 & "6"</b>' });
  const deliveries = await tenant.settled(occurrence);
  expect(sink.mails.map(({ envelope }) => envelope)).toEqual([{ from: 'no-reply@acme.test', to: ['ann@acme.test'] }]);
  const [message] = await parsed();
  expect(message).toMatchObject({
    from: { name: 'Acme', address: 'no-reply@acme.test' },
    to: [{ name: '', address: 'ann@acme.test' }],
    subject: 'Order A-17 <paid>',
    messageId: `<${occurrence}=2E${deliveries[0]!.id}@acme.test>`,
  });
  expect(message!.text!.trimEnd()).toBe('Hi Ann, <b>5 & "6"</b>');
  expect(message!.html!.trimEnd()).toBe('<p>Hi Ann, &lt;b&gt;5 &amp; &quot;6&quot;&lt;/b&gt;</p>');
  expect(deliveries).toMatchObject([{ user: 'ann@acme.test', status: 'sent', gate: null, reason: null, attempts: 1 }]);
  expect(await tenant.attempts(occurrence)).toMatchObject([
    { number: 1, outcome: 'sent', answer: expect.stringMatching(/^250 /) },
  ]);
});

it('a mail that the server puts off goes out at the second attempt under the same Message-ID', async () => {
  const tenant = await tenantWith({ subject: 'Order {{ order }}', text: 'Hi' });
  const offered: Buffer[] = [];
  sink.reply.data = ({ raw }) => (offered.push(raw) === 1 ? { code: 451, text: 'later, please' } : undefined);
  const occurrence = await tenant.trigger({ order: 'A-17' });
  expect(await tenant.tried(occurrence, 1)).toMatchObject([{ status: 'pending', attempts: 1 }]);
  expect(sink.mails).toEqual([]);
  await travelToNextAttempt(app);
  expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'sent', attempts: 2, nextAttemptAt: null }]);
  expect(sink.mails).toHaveLength(1);
  const [first, second] = await Promise.all(offered.map((raw) => PostalMime.parse(raw)));
  expect(first!.messageId).toMatch(/^<[^>]+@acme\.test>$/);
  expect(second!.messageId).toBe(first!.messageId);
  expect(await tenant.attempts(occurrence)).toMatchObject([
    { number: 1, outcome: 'retry', answer: '451 later, please' },
    { number: 2, outcome: 'sent', answer: expect.stringMatching(/^250 /) },
  ]);
});

it('a mail to an address that does not exist is given up at once, and the others of the list arrive', async () => {
  const tenant = await tenantWith({ subject: 'Order', text: 'Hi' }, ['gone@acme.test', 'bob@acme.test']);
  sink.reply.rcpt = (address) => (address.startsWith('gone') ? { code: 550, text: 'no such user' } : undefined);
  const deliveries = await tenant.triggerAndSettle();
  expect(deliveries).toMatchObject([
    { user: 'ann@acme.test', status: 'sent' },
    { user: 'bob@acme.test', status: 'sent' },
    { user: 'gone@acme.test', status: 'dead', attempts: 1, reason: 'rejected by the provider: 550 no such user' },
  ]);
  expect(sink.mails.flatMap(({ envelope }) => envelope.to).sort()).toEqual(['ann@acme.test', 'bob@acme.test']);
  await queueIsEmpty(app);
});

it('a template with a text only makes a plain mail', async () => {
  const tenant = await tenantWith({ subject: 'Order', text: 'Total: {{ total }} €' });
  await tenant.triggerAndSettle({ total: 120 });
  const [message] = await parsed();
  expect(message!.text!.trimEnd()).toBe('Total: 120 €');
  expect(message!.html).toBeUndefined();
  expect(sink.mails[0]!.raw.toString()).toMatch(/^Content-Type: text\/plain/m);
});

it('a template in Markdown makes HTML and a text, and a value cannot become markup', async () => {
  const tenant = await tenantWith({ subject: 'Order', markdown: '# Order {{ order }}\n\nIt is **paid** by {{ by }}.' });
  await tenant.triggerAndSettle({ order: 'A-17', by: '**<i>Eve</i>**' });
  const [message] = await parsed();
  expect(message!.html).toContain('<h1>Order A-17</h1>');
  expect(message!.html).toContain('<p>It is <strong>paid</strong> by **&lt;i&gt;Eve&lt;/i&gt;**.</p>');
  expect(message!.text).toContain('Order A-17');
  expect(message!.text).toContain('It is paid by **<i>Eve</i>**.');
});

it('a template with HTML only gets its text from it', async () => {
  const html = '<h1>Order {{ order }}</h1><p>See <a href="https://acme.test/o">your order</a></p>';
  const tenant = await tenantWith({ subject: 'Order', html });
  await tenant.triggerAndSettle({ order: 'A & B' });
  const [message] = await parsed();
  expect(message!.html).toContain('<h1>Order A &amp; B</h1>');
  expect(message!.text!.trim()).toBe('Order A & B\n\nSee your order [https://acme.test/o]');
});

it('a server that refuses the channel, and says so at RCPT as Postfix does, ends no message: the channel rests', async () => {
  const others = Array.from({ length: 40 }, (_, i) => `p${i}@acme.test`);
  const tenant = await tenantWith({ subject: 'Order', text: 'Hi' }, others);
  sink.reply.rcpt = (address) => ({ code: 554, text: `5.7.1 <${address}>: Relay access denied` });
  const occurrence = await tenant.trigger();
  const resting = 'select from channel_states where probe_at is not null';
  await until(15_000, async () => (await app.pool.query(resting)).rowCount === 1);
  const deliveries = await tenant.deliveries(occurrence);
  expect(deliveries.map(({ status }) => status)).toEqual(Array(41).fill('pending'));
});

/** What the servers of large providers and common programs answer for a mailbox that does not exist. */
const NO_MAILBOX: [step: 'rcpt' | 'data', code: number, text: string][] = [
  ['rcpt', 550, '5.5.0 Requested action not taken: mailbox unavailable (S2017062302).'],
  ['rcpt', 550, 'Requested action not taken: mailbox unavailable'],
  ['data', 554, "delivery error: dd This user doesn't have a yahoo.com account"],
  ['rcpt', 550, '5.1.1 The email account that you tried to reach does not exist.'],
  ['rcpt', 550, 'The email account that you tried to reach does not exist.'],
  ['rcpt', 550, '5.4.1 Recipient address rejected: Access denied. AS(201806281)'],
  ['rcpt', 550, '5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'],
  ['rcpt', 550, '5.1.1 <ann@acme.test>: Recipient address rejected: User unknown in virtual mailbox table'],
  ['rcpt', 550, 'Unrouteable address'],
  ['rcpt', 550, 'invalid recipient'],
  ['rcpt', 554, 'recipient does not exist'],
  ['rcpt', 550, '5.2.1 mailbox disabled, not accepting messages'],
];

it('twelve mailboxes that do not exist are suppressed, and the next recipient gets the mail at once', async () => {
  const gone = NO_MAILBOX.map((_, i) => `gone${i}@acme.test`);
  const tenant = await tenantWith({ subject: 'Order', text: 'Hi' }, gone);
  const answer = (step: string, address = '') => {
    const [at, code, text] = NO_MAILBOX[Number(/^gone(\d+)/.exec(address)?.[1] ?? -1)] ?? [];
    return at === step ? { code: code!, text: text! } : undefined;
  };
  sink.reply.rcpt = (address) => answer('rcpt', address);
  sink.reply.data = ({ envelope }) => answer('data', envelope.to[0]);
  const deliveries = await tenant.triggerAndSettle();
  expect(deliveries.map(({ status, attempts }) => [status, attempts])).toEqual([
    ['sent', 1],
    ...gone.map(() => ['dead', 1]),
  ]);
  expect(sink.mails.map(({ envelope }) => envelope.to[0])).toEqual(['ann@acme.test']);
  const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/suppressions/`);
  expect((body as { value: string }[]).map(({ value }) => value).sort()).toEqual(gone.sort());
  const again = await tenant.triggerAndSettle();
  expect(again.map(({ status, gate }) => [status, gate])).toEqual([
    ['sent', null],
    ...gone.map(() => ['skipped', 'suppressed']),
  ]);
  expect(await restingChannels(tenant)).toBe(0);
});

it('a channel rests when different recipients are refused, not when one is refused again and again', async () => {
  const tenant = await tenantWith({ subject: 'Order', text: 'Hi' }, []);
  sink.reply.rcpt = () => ({ code: 550, text: '5.7.1 Delivery not authorized' });
  for (let n = 0; n < 12; n++) await tenant.tried(await tenant.trigger(), 1);
  expect(await restingChannels(tenant)).toBe(0);
  const others = Array.from({ length: 12 }, (_, i) => `p${i}@acme.test`);
  await tenant.apply({ lists: [{ name: 'Staff', members: others }] });
  await tenant.trigger();
  await until(15_000, async () => (await restingChannels(tenant)) === 1);
  const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/suppressions/`);
  expect(body).toEqual([]);
});

const restingChannels = async ({ org }: Tenant) =>
  (
    await app.pool.query(
      `select from channel_states join channels c on c.id = channel_id join organizations o on o.id = c.organization_id
       where probe_at is not null and o.slug = $1`,
      [org],
    )
  ).rowCount;
