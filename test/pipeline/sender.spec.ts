import { describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import type { TemplateEntry } from '../../src/operate/provisioning/file.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { Tenant, inbox, mail } from '../support/world/tenant.js';
import type { Given } from '../support/world/tenant.js';

let app: TestApp;
let sink: SmtpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => SmtpSink.start(),
  (started) => (sink = started),
);

type Parts = Omit<TemplateEntry, 'channel'>;

const rule = (name: string, parts: Parts) => ({
  name,
  distribution_list: 'Staff',
  templates: [{ channel: 'mail', subject: name, text: 'Hi', ...parts }],
});

const CONFIG = { from_domains: 'Shop.test, billing.test', reply_to: 'desk@acme.test' };

const tenantWith = (notifications: Given['notifications'], config: object = CONFIG) =>
  Tenant.create(app, {
    channels: [mail('mail', sink.port, { ...config }), inbox('inbox')],
    users: [{ email: 'ann@acme.test', first_name: 'Ann', last_name: 'Lee', custom_fields: { domain: 'shop.test' } }],
    lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
    notifications,
  });

/** What arrived, in the order of the subjects. */
async function arrived() {
  const mails = await Promise.all(
    sink.mails.map(async ({ envelope, raw }) => ({ envelope, ...(await PostalMime.parse(raw)) })),
  );
  return mails
    .map(({ envelope, from, replyTo, subject, headers }) => ({
      subject,
      from: `${from!.name} <${from!.address}>`,
      replyTo: replyTo?.map(({ address }) => address),
      envelope: envelope.from,
      campaign: headers.find(({ key }) => key === 'x-campaign')?.value,
    }))
    .sort((a, b) => (a.subject! < b.subject! ? -1 : 1));
}

const eventPath = ({ org }: Tenant) => `/api/o/${org}/p/shop/a/web/e/order-paid/`;

async function messageOf(tenant: Tenant, occurrence: string, id: string) {
  const path = `/api/o/${tenant.org}/occurrences/${occurrence}/deliveries/${id}/`;
  const { body } = await app.as(tenant.key).get(path);
  return (body as { message: object }).message;
}

describe('one channel', () => {
  it('sends mail of several senders, with their own headers', async () => {
    const tenant = await tenantWith([
      rule('Bill', { from: '"Bills, Acme" <bills@billing.test>', reply_to: 'bills+{{ order }}@other.test' }),
      rule('Plain', {}),
      rule('Shop', {
        from: '{{ user.first_name }}’s shop <shop@{{ user.custom_fields.domain }}>',
        headers: { 'X-Campaign': '{{ campaign }}', 'X-Nothing': '{{ nothing }}' },
      }),
    ]);
    const occurrence = await tenant.trigger({ order: 'A-17', campaign: 'autumn\r\nBcc: eve@evil.test' });
    const deliveries = await tenant.settled(occurrence);
    expect(deliveries.map(({ status, reason }) => [status, reason])).toEqual(Array(3).fill(['sent', null]));
    expect(await arrived()).toEqual([
      {
        subject: 'Bill',
        from: 'Bills, Acme <bills@billing.test>',
        replyTo: ['bills+A-17@other.test'],
        envelope: 'bills@billing.test',
      },
      {
        subject: 'Plain',
        from: 'Acme <no-reply@acme.test>',
        replyTo: ['desk@acme.test'],
        envelope: 'no-reply@acme.test',
      },
      {
        subject: 'Shop',
        from: 'Ann’s shop <shop@shop.test>',
        replyTo: ['desk@acme.test'],
        envelope: 'shop@shop.test',
        campaign: 'autumn Bcc: eve@evil.test',
      },
    ]);
    expect(sink.mails.flatMap(({ envelope }) => envelope.to)).toEqual(Array(3).fill('ann@acme.test'));
    expect(sink.mails.map(({ raw }) => raw.toString()).join('')).not.toContain('X-Nothing');
    const shown = await Promise.all(deliveries.map(({ id }) => messageOf(tenant, occurrence, id)));
    expect(shown).toMatchObject([
      { from: '"Bills, Acme" <bills@billing.test>', reply_to: 'bills+A-17@other.test', headers: null },
      { from: null, reply_to: null, headers: null },
      { reply_to: null, headers: { 'X-Campaign': 'autumn Bcc: eve@evil.test' } },
    ]);
  });

  it('uses its own sender if the template renders none', async () => {
    const tenant = await tenantWith([
      rule('Tell', { from: '{{ sender }}', reply_to: '{% if reply %}a@b.test{% endif %}' }),
    ]);
    expect(await tenant.triggerAndSettle()).toMatchObject([{ status: 'sent' }]);
    expect(await arrived()).toMatchObject([{ from: 'Acme <no-reply@acme.test>', replyTo: ['desk@acme.test'] }]);
  });

  it('gives up a message of a domain that it does not list at once, and sends the others', async () => {
    const tenant = await tenantWith([
      rule('Evil', { from: 'shop@{{ domain }}' }),
      rule('Good', { from: 'shop@shop.test' }),
      rule('Twice', { reply_to: '{{ both }}' }),
    ]);
    const deliveries = await tenant.triggerAndSettle({ domain: 'mail.shop.test', both: 'a@acme.test, b@acme.test' });
    const refused = 'must be an address of acme.test or shop.test or billing.test, not of mail.shop.test';
    expect(deliveries).toMatchObject([
      { status: 'dead', attempts: 1, reason: expect.stringMatching(`^the template’s from ${refused}`) },
      { status: 'sent', reason: null },
      {
        status: 'dead',
        attempts: 1,
        reason: expect.stringMatching('^the template’s reply_to must be one e-mail address'),
      },
    ]);
    expect(await arrived()).toMatchObject([{ from: ' <shop@shop.test>' }]);
    const failing = await app.pool.query(`select from channel_states where failures > 0 or probe_at is not null`);
    const suppressed = await app.pool.query('select from suppressions');
    expect([failing.rowCount, suppressed.rowCount]).toEqual([0, 0]);
  });

  it('no longer sends what its narrowed domains exclude', async () => {
    const tenant = await tenantWith([rule('Tell', { from: 'shop@shop.test' })]);
    await tenant.apply({ channels: [mail('mail', sink.port)] });
    expect(await tenant.triggerAndSettle()).toMatchObject([
      { status: 'dead', reason: expect.stringContaining('must be an address of acme.test, not of shop.test') },
    ]);
    expect(sink.mails).toEqual([]);
  });
});

it('a message that was triggered before its sender was changed keeps the sender', async () => {
  const tenant = await tenantWith([rule('Tell', { from: 'old@shop.test', headers: { 'X-Campaign': 'old' } })]);
  const before = await tenant.trigger({}, { send_at: new Date(Date.now() + 86_400_000).toISOString() });
  await tenant.apply({ notifications: [rule('Tell', { from: 'new@shop.test', headers: { 'X-Campaign': 'new' } })] });
  await tenant.triggerAndSettle();
  await app.pool.query('update jobs set run_at = now()');
  await tenant.settled(before);
  expect((await arrived()).map(({ envelope, campaign }) => `${envelope} ${campaign}`).sort()).toEqual([
    'new@shop.test new',
    'old@shop.test old',
  ]);
});

describe('over HTTP', () => {
  const FULL = { from: 'Shop <shop@shop.test>', reply_to: '{{ to }}', headers: { 'X-Campaign': '{{ campaign }}' } };
  const NONE = { from: null, reply_to: null, headers: null };
  const notifications = (tenant: Tenant) => `${eventPath(tenant)}n/`;
  const bodyOf = (template: object) => ({
    name: 'Tell',
    distribution_lists: ['Staff'],
    templates: [{ channel: 'mail', text: 'Hi', ...template }],
  });

  it('a template has its sender in its answer, in its revisions, and keeps none when it is taken away', async () => {
    const tenant = await tenantWith([]);
    const path = notifications(tenant);
    const created = await app.as(tenant.key).post(path).send(bodyOf(FULL));
    expect([created.status, created.body]).toMatchObject([201, { templates: [FULL] }]);
    const { id } = created.body as { id: number };
    const changed = await app
      .as(tenant.key)
      .patch(`${path}${id}/`)
      .send({ templates: bodyOf({ from: '', headers: {} }).templates });
    expect([changed.status, changed.body]).toMatchObject([200, { templates: [NONE] }]);
    const { body } = await app.as(tenant.key).get(`${eventPath(tenant)}revisions/`);
    const revisions = body as { changes: { rule: { templates: object[] } }[] }[];
    expect(revisions.slice(0, 2).map(({ changes }) => changes[0]!.rule.templates)).toMatchObject([[NONE], [FULL]]);
    const schema = await app.as(tenant.key).get(`${eventPath(tenant)}schema/`);
    expect(schema.body).not.toHaveProperty('properties.campaign');
  });

  it('the fields that a sender uses are in the schema of the context', async () => {
    const tenant = await tenantWith([rule('Tell', FULL)]);
    const { body } = await app.as(tenant.key).get(`${eventPath(tenant)}schema/`);
    expect(body).toMatchObject({
      properties: {
        to: { 'x-used-by': [{ channel: 'mail', part: 'reply_to' }] },
        campaign: { 'x-used-by': [{ channel: 'mail', part: 'headers' }] },
      },
    });
  });

  it.each([
    [
      'a domain that the channel does not list',
      { from: 'a@evil.test' },
      'from',
      'acme.test or shop.test or billing.test',
    ],
    ['two senders', { from: 'a@acme.test, b@acme.test' }, 'from', 'must be one e-mail address'],
    ['a wrong address for answers', { reply_to: 'nobody' }, 'reply_to', 'must be one e-mail address'],
    ['a broken template', { from: '{{ a' }, 'from', 'not closed'],
    ['a reserved header', { headers: { bcc: 'a@b.test' } }, 'headers.bcc', 'it can change who gets the mail'],
    ['a broken header', { headers: { 'X-A': '{% if %}' } }, 'headers.X-A', ''],
    ['a header that is no text', { headers: { 'X-A': 1 } }, 'headers.X-A', 'must be a string'],
    ['headers that are no object', { headers: 'X-A: 1' }, 'headers', 'must be an object or null'],
    ['a sender that is no text', { from: {} }, 'from', 'must be a string or null'],
    ['a channel without senders', { channel: 'inbox', from: 'a@acme.test' }, 'from', 'does not use it'],
    ['a channel without headers', { channel: 'inbox', headers: { 'X-A': '1' } }, 'headers', 'does not use it'],
  ])('%s is a 400 that names the field', async (_, template, field, sentence) => {
    const tenant = await tenantWith([]);
    const { channel = 'mail' } = template as { channel?: string };
    const { status, body } = await app.as(tenant.key).post(notifications(tenant)).send(bodyOf(template));
    expect([status, (body as { errors: object }).errors]).toEqual([
      400,
      { [`templates.${channel}.${field}`]: [expect.stringContaining(sentence)] },
    ]);
    expect((await app.as(tenant.key).get(notifications(tenant))).body).toEqual([]);
  });

  it('a field that no user has is named in a header of the answer', async () => {
    const tenant = await tenantWith([]);
    const answer = await app
      .as(tenant.key)
      .post(notifications(tenant))
      .send(bodyOf({ from: '{{ user.firstname }} <a@acme.test>' }));
    expect(answer.status).toBe(201);
    expect(JSON.stringify(answer.headers)).toContain('user.firstname');
  });

  it('domains of a channel that are no domains are refused', async () => {
    const tenant = await tenantWith([]);
    const { status, body } = await app
      .as(tenant.key)
      .patch(`/api/o/${tenant.org}/c/mail/`)
      .send({ config: { ...mail('mail', sink.port).config, from_domains: 'shop.test, @evil' } });
    expect([status, (body as { errors: object }).errors]).toEqual([
      400,
      { 'config.from_domains': ['must be domains separated by commas, and "@evil" is not a domain'] },
    ]);
  });

  it('a preview and a simulation show the sender, and refuse one that would not be sent', async () => {
    const tenant = await tenantWith([rule('Tell', FULL)]);
    const preview = (draft: object) =>
      app
        .as(tenant.key)
        .post(`${eventPath(tenant)}preview/`)
        .send({ channel: 'mail', text: 'Hi', ...draft });
    const context = { to: 'a@b.test', campaign: 'autumn' };
    const shown = { from: 'Shop <shop@shop.test>', reply_to: 'a@b.test', headers: { 'X-Campaign': 'autumn' } };
    expect((await preview({ ...FULL, context })).body).toMatchObject(shown);
    expect((await preview({})).body).toMatchObject(NONE);
    for (const [draft, field] of [
      [{ from: 'a@evil.test' }, 'from'],
      [{ from: 'a@{{ "evil.test" }}' }, 'from'],
      [{ channel: 'inbox', reply_to: 'a@evil.test' }, 'reply_to'],
      [{ headers: { To: 'x' } }, 'headers.To'],
      [{ headers: { 'X-A': '{{ "!" | base64_decode }}' } }, 'headers.X-A'],
    ] as const) {
      const { status, body } = await preview(draft);
      expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([400, [field]]);
    }
    const simulate = async (context: object) =>
      (
        await app
          .as(tenant.key)
          .post(`${eventPath(tenant)}simulate/`)
          .send({ context })
      ).body as { messages: object[] };
    expect((await simulate(context)).messages).toMatchObject([{ ...shown, problem: null }]);
    expect((await simulate({ to: 'nobody' })).messages).toMatchObject([
      { ...NONE, problem: expect.stringContaining('the template’s reply_to must be one e-mail address') },
    ]);
  });
});

describe('a thread', () => {
  const about = ['References', 'In-Reply-To'].map((name) => name.toLowerCase());

  /** What the mails answer, in the order in which they arrived. */
  const answered = async () =>
    Promise.all(
      sink.mails.map(async ({ raw }) => {
        const { headers, text } = await PostalMime.parse(raw);
        return { text: text?.trim(), ids: about.map((name) => headers.find(({ key }) => key === name)?.value) };
      }),
    );

  it('joins the mails to a user about one value, without showing it', async () => {
    const tenant = await tenantWith([
      { ...rule('Order', { text: '{{ order }} {{ n }}' }), thread: 'order' },
      { ...rule('Own', { text: 'own', headers: { References: '<mine@acme.test>' } }), thread: 'order' },
    ]);
    for (const context of [{ order: 'A-17', n: 1 }, { order: 'A-17', n: 2 }, { order: 'B-18', n: 3 }, { n: 4 }])
      await tenant.settled(await tenant.trigger(context));
    const mails = await answered();
    const [first, second, other, without] = ['A-17 1', 'A-17 2', 'B-18 3', '4'].map(
      (text) => mails.find((mail) => mail.text === text)!.ids,
    );
    expect(first![0]).toMatch(/^<[\w-]{43}@acme\.test>$/);
    expect(first).toEqual([first![0], first![0]]);
    expect(second).toEqual(first);
    expect(other![0]).not.toBe(first![0]);
    expect(without).toEqual([undefined, undefined]);
    const own = mails.filter(({ text }) => text === 'own').map(({ ids }) => ids);
    expect(own).toEqual(Array(4).fill(['<mine@acme.test>', undefined]));
  });
});
