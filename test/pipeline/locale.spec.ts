import { describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { Tenant, mail, webhook } from '../support/world/tenant.js';

let app: TestApp;
let sink: SmtpSink;
let hooks: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => SmtpSink.start(),
  (started) => (sink = started),
);
useSink(
  () => HttpSink.start(),
  (started) => (hooks = started),
);

const EACH = "{{ at | local_date: 'long', 'short' }}; {{ total | currency: 'EUR' }}; {{ items | local_list }}";
/** A loop is rendered in the render process. */
const IN_LOOP = `{% for n in (1..1) %}${EACH}{% endfor %}`;
const CONTEXT = { at: '2026-10-25T01:30:00Z', total: '1234.5', items: ['a', 'b'] };
const [ANN, BOB, CY] = ['ann@acme.test', 'bob@acme.test', 'cy@acme.test'] as const;

const GERMAN = '25. Oktober 2026 um 02:30; € 1.234,50; a und b';
const POLISH = '24 października 2026 21:30; 1234,50 €; a i b';
const JAPANESE = '2026年10月25日 10:30; €1,234.50; a、b';
const BRITISH = '25 October 2026 at 10:30; €1,234.50; a and b';

/** Different versions of ICU use different blanks. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ').trim();

async function tenantWith(text: string): Promise<Tenant> {
  const tenant = await Tenant.create(app, {
    channels: [mail('mail', sink.port), webhook('room', hooks.url())],
    users: [
      { email: ANN, locale: 'de-AT', time_zone: 'Europe/Vienna' },
      { email: BOB, locale: 'pl', time_zone: 'America/New_York' },
      { email: CY },
    ],
    lists: [{ name: 'Staff', members: [ANN, BOB, CY] }],
    notifications: [
      {
        name: 'Tell',
        distribution_list: 'Staff',
        templates: [{ channel: 'mail', subject: '{{ user.locale }}', text }],
      },
      { name: 'Post', templates: [{ channel: 'room', per: 'room', text }] },
    ],
  });
  const settings = { locale: 'ja', time_zone: 'Asia/Tokyo' };
  await app.as(tenant.key).patch(`/api/o/${tenant.org}/settings/`).send(settings).expect(200);
  return tenant;
}

async function sentBy(tenant: Tenant, options: object): Promise<Record<string, [string, string]>> {
  sink.mails.length = 0;
  hooks.requests.length = 0;
  await tenant.triggerAndSettle(CONTEXT, options);
  const mails = await Promise.all(sink.mails.map(({ raw }) => PostalMime.parse(raw)));
  const room = JSON.parse(hooks.requests[0]!.body) as { data: { text: string } };
  return Object.fromEntries([
    ...mails.map(({ to, subject, text }) => [to![0]!.address!, [subject, plain(text!)]]),
    ['room', plain(room.data.text)],
  ]) as Record<string, [string, string]>;
}

describe.each([
  ['plain', EACH],
  ['looping', IN_LOOP],
])('a %s template', (_kind, text) => {
  it('is written in the locale and the zone of each user, and of the organization in a room', async () => {
    expect(await sentBy(await tenantWith(text), {})).toEqual({
      [ANN]: ['de-AT', GERMAN],
      [BOB]: ['pl', POLISH],
      [CY]: ['ja', JAPANESE],
      room: JAPANESE,
    });
  });

  it('is written in the locale of the trigger for everyone', async () => {
    const sent = await sentBy(await tenantWith(text), { locale: 'EN-gb' });
    expect(Object.values(sent).map((each) => (typeof each === 'string' ? 'room' : each[0]))).toEqual([
      ...['en-GB', 'en-GB', 'en-GB', 'room'],
    ]);
    expect([sent[CY]![1], sent.room]).toEqual([BRITISH, BRITISH]);
  });
});

it('is simulated and previewed as it is sent', async () => {
  const tenant = await tenantWith(EACH);
  const event = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/`;
  const simulate = async (options: object) => {
    const body = { context: CONTEXT, options };
    const answer = await app.as(tenant.key).post(`${event}simulate/`).send(body).expect(200);
    const { messages } = answer.body as { messages: { text: string; user: string | null }[] };
    return messages.map((each) => plain(each.text)).sort();
  };
  expect(await simulate({})).toEqual([GERMAN, JAPANESE, JAPANESE, POLISH].sort());
  expect(await simulate({ locale: 'en-GB' })).toContain(BRITISH);
  const preview = async (user: string) => {
    const body = { channel: 'mail', user, text: EACH, subject: '{{ user.locale }}', context: CONTEXT };
    const answer = await app.as(tenant.key).post(`${event}preview/`).send(body).expect(200);
    const { subject, text, missing } = answer.body as { subject: string; text: string; missing: string[] };
    return [subject, plain(text), missing];
  };
  expect(await preview(ANN)).toEqual(['de-AT', GERMAN, []]);
  expect(await preview(CY)).toEqual(['ja', JAPANESE, []]);
});

it('refuses a locale of the trigger that is not a language tag, and stores the canonical one', async () => {
  const tenant = await tenantWith(EACH);
  const event = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/`;
  for (const locale of ['de_AT', 'German', '', 7, null]) {
    const answer = await app.as(tenant.key).post(`${event}trigger/`).send({ options: { locale } });
    expect([answer.status, (answer.body as { errors: unknown }).errors]).toEqual([
      400,
      { 'options.locale': ['must be a language tag of at most 35 characters, such as de-AT, pt-BR or en'] },
    ]);
  }
  const occurrence = await tenant.trigger(CONTEXT, { locale: 'zh-hant-tw' });
  const { rows } = await app.pool.query('select options from occurrences where id = $1', [occurrence]);
  expect(rows).toEqual([{ options: { locale: 'zh-Hant-TW' } }]);
});
