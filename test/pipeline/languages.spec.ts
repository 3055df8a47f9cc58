import { beforeEach, describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import { DISPATCHERS } from '../../src/dispatcher/dispatcher.module.js';
import type { Dispatcher } from '../../src/dispatcher/dispatcher.js';
import { Outbound } from '../../src/dispatcher/outbound/outbound.js';
import { builtInDispatcher } from '../../src/dispatcher/provider/built-in.js';
import type { TemplateEntry } from '../../src/operate/provisioning/file.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { FakeTwilio } from '../support/providers/twilio.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';
import { Tenant, inbox, mail, webhook } from '../support/world/tenant.js';

const ACCOUNT = { sid: `AC${'0123456789abcdef'.repeat(2)}`, token: 'fedcba98765432100123456789abcdef' };

let app: TestApp;
let smtp: SmtpSink;
let hooks: HttpSink;
let twilio: FakeTwilio;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => SmtpSink.start(),
  (started) => (smtp = started),
);
useSink(
  () => HttpSink.start(),
  (started) => (hooks = started),
);
useSink(
  () => FakeTwilio.start(ACCOUNT),
  (started) => (twilio = started),
);
beforeEach(() => {
  const dispatchers: Map<string, Dispatcher> = app.app.get(DISPATCHERS);
  dispatchers.set('sms', builtInDispatcher('sms', app.app.get(Outbound), twilio.origin));
});

const [ANN, BOB, CY, DI] = ['ann@acme.test', 'bob@acme.test', 'cy@acme.test', 'di@acme.test'];
const PHONES: Record<string, string> = { [ANN]: '+15550000001', [BOB]: '+15550000002', [CY]: '+15550000003' };
const user = (email: string, locale?: string) => ({
  ...{ email, locale },
  addresses: PHONES[email] ? [{ name: 'phone', value: PHONES[email] }] : [],
});

const TRANSLATIONS = {
  de: { subject: 'Bestellung {{ order }}', text: 'Danke, {{ total | local_number: 2 }} Euro' },
  'pt-br': { subject: 'Pedido {{ order }}', text: 'Obrigado' },
  pt: { text: 'Obrigado, Portugal', markdown: '**Obrigado**' },
};
const BASE = { subject: 'Order {{ order }}', text: 'Thank you, {{ total | local_number: 2 }} euros' };
const CONTEXT = { order: 'A-17', total: 12.5 };

const tenantWith = (templates: TemplateEntry[], more: object = {}) =>
  Tenant.create(app, {
    channels: [
      mail('mail', smtp.port),
      inbox('inbox'),
      webhook('room', hooks.url()),
      {
        ...{ slug: 'sms', name: 'SMS', type: 'sms' },
        config: { account_sid: ACCOUNT.sid, auth_token: ACCOUNT.token, from: '+15550001111' },
      },
    ],
    users: [user(ANN, 'de-AT'), user(BOB, 'pt-BR'), user(CY), user(DI, 'pt-PT')],
    lists: [{ name: 'Staff', members: [ANN, BOB, CY, DI] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates, ...more }],
  });

const eventOf = ({ org }: Tenant) => `/api/o/${org}/p/shop/a/web/e/order-paid/`;

async function mails(): Promise<Record<string, [string, string, string]>> {
  const parsed = await Promise.all(smtp.mails.map(({ raw }) => PostalMime.parse(raw)));
  return Object.fromEntries(
    parsed.map(({ to, subject, text, html }) => [
      to![0]!.address!,
      [subject ?? '', (text ?? '').trim(), (html ?? '').trim()],
    ]),
  );
}

it('names the language that the texts of a mail are in', async () => {
  const tenant = await tenantWith([{ channel: 'mail', ...BASE, translations: TRANSLATIONS, layout: 'default' }]);
  await tenant.apply({ users: [user(CY, 'ar')] });
  await tenant.settled(await tenant.trigger(CONTEXT));
  const tags = Object.entries(await mails()).map(([to, [, , html]]) => [to, /<html [^>]*>/.exec(html)?.[0]]);
  expect(Object.fromEntries(tags)).toEqual({
    [ANN]: '<html lang="de" dir="ltr">',
    [BOB]: '<html lang="pt-BR" dir="ltr">',
    // There is nothing in Arabic.
    [CY]: '<html lang="en" dir="ltr">',
    [DI]: '<html lang="pt" dir="ltr">',
  });
});

describe('one event in three languages', () => {
  it('reaches each user in theirs over mail, SMS and the inbox', async () => {
    for (const phone of Object.values(PHONES)) twilio.lines.set(phone, 'mobile');
    const parts = { ...BASE, translations: TRANSLATIONS };
    const tenant = await tenantWith(['mail', 'inbox', 'sms'].map((channel) => ({ channel, ...parts })));
    const deliveries = await tenant.triggerAndSettle(CONTEXT);
    expect(deliveries.map(({ status, gate }) => gate ?? status).sort()).toEqual([
      'no_address',
      ...Array<string>(11).fill('sent'),
    ]);
    expect(await mails()).toEqual({
      [ANN]: ['Bestellung A-17', 'Danke, 12,50 Euro', ''],
      [BOB]: ['Pedido A-17', 'Obrigado', '<p><strong>Obrigado</strong></p>'],
      [CY]: ['Order A-17', 'Thank you, 12.50 euros', ''],
      [DI]: ['Order A-17', 'Obrigado, Portugal', '<p><strong>Obrigado</strong></p>'],
    });
    expect(Object.fromEntries(twilio.sent.map(({ To, Body }) => [To, Body]))).toEqual({
      [PHONES[ANN]!]: 'Danke, 12,50 Euro',
      [PHONES[BOB]!]: 'Obrigado',
      [PHONES[CY]!]: 'Thank you, 12.50 euros',
    });
    const { rows } = await app.pool.query(
      `select u.email, i.subject from inbox_messages i join users u on u.id = i.user_id order by 1`,
    );
    expect(rows.map(({ email, subject }: Record<string, string>) => [email, subject])).toEqual([
      [ANN, 'Bestellung A-17'],
      [BOB, 'Pedido A-17'],
      [CY, 'Order A-17'],
      [DI, 'Order A-17'],
    ]);
  });

  it('is pinned: an occurrence keeps the translations of its trigger', async () => {
    const tenant = await tenantWith([{ channel: 'mail', ...BASE, translations: TRANSLATIONS }]);
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const occurrence = await tenant.trigger(CONTEXT, { send_at: sendAt, limit_to: [ANN] });
    await tenant.apply({
      notifications: [
        {
          ...{ name: 'Tell', distribution_list: 'Staff' },
          templates: [{ channel: 'mail', ...BASE, translations: { de: { subject: 'Neu' } } }],
        },
      ],
    });
    await app.pool.query(`update jobs set run_at = now() where payload -> 'occurrences' ? $1`, [occurrence]);
    await tenant.settled(occurrence);
    expect((await mails())[ANN]![0]).toBe('Bestellung A-17');
  });

  it('comes as a digest in the language of its user', async () => {
    const digest = { window: '1m', max_items: 2 };
    const text = '{{ digest.count }} orders';
    const tenant = await tenantWith(
      [{ channel: 'mail', subject: 'Orders', text, translations: { de: { text: '{{ digest.count }} Bestellungen' } } }],
      { digest },
    );
    for (const order of ['A', 'B']) await tenant.trigger({ order }, { limit_to: [ANN] });
    await until(15_000, async () => smtp.mails.length === 1);
    expect((await mails())[ANN]).toEqual(['Orders', '2 Bestellungen', '']);
  });
});

describe('the language of a message', () => {
  it('is that of the trigger for everyone, and of the organization for a room and for users without a locale', async () => {
    const parts = { ...BASE, translations: TRANSLATIONS };
    const tenant = await tenantWith([
      { channel: 'mail', ...parts },
      { channel: 'room', per: 'room', ...parts },
    ]);
    const room = () => (JSON.parse(hooks.requests.at(-1)!.body) as { data: { subject: string } }).data.subject;
    await tenant.triggerAndSettle(CONTEXT);
    expect(room()).toBe('Order A-17');
    await app.as(tenant.key).patch(`/api/o/${tenant.org}/settings/`).send({ locale: 'de-CH' }).expect(200);
    await tenant.triggerAndSettle(CONTEXT);
    expect([room(), (await mails())[CY]![0]]).toEqual(['Bestellung A-17', 'Bestellung A-17']);
    await tenant.triggerAndSettle(CONTEXT, { locale: 'pt-BR' });
    expect(room()).toBe('Pedido A-17');
    expect(Object.values(await mails()).map(([subject]) => subject)).toEqual(Array(4).fill('Pedido A-17'));
  });

  it('is explained, shown with the delivery, simulated and previewed', async () => {
    const tenant = await tenantWith([{ channel: 'mail', ...BASE, translations: TRANSLATIONS }]);
    const occurrence = await tenant.trigger(CONTEXT);
    const rows = await tenant.settled(occurrence);
    const path = `/api/o/${tenant.org}/occurrences/${occurrence}/`;
    const explained = await app.as(tenant.key).get(`${path}explain/`).query({ user: ANN });
    const why = 'in German, because the locale of the user is de-AT and there is no de-AT translation';
    expect(JSON.stringify(explained.body)).toContain(`it was written ${why}`);
    const { id } = rows.find((row) => row.user === ANN)!;
    const delivery = await app.as(tenant.key).get(`${path}deliveries/${id}/`);
    const language = { language: 'de', locale: 'de-AT', by: 'user', sentence: why };
    expect((delivery.body as { message: object }).message).toMatchObject({ language });
    const simulated = await app
      .as(tenant.key)
      .post(`${eventOf(tenant)}simulate/`)
      .send({ context: CONTEXT });
    const { messages } = simulated.body as { messages: { user: string; subject: string; language: object }[] };
    expect(messages.find((each) => each.user === ANN)).toMatchObject({ subject: 'Bestellung A-17', language });
    expect(messages.find((each) => each.user === CY)).toMatchObject({
      subject: 'Order A-17',
      language: { language: null, locale: 'en', by: null },
    });
    const preview = (body: object) =>
      app
        .as(tenant.key)
        .post(`${eventOf(tenant)}preview/`)
        .send({ channel: 'mail', ...BASE, translations: TRANSLATIONS, context: CONTEXT, ...body });
    expect((await preview({ user: ANN })).body).toMatchObject({ subject: 'Bestellung A-17', language });
    expect((await preview({ user: ANN, locale: 'pt-BR' })).body).toMatchObject({ subject: 'Pedido A-17' });
    expect((await preview({ locale: 'Portuguese' })).body).toMatchObject({ errors: { locale: [expect.any(String)] } });
  });

  it('is not stored for templates without translations', async () => {
    const tenant = await tenantWith([{ channel: 'mail', ...BASE }]);
    const occurrence = await tenant.trigger(CONTEXT);
    await tenant.settled(occurrence);
    const { rows } = await app.pool.query(
      `select distinct m.language from messages m join deliveries d on d.id = m.delivery_id where d.occurrence_id = $1`,
      [occurrence],
    );
    expect(rows).toEqual([{ language: null }]);
  });
});

describe('translations that are written', () => {
  const put = (tenant: Tenant, template: object) =>
    app
      .as(tenant.key)
      .post(`${eventOf(tenant)}n/`)
      .send({
        ...{ name: 'New', distribution_lists: ['Staff'] },
        templates: [{ channel: 'mail', text: 'Hi', ...template }],
      });

  it('are read as they were written, by canonical tags and without empty parts', async () => {
    const tenant = await tenantWith([{ channel: 'mail', ...BASE }]);
    const answer = await put(tenant, { translations: { 'PT-br': { subject: 'Oi', html: null, text: '' } } });
    expect(answer.status).toBe(201);
    const { templates } = answer.body as { templates: { translations: unknown }[] };
    expect(templates[0]!.translations).toEqual({ 'pt-BR': { subject: 'Oi' } });
  });

  it('are refused with the name of the field that is wrong', async () => {
    const tenant = await tenantWith([{ channel: 'mail', ...BASE }]);
    const errorsOf = async (translations: unknown) =>
      ((await put(tenant, { translations })).body as { errors: Record<string, string[]> }).errors;
    const at = 'templates.mail.translations';
    expect(await errorsOf({ de: { subject: '{{ a' } })).toEqual({ [`${at}.de.subject`]: [expect.any(String)] });
    expect(await errorsOf({ German: { text: 'Hallo' } })).toEqual({
      [`${at}.German`]: ['must be a language tag of at most 35 characters, such as de-AT, pt-BR or en'],
    });
    expect(await errorsOf({ de: { html: 'a', markdown: 'b' } })).toEqual({
      [`${at}.de.markdown`]: ['Give one of html, markdown, mjml.'],
    });
    expect(await errorsOf({ de: {} })).toEqual({ [`${at}.de`]: ['needs one of subject, text, html, markdown, mjml'] });
    expect(await errorsOf({ de: { text: 'a' }, DE: { text: 'b' } })).toEqual({
      [`${at}.DE`]: ['is another spelling of de'],
    });
    expect(await errorsOf({ de: { subjet: 'a', text: 'b' } })).toEqual({
      [`${at}.de.subjet`]: [expect.stringContaining('subject')],
    });
    expect(await errorsOf({ de: { text: 7 } })).toMatchObject({ [`${at}.de.text`]: ['must be a string or null'] });
    expect(await errorsOf('de')).toEqual({ [at]: ['must be an object or null'] });
    const many = Object.fromEntries(
      Array.from({ length: 51 }, (_, i) => [
        `a${String.fromCharCode(97 + (i % 26))}${i < 26 ? '' : 'a'}`,
        { text: 'x' },
      ]),
    );
    expect(await errorsOf(many)).toMatchObject({ [at]: ['must have at most 50 languages'] });
  });
});
