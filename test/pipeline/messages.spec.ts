import { describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import type { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { useApp, useSink } from '../support/app/use.js';
import { createFolder } from '../support/folder.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { Tenant, mail } from '../support/world/tenant.js';

let app: TestApp;
let smtp: SmtpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => SmtpSink.start(),
  (started) => (smtp = started),
);

const USERS = { 'ann@acme.test': 'ar', 'bob@acme.test': 'pl-PL', 'cy@acme.test': null } as const;
const MESSAGES = {
  en: { order: { paid: 'Paid, {name} & co' }, orders: { one: 'one order', other: '{count} orders' } },
  pl: { orders: { one: '{count} zamówienie', few: '{count} zamówienia', many: '{count} zamówień', other: '-' } },
  ar: { orders: { zero: 'صفر', one: 'واحد', two: 'اثنان', few: 'قليل', many: 'كثير', other: 'آخر' } },
};
const TEMPLATE = {
  channel: 'mail',
  subject: "{{ 'order.paid' | t: name: user.first_name }}",
  text: "{{ 'orders' | t: count: n }}",
};

const pathOf = ({ org }: Tenant) => `/api/o/${org}/p/shop/messages/`;
const notificationsOf = ({ org }: Tenant) => `/api/o/${org}/p/shop/a/web/e/order-paid/n/`;

async function tenantWith(messages: object = MESSAGES): Promise<Tenant> {
  const tenant = await Tenant.create(app, {
    channels: [mail('mail', smtp.port)],
    users: Object.entries(USERS).map(([email, locale]) => ({ email, first_name: 'Ann', locale })),
    lists: [{ name: 'Staff', members: Object.keys(USERS) }],
  });
  await app.as(tenant.key).put(pathOf(tenant)).send({ messages }).expect(200);
  return tenant;
}

const put = (tenant: Tenant, template: object, name = 'Tell') =>
  app
    .as(tenant.key)
    .post(notificationsOf(tenant))
    .send({ name, distribution_lists: ['Staff'], templates: [template] });

async function sent(tenant: Tenant, context: object, options: object = {}): Promise<Record<string, string[]>> {
  smtp.mails.length = 0;
  await tenant.triggerAndSettle(context, options);
  const mails = await Promise.all(smtp.mails.map(({ raw }) => PostalMime.parse(raw)));
  return Object.fromEntries(
    mails.map(({ to, subject, text, html }) => [to![0]!.address!, [subject ?? '', (html ?? text ?? '').trim()]]),
  );
}

describe('messages of a project', () => {
  it('are read with flat keys, and written in the language and plural form of each user', async () => {
    const tenant = await tenantWith();
    const { body } = await app.as(tenant.key).get(pathOf(tenant));
    expect((body as { messages: { en: object } }).messages.en).toEqual({
      'order.paid': 'Paid, {name} & co',
      orders: MESSAGES.en.orders,
    });
    await put(tenant, TEMPLATE).expect(201);
    expect(await sent(tenant, { n: 22 })).toEqual({
      'ann@acme.test': ['Paid, Ann & co', 'كثير'],
      'bob@acme.test': ['Paid, Ann & co', '22 zamówienia'],
      'cy@acme.test': ['Paid, Ann & co', '22 orders'],
    });
    const arabic = ['صفر', 'واحد', 'اثنان', 'قليل', 'كثير', 'آخر'];
    for (const [i, n] of [0, 1, 2, 3, 11, 100].entries()) {
      const bodies = await sent(tenant, { n }, { limit_to: ['ann@acme.test'] });
      expect(bodies['ann@acme.test']![1]).toBe(arabic[i]);
    }
  });

  it('are escaped in HTML, with the values in them', async () => {
    const tenant = await tenantWith();
    await put(tenant, { channel: 'mail', html: "<p>{{ 'order.paid' | t: name: x }}</p>" }).expect(201);
    const bodies = await sent(tenant, { x: '<b>' }, { limit_to: ['cy@acme.test'] });
    expect(bodies['cy@acme.test']![1]).toBe('<p>Paid, &lt;b&gt; &amp; co</p>');
  });

  it('are pinned: only a trigger after the change has the new text', async () => {
    const tenant = await tenantWith();
    await put(tenant, TEMPLATE).expect(201);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const occurrence = await tenant.trigger({ n: 1 }, { send_at: later, limit_to: ['cy@acme.test'] });
    const changed = { ...MESSAGES, en: { ...MESSAGES.en, orders: { one: 'a new text', other: '-' } } };
    await app.as(tenant.key).put(pathOf(tenant)).send({ messages: changed }).expect(200);
    expect((await sent(tenant, { n: 1 }, { limit_to: ['cy@acme.test'] }))['cy@acme.test']![1]).toBe('a new text');
    smtp.mails.length = 0;
    await app.pool.query(`update jobs set run_at = now() where payload -> 'occurrences' ? $1`, [occurrence]);
    await tenant.settled(occurrence);
    expect((await PostalMime.parse(smtp.mails[0]!.raw)).text?.trim()).toBe('one order');
  });

  it('renew only the rulesets that use a changed message', async () => {
    const tenant = await tenantWith();
    await put(tenant, TEMPLATE).expect(201);
    const ruleset = async () =>
      (
        await app.pool.query(
          `select ruleset_id id from events e join organizations o on o.id = e.organization_id where o.slug = $1`,
          [tenant.org],
        )
      ).rows[0] as object;
    const before = await ruleset();
    const more = { ...MESSAGES, fr: { unused: 'x' } };
    await app.as(tenant.key).put(pathOf(tenant)).send({ messages: more }).expect(200);
    expect(await ruleset()).toEqual(before);
    const french = { ...MESSAGES, fr: { orders: { other: '{count} commandes' } } };
    await app.as(tenant.key).put(pathOf(tenant)).send({ messages: french }).expect(200);
    expect(await ruleset()).not.toEqual(before);
  });

  it('cannot be removed while a template uses them', async () => {
    const tenant = await tenantWith();
    await put(tenant, TEMPLATE).expect(201);
    const answer = await app
      .as(tenant.key)
      .put(pathOf(tenant))
      .send({ messages: { en: { orders: 'x' } } });
    expect([answer.status, (answer.body as { errors: object }).errors]).toEqual([
      400,
      { messages: ['has no order.paid, which web/order-paid/Tell uses (mail): keep it, or change the template first'] },
    ]);
  });

  it.each([
    [
      "{{ 'order.payd' | t }}",
      expect.stringContaining('order.payd, which the project does not have: did you mean order.paid?'),
    ],
    ['{{ key | t }}', expect.stringContaining("the filter t needs a key in quotes before it: {{ 'order.paid' | t }}")],
    ["{{ 'order' | append: '.paid' | t }}", expect.stringContaining('the filter t needs a key in quotes')],
  ])('are checked when a template is written: %s', async (text, sentence) => {
    const tenant = await tenantWith();
    const { status, body } = await put(tenant, { channel: 'mail', text });
    expect([status, (body as { errors: object }).errors]).toEqual([400, { 'templates.mail.text': [sentence] }]);
  });

  it.each([
    [{ German: { a: 'x' } }, 'messages.German'],
    [{ de: { 'a b': 'x' } }, 'messages.de.a b'],
    [{ de: { a: 7 } }, 'messages.de.a'],
    [{ de: { a: { one: 7, other: 'x' } } }, 'messages.de.a.one'],
    [{ de: { a: 'x'.repeat(2001) } }, 'messages.de.a'],
    [{ de: { a: { b: 'x' }, 'a.b': 'y' } }, 'messages.de.a.b'],
    [{ de: 'x' }, 'messages.de'],
  ])('are refused with the name of the wrong field: %j', async (messages, field) => {
    const tenant = await tenantWith();
    const { status, body } = await app.as(tenant.key).put(pathOf(tenant)).send({ messages });
    expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([400, [field]]);
  });

  it('are previewed and simulated', async () => {
    const tenant = await tenantWith();
    const event = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/`;
    const preview = { ...TEMPLATE, user: 'bob@acme.test', context: { n: 5 } };
    const previewed = await app.as(tenant.key).post(`${event}preview/`).send(preview);
    expect(previewed.body).toMatchObject({ text: '5 zamówień', language: { language: 'pl' } });
    await put(tenant, TEMPLATE).expect(201);
    const simulated = await app
      .as(tenant.key)
      .post(`${event}simulate/`)
      .send({ context: { n: 5 } });
    const { messages } = simulated.body as { messages: { text: string }[] };
    expect(messages.map(({ text }) => text).sort()).toContain('5 zamówień');
  });
});

describe('a footer of the project that uses messages', () => {
  const FOOTER = {
    en: { footer: 'Sent by {name}' },
    pl: { footer: 'Wysłane przez {name}' },
    ar: { footer: 'أرسله {name}' },
  };
  const withFooter = async () => {
    const tenant = await tenantWith(FOOTER);
    const shop = `/api/o/${tenant.org}/p/shop`;
    const send = (path: string, body: object) => app.as(tenant.key).put(`${shop}/${path}/`).send(body);
    await send('partials/footer', { text: "{{ 'footer' | t: name: organization.name }}" }).expect(200);
    await send('layouts/main', { text: "{{ content }} -- {% render 'footer' %}" }).expect(200);
    await put(tenant, { channel: 'mail', subject: 'S', text: 'Hi', layout: 'main' }).expect(201);
    return { tenant, send };
  };

  it('is in the language of each user, and as it was at the trigger', async () => {
    const { tenant, send } = await withFooter();
    const name = `The ${tenant.org}`;
    expect(await sent(tenant, {})).toEqual({
      'ann@acme.test': ['S', `Hi -- أرسله ${name}`],
      'bob@acme.test': ['S', `Hi -- Wysłane przez ${name}`],
      'cy@acme.test': ['S', `Hi -- Sent by ${name}`],
    });
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const occurrence = await tenant.trigger({}, { send_at: later, limit_to: ['bob@acme.test'] });
    await send('messages', { messages: { ...FOOTER, pl: { footer: 'Nowe' } } }).expect(200);
    expect((await sent(tenant, {}, { limit_to: ['bob@acme.test'] }))['bob@acme.test']![1]).toBe('Hi -- Nowe');
    smtp.mails.length = 0;
    await app.pool.query(`update jobs set run_at = now() where payload -> 'occurrences' ? $1`, [occurrence]);
    await tenant.settled(occurrence);
    expect((await PostalMime.parse(smtp.mails[0]!.raw)).text?.trim()).toBe(`Hi -- Wysłane przez ${name}`);
  });

  it('keeps its messages', async () => {
    const { send } = await withFooter();
    const { status, body } = await send('messages', { messages: {} });
    expect([status, (body as { errors: object }).errors]).toEqual([
      400,
      { messages: ['has no footer, which the partial footer uses: keep it, or change the partial first'] },
    ]);
  });

  it('is previewed, also as a draft', async () => {
    const { tenant } = await withFooter();
    const draft = { text: 'Hi', layout: 'main', user: 'bob@acme.test' };
    const preview = async (more: object = {}) => {
      const path = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/preview/`;
      const { body } = await app
        .as(tenant.key)
        .post(path)
        .send({ ...draft, ...more });
      return body as { text: string; errors: object };
    };
    expect((await preview()).text).toBe(`Hi -- Wysłane przez The ${tenant.org}`);
    const around = (text: string) => ({ layout_draft: { text: `{{ content }} {% render 'footer' %}, ${text}` } });
    expect((await preview(around("{{ 'footer' | t: name: 'us' }}"))).text).toBe(
      `Hi Wysłane przez The ${tenant.org}, Wysłane przez us`,
    );
    expect((await preview(around("{{ 'foter' | t }}"))).errors).toEqual({
      'layout_draft.text': [expect.stringMatching(/^uses the message foter.*did you mean footer\?/)],
    });
  });
});

it('are part of a file, one language to a YAML file, with plans and exports', async () => {
  const folder = createFolder();
  try {
    writeFileSync(join(folder.path, 'de.yaml'), 'order:\n  paid: Bezahlt\n');
    const fileOf = (messages: string, text: string) => `
organizations:
  - slug: filed
    name: Filed
    channels: [{ slug: inbox, name: Inbox, type: inbox }]
    projects:
      - slug: shop
        name: Shop
        messages: ${messages}
        distribution_lists: [{ name: All }]
        applications:
          - slug: web
            name: Web
            events:
              - slug: paid
                name: Paid
                notifications:
                  - { name: Tell, distribution_list: All, templates: [{ channel: inbox, text: "${text}" }] }
`;
    const run = async (file: string, ...more: string[]) => {
      const path = join(folder.path, 'acme.yaml');
      writeFileSync(path, file);
      return cli(['apply', path, ...more], { DATABASE_URL: app.databaseUrl });
    };
    const first = fileOf('{ de: { file: de.yaml } }', "{{ 'order.paid' | t }}");
    expect(await run(first)).toMatchObject({ code: 0, stdout: expect.stringContaining('messages.de.order.paid') });
    expect((await run(first)).stdout).toBe('nothing to change\n');
    // Its last use and the message go together.
    const second = fileOf('{ de: { order: { sent: Gesendet } } }', "{{ 'order.sent' | t }}");
    const { stdout, code } = await run(second);
    expect(code).toBe(0);
    expect(stdout).toContain('messages.de.order.sent: (none) -> Gesendet');
    expect(stdout).toContain('messages.de.order.paid: Bezahlt -> (none)');
    expect((await run(second)).stdout).toBe('nothing to change\n');
    const exported = await cli(['export', 'config', '--org', 'filed'], { DATABASE_URL: app.databaseUrl });
    expect(exported.stdout).toContain('order.sent: Gesendet');
  } finally {
    folder.remove();
  }
});
