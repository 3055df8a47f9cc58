import { describe, expect, it } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { BounceIntake } from '../../src/api/provider-report/bounce-intake.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { returnedMail } from '../support/bounces/returned.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';
import { Tenant, mail } from '../support/world/tenant.js';

let app: TestApp;
let sink: SmtpSink;
useApp({ ROLE: 'all', BOUNCE_PORT: '0', METRICS_PORT: '0' }, (started) => (app = started));
useSink(
  () => SmtpSink.start(),
  (started) => (sink = started),
);

const tenantOf = (recipient: string, domain = 'bounces.acme.test') =>
  Tenant.create(app, {
    channels: [mail('mail', sink.port, { bounce_domain: domain })],
    lists: [{ name: 'Staff', members: [recipient] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'mail', text: 'Hi' }] }],
  });

/** Sends one mail, and returns the address that reports about it go to. */
async function sent(recipient = 'ann@example.net', domain?: string) {
  const tenant = await tenantOf(recipient, domain);
  const before = sink.mails.length;
  const occurrence = await tenant.trigger();
  const [delivery] = await tenant.settled(occurrence);
  return { tenant, occurrence, delivery: delivery!, address: sink.mails[before]!.envelope.from };
}

/** Sends a mail to the port that receives reports, as a mail server does. Returns the answer: to the content, or the first refusal. */
async function returned(to: string | string[], raw: Buffer | string, from = ''): Promise<string> {
  const port = app.app.get(BounceIntake).port!;
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  const envelope = { from, to: typeof to === 'string' ? [to] : to };
  const failed = (error: unknown) => (error as { response?: string }).response ?? String(error);
  return transport.sendMail({ envelope, raw }).then(({ response }) => response, failed);
}

const stateOf = async (delivery: { id: string }) =>
  (
    await app.pool.query<{ report: string | null; reports: string[] }>(
      `select report, array(select state from delivery_reports where delivery_id = d.id order by state)::text[] reports
       from deliveries d where id = $1`,
      [delivery.id],
    )
  ).rows[0]!;

const suppressions = async ({ org, key }: Tenant) =>
  ((await app.as(key).get(`/api/o/${org}/suppressions/`)).body as { value: string; cause: string }[]).map(
    ({ value, cause }) => [value, cause],
  );

const NOTHING = { report: null, reports: [] };

describe('a mail that comes back', () => {
  it('bounces its delivery and suppresses the address, and explain says so', async () => {
    const { tenant, occurrence, delivery, address } = await sent();
    expect(await returned(address, returnedMail('postfix/unknown'))).toMatch(/^250 /);
    expect(await stateOf(delivery)).toEqual({ report: 'bounced', reports: ['bounced'] });
    expect(await suppressions(tenant)).toEqual([['ann@example.net', 'hard_bounce']]);
    const explain = `/api/o/${tenant.org}/occurrences/${occurrence}/explain/?user=ann@example.net`;
    expect((await app.as(tenant.key).get(explain)).text).toMatch(
      /but the provider reported at \S+ that the address does not exist: \\"550 5\.1\.1 <ann@example\.net>: Recipient address rejected: User unknown\\"/,
    );
    const [next] = await tenant.triggerAndSettle();
    expect(next).toMatchObject({ status: 'skipped' });
  });

  it.each([
    ['exim/unknown', 'ann@example.net', 'bounced', [['ann@example.net', 'hard_bounce']]],
    ['postfix/full', 'full@example.net', 'soft_bounced', []],
    ['postfix/delayed', 'later@example.net', 'delayed', []],
    ['postfix/delivered', 'fine@example.net', 'delivered', []],
    ['postfix/forwarded', 'forward@example.org', 'soft_bounced', []],
    ['exim/forwarded', 'forward@example.org', 'soft_bounced', []],
  ])('as %s, from %s, is %s', async (name, recipient, report, suppressed) => {
    const { tenant, delivery, address } = await sent(recipient);
    expect(await returned(address, returnedMail(name))).toMatch(/^250 /);
    expect((await stateOf(delivery)).report).toBe(report);
    expect(await suppressions(tenant)).toEqual(suppressed);
  });

  it('again changes nothing, even after the suppression was lifted', async () => {
    const { tenant, delivery, address } = await sent();
    for (let n = 0; n < 3; n++) {
      expect(await returned(address.toUpperCase(), returnedMail('postfix/unknown'))).toMatch(/^250 /);
      await app.pool.query('delete from suppressions');
    }
    expect((await stateOf(delivery)).reports).toEqual(['bounced']);
    expect(await returned(address, returnedMail('exim/unknown'))).toMatch(/^250 /);
    await app.pool.query('delete from suppressions');
    expect(await returned(address, returnedMail('exim/unknown'))).toMatch(/^250 /);
    expect(await suppressions(tenant)).toEqual([]);
  });

  it('with a returned mail of 3 MB counts, and one above 50 MB is refused', async () => {
    const { delivery, address } = await sent();
    const report = returnedMail('postfix/unknown').toString();
    const large = report.replace('Hi Ann', 'x'.repeat(70).concat('\r\n').repeat(42_000));
    expect(large.length).toBeGreaterThan(3_000_000);
    expect(await returned(address, large)).toMatch(/^250 /);
    expect((await stateOf(delivery)).report).toBe('bounced');
    const { delivery: other, address: another } = await sent();
    expect(await returned(another, 'x'.repeat(70).concat('\r\n').repeat(750_000))).toMatch(/^552 /);
    expect(await stateOf(other)).toEqual(NOTHING);
  });

  it('before the answer to its message was stored counts later', async () => {
    const { delivery, address } = await sent();
    await app.pool.query(`update deliveries set attempts = 0, status = 'pending' where id = $1`, [delivery.id]);
    expect(await returned(address, returnedMail('postfix/unknown'))).toMatch(/^250 /);
    expect(await stateOf(delivery)).toEqual(NOTHING);
    await app.pool.query(`update deliveries set attempts = 1, status = 'sent' where id = $1`, [delivery.id]);
    await app.pool.query(`update jobs set state = 'ready', run_at = now() where task = 'apply-reports'`);
    await until(15_000, async () => (await stateOf(delivery)).report === 'bounced');
  });

  it('stays with its sender while it cannot be stored', async () => {
    const { delivery, address } = await sent();
    await app.pool.query('alter table delivery_reports rename to broken');
    const refused = await returned(address, returnedMail('postfix/unknown'));
    await app.pool.query('alter table broken rename to delivery_reports');
    expect(refused).toMatch(/^451 4\.3\.0 /);
    expect(await returned(address, returnedMail('postfix/unknown'))).toMatch(/^250 /);
    expect((await stateOf(delivery)).report).toBe('bounced');
  });
});

describe('a mail that is not a report about a message of ours', () => {
  it('is refused unless its address has our signature', async () => {
    const { tenant, delivery, address } = await sent();
    const mac = /_([a-z2-7]{12})@/.exec(address)![1]!;
    const wrong = [
      address.replace(mac, 'a'.repeat(12)),
      address.replace('_', '0_').slice(1),
      address.replace(/_\d+_/, `_${Number(delivery.id) + 1}_`),
      'postmaster@bounces.acme.test',
      'ann@example.net',
    ];
    for (const each of wrong) expect(await returned(each, returnedMail('postfix/unknown'))).toMatch(/^550 5\.1\.1 /);
    expect(await stateOf(delivery)).toEqual(NOTHING);
    expect(await suppressions(tenant)).toEqual([]);
  });

  it('says nothing about the mails of another organization', async () => {
    const ours = await sent('ann@example.net', 'bounces.acme.test');
    const theirs = await sent('ann@example.net', 'bounces.globex.test');
    // Their message, at the domain of our channel.
    const mixed = theirs.address.replace('globex', 'acme');
    expect(await returned(mixed, returnedMail('postfix/unknown'))).toMatch(/^550 /);
    expect(await returned(ours.address, returnedMail('postfix/unknown'))).toMatch(/^250 /);
    expect(await stateOf(theirs.delivery)).toEqual(NOTHING);
    expect(await suppressions(theirs.tenant)).toEqual([]);
    expect(await suppressions(ours.tenant)).toEqual([['ann@example.net', 'hard_bounce']]);
  });

  it('such as an automatic reply, a confirmation of reading or a bounce in words changes nothing', async () => {
    const { tenant, delivery, address } = await sent();
    for (const name of ['other/vacation', 'other/read-receipt', 'other/qmail'])
      expect(await returned(address, returnedMail(name), 'ann@example.net')).toMatch(/^250 /);
    expect(await returned(address, '\r\n')).toMatch(/^250 /);
    expect(await stateOf(delivery)).toEqual(NOTHING);
    expect(await suppressions(tenant)).toEqual([]);
  });

  it('is refused for a second recipient', async () => {
    const [one, two] = [await sent(), await sent()];
    expect(await returned([one.address, two.address], returnedMail('postfix/unknown'))).toMatch(/^250 /);
    expect((await stateOf(one.delivery)).report).toBe('bounced');
    expect(await stateOf(two.delivery)).toEqual(NOTHING);
  });

  it('ends the connection after ten wrong addresses', async () => {
    const { delivery, address } = await sent();
    const wrong = Array.from({ length: 11 }, (_, n) => `guess${n}@bounces.acme.test`);
    expect(await returned([...wrong, address], returnedMail('postfix/unknown'))).not.toMatch(/^250 /);
    expect(await stateOf(delivery)).toEqual(NOTHING);
  });
});

describe('a complaint', () => {
  const about = (address: string) =>
    returnedMail('other/complaint').toString().replaceAll('complaint@bounces.example.com', address);

  it('to the address for complaints suppresses the address of the mail that it shows', async () => {
    const { tenant, delivery, address } = await sent();
    expect(await returned('complaints@bounces.acme.test', about(address), 'feedback@example.net')).toMatch(/^250 /);
    expect((await stateOf(delivery)).report).toBe('complained');
    expect(await suppressions(tenant)).toEqual([['ann@example.net', 'complaint']]);
  });

  it('with a wrong signature changes nothing, and neither does a bounce to that address', async () => {
    const { tenant, delivery, address } = await sent();
    const forged = address.replace(/_[a-z2-7]{12}@/, '_aaaaaaaaaaaa@');
    for (const raw of [about(forged), returnedMail('postfix/unknown').toString()])
      expect(await returned('complaints@bounces.acme.test', raw)).toMatch(/^250 /);
    expect(await stateOf(delivery)).toEqual(NOTHING);
    expect(await suppressions(tenant)).toEqual([]);
  });
});

it('the settings of a channel are checked', async () => {
  const { tenant } = await sent();
  const put = (config: object) =>
    app
      .as(tenant.key)
      .patch(`/api/o/${tenant.org}/c/mail/`)
      .send({ config: { host: '127.0.0.1', from: 'no-reply@acme.test', ...config } });
  const wrong = await put({ bounce_domain: 'not a domain' });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('must be a domain, such as')]);
  const both = await put({ bounce_domain: 'b.test', report_service: 'postmark', report_key: 'a-password-for-reports' });
  expect([both.status, both.text]).toEqual([400, expect.stringContaining('leave out \\"bounce_domain\\"')]);
});
