import { describe, expect, it } from '@jest/globals';
import type { ChannelEntry } from '../../src/operate/provisioning/file.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';
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

describe('an address that bounces over the channel of a project', () => {
  const project = (slug: string, channels: ChannelEntry[] = [mail('own', sink.port)]) => ({
    ...{ slug, name: slug, channels, distribution_lists: [{ name: 'Staff', members: ['ann@acme.test'] }] },
    categories: [{ slug: 'news', name: 'News' }],
    applications: [
      {
        ...{ slug: 'web', name: 'Web' },
        events: [
          {
            ...{ slug: 'paid', name: 'Paid', category: 'news' },
            notifications: [
              { name: 'Tell', distribution_list: 'Staff', templates: [{ channel: channels[0]!.slug, text: 'Hi' }] },
            ],
          },
        ],
      },
    ],
  });

  /** Triggers the event of a project, and returns the status and the gate of Ann's message. */
  const send = async (org: string, slug: string, key: string) => {
    const path = `/api/o/${org}/p/${slug}/a/web/e/paid/trigger/`;
    const { occurrence } = (await app.as(key).post(path).send({ context: {} })).body as { occurrence: string };
    const sql = `select d.status, d.gate from deliveries d join occurrences o on o.id = d.occurrence_id
      where o.id = $1 and o.status = 'expanded' and d.status <> 'pending'`;
    const rows = async () => (await app.pool.query<{ status: string; gate: string | null }>(sql, [occurrence])).rows;
    const [row] = await until(15_000, async () => {
      const found = await rows();
      return found.length > 0 && found;
    });
    return { occurrence, outcome: row!.gate ?? row!.status };
  };

  const bounce = () => (sink.reply.rcpt = () => ({ code: 550, text: '5.1.1 User unknown' }));

  it('is suppressed for the project, and its sibling goes on', async () => {
    const org = 'two-projects';
    await app.apply(
      JSON.stringify({ organizations: [{ slug: org, name: org, projects: [project('shop'), project('club')] }] }),
    );
    const key = await app.key({ org });
    bounce();
    expect(await send(org, 'shop', key)).toMatchObject({ outcome: 'dead' });
    sink.reply.rcpt = undefined;
    const { occurrence, outcome } = await send(org, 'shop', key);
    expect(outcome).toBe('suppressed');
    expect(await send(org, 'club', key)).toMatchObject({ outcome: 'sent' });
    expect((await app.as(key).get(`/api/o/${org}/suppressions/`)).body).toMatchObject([
      { value: 'ann@acme.test', project: 'shop', evidence: { channels: ['own'] } },
    ]);
    const { body } = await app.as(key).get(`/api/o/${org}/u/ann@acme.test/preferences/`);
    const { channels, categories } = body as {
      channels: object[];
      categories: { project: string; channels: object[] }[];
    };
    expect(channels).toMatchObject([{ type: 'email', suppressed: null }]);
    expect(Object.fromEntries(categories.map((each) => [each.project, each.channels[0]]))).toMatchObject({
      shop: { on: false, source: 'suppressed', cause: 'hard_bounce' },
      club: { on: true },
    });
    const explained = await app.as(key).get(`/api/o/${org}/occurrences/${occurrence}/explain/?user=ann@acme.test`);
    expect(JSON.stringify(explained.body)).toContain('has been suppressed since');
    const simulate = async (slug: string) => {
      const path = `/api/o/${org}/p/${slug}/a/web/e/paid/simulate/`;
      return JSON.stringify((await app.as(key).post(path).send({ context: {} })).body);
    };
    expect(await simulate('shop')).toContain('"suppressed"');
    expect(await simulate('club')).not.toContain('"suppressed"');
  });

  it('is suppressed for all projects if the channel belongs to the organization', async () => {
    const org = 'shared-channel';
    const shared = mail('shared', sink.port);
    const projects = [project('shop', [shared]), project('club', [shared])].map((each) => ({
      ...each,
      channels: undefined,
    }));
    await app.apply(JSON.stringify({ organizations: [{ slug: org, name: org, channels: [shared], projects }] }));
    const key = await app.key({ org });
    bounce();
    expect(await send(org, 'shop', key)).toMatchObject({ outcome: 'dead' });
    sink.reply.rcpt = undefined;
    expect(await send(org, 'club', key)).toMatchObject({ outcome: 'suppressed' });
  });

  it('is suppressed whatever form of the address the user has', async () => {
    const org = 'forms';
    const staff = [{ name: 'Staff', members: ['jose\u0301@mu\u0308nchen.test', 'jos\u00e9@xn--mnchen-3ya.test'] }];
    const shop = { ...project('shop'), distribution_lists: staff };
    await app.apply(JSON.stringify({ organizations: [{ slug: org, name: org, projects: [shop] }] }));
    const key = await app.key({ org });
    await app.as(key).post(`/api/o/${org}/suppressions/`).send({ name: 'email', value: 'jos\u00e9@m\u00fcnchen.test' });
    expect(await send(org, 'shop', key)).toMatchObject({ outcome: 'suppressed' });
    expect(sink.mails).toEqual([]);
  });
});
