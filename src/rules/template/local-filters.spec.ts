import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { isPlain } from './plain.js';
import { compileTemplate, parseTemplate, renderTemplate } from './template.js';
import type { Json } from './template.js';

const NAMED = { slug: 'x' };
const ROME = 'Europe/Rome';

/** Different versions of ICU put different blanks between a number and its unit. */
const blanks = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

function rendered(text: string, context: Json, locale = 'en', timeZone = ROME): string {
  const names = { event: NAMED, application: NAMED, project: NAMED, organization: NAMED, channel: NAMED };
  const given = { ...names, context, user: null, occurrence: {}, region: { locale, timeZone } };
  return blanks(renderTemplate(compileTemplate({ text }), given, { work: 1_000_000 }).text);
}

const AT = '2026-12-01T08:05:00Z';

describe('local_date', () => {
  it.each([
    ['en', 'Dec 1, 2026'],
    ['en-GB', '1 Dec 2026'],
    ['de-AT', '01.12.2026'],
    ['pl', '1 gru 2026'],
    ['ja', '2026/12/01'],
    ['ar-EG', '٠١‏/١٢‏/٢٠٢٦'],
    ['xx', 'Dec 1, 2026'],
  ])('writes a day for %s', (locale, text) => {
    expect(rendered('{{ at | local_date }}', { at: AT }, locale)).toBe(text);
  });

  it('takes a style, and a second one for the time', () => {
    expect(rendered("{{ at | local_date: 'full' }}", { at: AT }, 'de-AT')).toBe('Dienstag, 1. Dezember 2026');
    expect(rendered("{{ at | local_date: 'short' }}", { at: AT }, 'en')).toBe('12/1/26');
    expect(rendered("{{ at | local_date: 'short', 'short' }}", { at: AT }, 'de-AT')).toBe('01.12.26, 09:05');
  });

  it('follows the zone of the reader, on both sides of a change of the clock', () => {
    const text = "{{ at | local_date: 'short', 'short' }}";
    expect(rendered(text, { at: '2026-10-25T00:30:00Z' }, 'de')).toBe('25.10.26, 02:30');
    expect(rendered(text, { at: '2026-10-25T01:30:00Z' }, 'de')).toBe('25.10.26, 02:30');
    expect(rendered(text, { at: '2026-10-25T02:30:00Z' }, 'de')).toBe('25.10.26, 03:30');
    expect(rendered(text, { at: '2026-03-29T00:59:00Z' }, 'de')).toBe('29.03.26, 01:59');
    expect(rendered(text, { at: '2026-03-29T01:00:00Z' }, 'de')).toBe('29.03.26, 03:00');
    expect(rendered(text, { at: '2026-11-30T23:30:00Z' }, 'de', 'America/New_York')).toBe('30.11.26, 18:30');
  });

  it('leaves a day and a time without a zone as they are, wherever the reader is', () => {
    for (const zone of ['UTC', ROME, 'Pacific/Kiritimati', 'America/New_York']) {
      expect(rendered('{{ at | local_date }}', { at: '2026-12-01' }, 'en', zone)).toBe('Dec 1, 2026');
      expect(rendered("{{ at | local_date: 'short', 'short' }}", { at: '2026-10-25T09:00' }, 'de', zone)).toBe(
        '25.10.26, 09:00',
      );
    }
  });

  it('takes seconds since 1970, and now', () => {
    expect(rendered('{{ 0 | local_date }} {{ "1796112300" | local_date }}', {})).toBe('Jan 1, 1970 Dec 1, 2026');
    expect(rendered('{{ "now" | local_date: "long" }}', {})).toMatch(/^[A-Z][a-z]+ \d+, 20\d\d$/);
  });
});

describe('local_time', () => {
  it.each([
    ['en', '9:05 AM'],
    ['de-AT', '09:05'],
    ['ja', '9:05'],
    ['pl', '09:05'],
  ])('writes a time for %s', (locale, text) => {
    expect(rendered('{{ at | local_time }}', { at: AT }, locale)).toBe(text);
  });
});

describe('local_number and currency', () => {
  it.each([
    ['en', '1,234,567.891', '€1,234.50'],
    ['de-AT', '1 234 567,891', '€ 1.234,50'],
    ['pl', '1 234 567,891', '1234,50 €'],
    ['ja', '1,234,567.891', '€1,234.50'],
    ['ar-EG', '١٬٢٣٤٬٥٦٧٫٨٩١', '\u200f١٬٢٣٤٫٥٠ €'],
  ])('write for %s', (locale, number, amount) => {
    expect(rendered('{{ n | local_number }}', { n: 1234567.891 }, locale)).toBe(number);
    expect(rendered("{{ n | currency: 'EUR' }}", { n: 1234.5 }, locale)).toBe(amount);
  });

  it('take texts without losing digits, and a number of digits', () => {
    expect(rendered('{{ n | local_number }}', { n: '12345678901234567890.12' }, 'en')).toBe(
      '12,345,678,901,234,567,890.12',
    );
    expect(rendered('{{ n | local_number: 2 }} {{ m | local_number: 0 }}', { n: 1, m: '2.5' }, 'en')).toBe('1.00 3');
    expect(rendered('{{ n | currency: code }}', { n: '99.9', code: 'jpy' }, 'en')).toBe('¥100');
  });
});

it.each([
  ['en', 'a, b, and c', 'a, b, or c'],
  ['de-AT', 'a, b und c', 'a, b oder c'],
  ['pl', 'a, b i c', 'a, b lub c'],
  ['ja', 'a、b、c', 'a、b、またはc'],
  ['ar', 'a وb وc', 'a أو b أو c'],
])('local_list joins items for %s', (locale, and, or) => {
  expect(rendered("{{ l | local_list }}|{{ l | local_list: 'or' }}", { l: ['a', 'b', 'c'] }, locale)).toBe(
    `${and}|${or}`,
  );
  expect(rendered('{{ l | local_list }}', { l: [1, null, { a: 1 }] }, 'en')).toBe('1 and {"a":1}');
});

describe('relative_time', () => {
  afterEach(() => void jest.useRealTimers());

  it.each([
    [AT, 'en', 'in 0 seconds'],
    ['2026-12-01T08:04:15Z', 'de-AT', 'vor 45 Sekunden'],
    ['2026-12-01T09:35:00Z', 'en', 'in 2 hours'],
    ['2026-12-03T08:05:00Z', 'pl', 'za 2 dni'],
    ['2026-11-24T08:05:00Z', 'en', '1 week ago'],
    ['2025-12-01T08:05:00Z', 'ja', '1 年前'],
    ['2027-02-01T08:05:00Z', 'ar', 'خلال شهرين'],
    ['2026-12-02', 'en', 'in 15 hours'],
    ['2026-12-01T10:05', 'en', 'in 1 hour'],
  ])('says how far %s is, for %s', (at, locale, text) => {
    jest.useFakeTimers({ now: new Date(AT), doNotFake: ['performance', 'queueMicrotask', 'nextTick'] });
    expect(rendered('{{ at | relative_time }}', { at }, locale)).toBe(text);
  });
});

it.each([
  ['{{ v | local_date }}', 'soon', 'soon'],
  ['{{ v | local_date }}', '01/02/2026', '01/02/2026'],
  ['{{ v | local_date }}', { a: 1 }, '{"a":1}'],
  ['{{ v | local_date }}', null, ''],
  ['{{ v | local_date }}', 1e300, '1e+300'],
  ["{{ v | local_date: 'huge' }}", AT, AT],
  ['{{ v | local_time }}', '2026-13-45T99:99', '2026-13-45T99:99'],
  ['{{ v | local_number }}', 'many', 'many'],
  ['{{ v | local_number: 500 }}', 7, '7'],
  ['{{ v | currency }}', 7, '7'],
  ["{{ v | currency: 'Euros' }}", 7, '7'],
  ['{{ v | local_list }}', 'a, b', 'a, b'],
  ["{{ v | local_list: 'nor' }}", ['a', 'b'], 'ab'],
  ['{{ v | relative_time }}', 'soon', 'soon'],
])('%s leaves %j as it is', (text, v, output) => {
  expect(rendered(text, { v })).toBe(output);
});

it('escapes what the filters write, in HTML', () => {
  const context = { l: ['<b>', 'c'] };
  const given = { context, user: null, occurrence: {}, event: NAMED, application: NAMED, project: NAMED };
  const html = '{{ l | local_list }}';
  const message = renderTemplate(
    compileTemplate({ html, text: 'x' }),
    { ...given, organization: NAMED, channel: NAMED },
    { work: 100_000 },
  );
  expect(message.html).toBe('&lt;b&gt; and c');
});

it('is rendered in our own process, up to a limit', () => {
  const text =
    "{{ a | local_date: 'long', s }} {{ a | local_time }} {{ b | currency: c }} {{ b | local_number }} {{ d | local_list }} {{ a | relative_time }}";
  expect(isPlain(parseTemplate({ text }).get('text')!)).toBe(true);
  const many = compileTemplate({ text: '{{ a | local_date }}'.repeat(100) });
  const given = { context: { a: AT }, user: null, occurrence: {}, event: NAMED, application: NAMED, project: NAMED };
  expect(() => renderTemplate(many, { ...given, organization: NAMED, channel: NAMED }, { work: 64 * 1024 })).toThrow(
    /limit exceeded/,
  );
});
