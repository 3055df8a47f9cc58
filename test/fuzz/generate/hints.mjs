import fc from 'fast-check';
import { CHANNELS, LISTS, SLUGS, TOMORROW, TYPES, USERS } from './names.mjs';

const TEMPLATES = [
  'Hi',
  'Hi {{ user.first_name }}, {{ total }} EUR.',
  '{% for item in items %}{{ item.name }}{% endfor %}',
  '{% if vip %}VIP{% endif %}{{ note | default: "-" }}',
  '{{ order',
  '<p>{{ order | escape }}</p>',
];
const CONDITIONS = ['total > `100`', 'order', 'items[?price > `5`] | length(@) > `0`', 'a.b.c', '((', ''];
const AUDIENCES = [
  { field: 'custom_fields.team', is: 'ops' },
  { field: 'email', is: 'ann@acme.test' },
  { all: [{ field: 'custom_fields.team', is: 'ops' }, { not: { field: 'first_name', is: 'Ann' } }] },
  { field: 'nothing' },
  {},
];
const CONTEXTS = [{}, { order: 'A-17', total: 120 }, { total: 'many', items: [{ name: 'x', price: 7 }] }, { user: {} }];

/**
 * Better values for fields with a meaning, by the name of the field. A random text is nearly never the slug of a channel.
 * @param {{ sinkUrl: string }} world
 * @returns {Record<string, import('fast-check').Arbitrary<unknown>>}
 */
export function hints({ sinkUrl }) {
  const text = fc.constantFrom(...TEMPLATES);
  return {
    slug: fc.constantFrom(...SLUGS),
    email: fc.constantFrom(...USERS),
    user: fc.constantFrom(...USERS),
    search: fc.constantFrom('ann', 'A acme', '+1', '%', 'nobody'),
    event: fc.constantFrom('shop/web/order-paid', 'shop/web/none'),
    channel: fc.constantFrom(...CHANNELS),
    fallback: fc.constantFrom(...CHANNELS),
    channels: fc.array(fc.constantFrom(...CHANNELS, ...TYPES), { maxLength: 3 }),
    limit_to: fc.array(fc.constantFrom(...USERS), { maxLength: 3 }),
    distribution_lists: fc.uniqueArray(fc.constantFrom(...LISTS), { maxLength: 2 }),
    type: fc.constantFrom(...TYPES),
    config: fc.constantFrom(
      {},
      { url: sinkUrl },
      { url: sinkUrl, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
      { host: '127.0.0.1', port: 9, security: 'none', from: 'Acme <no-reply@acme.test>' },
      { url: sinkUrl, timeout_seconds: 1, unknown: 1 },
    ),
    url: fc.constantFrom(sinkUrl, `${sinkUrl}status`),
    secret: fc.constant('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
    subject: text,
    text,
    html: text,
    markdown: text,
    when: fc.constantFrom(...CONDITIONS),
    audience: fc.constantFrom(...AUDIENCES),
    context: fc.constantFrom(...CONTEXTS),
    category: fc.constantFrom('news', 'seq', null),
    categories: fc.constantFrom(
      { news: 'off' },
      { 'shop/news': { email: false, all: 'on' } },
      { news: null },
      { none: 'on' },
    ),
    events: fc.constantFrom({ 'order-paid': null }, { 'web/order-paid': 'off' }, { 'shop/web/none': true }),
    locale: fc.constantFrom('de-AT', 'ar-EG-u-nu-latn', 'xx', 'de_AT', 'i-klingon'),
    time_zone: fc.constantFrom('Europe/Rome', 'Australia/Lord_Howe', 'UTC', 'Mars/Base'),
    project: fc.constant('shop'),
    application: fc.constant('web'),
    value: fc.constantFrom('+1 555 123 4567', '+15557654321', 'ann2@acme.test', 'bob@acme.test'),
    send_at: fc.constantFrom(TOMORROW, '2030-01-01T08:00:00Z'),
    expires_at: fc.constantFrom('2030-01-01T09:00:00Z', '2031-01-01T08:00:00+02:00'),
    rate_limit: fc.constantFrom(1, 1000),
    expires_in: fc.constantFrom('15m', '1h', '24h', 3600, '2d'),
    origins: fc.constantFrom(['https://app.acme.test'], ['http://localhost:5173', 'https://app.acme.test'], [], null),
    max_recipients: fc.constantFrom(1, 1000, null),
    _items: fc.constantFrom(...USERS),
  };
}
