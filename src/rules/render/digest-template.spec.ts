import { describe, expect, it } from '@jest/globals';
import { digestTemplate } from './digest-template.js';
import type { DigestEntry } from './digest-template.js';

const written = (subject: string, text: string, url?: string): DigestEntry => ({
  result: { ok: true, message: { subject, text, html: '', ...(url && { rich: { url } }) } },
  event: 'Order paid',
});
const FAILED: DigestEntry = { result: { ok: false, reason: 'invalid', error: 'no' }, event: 'Order paid' };

const NEWS = { category: 'News', frequency: 'daily' as const, locale: 'de-AT', count: 3, isLong: true };

describe('a digest of a category', () => {
  it('shows each message with its text and link, and the event of one that cannot be written', () => {
    const entries = [written('A <b>', 'One\nhttps://acme.test/1'), written('', 'Two', 'https://acme.test/2'), FAILED];
    const { parts, digest } = digestTemplate({ ...NEWS, entries, template: { html: '<p>', layout: 'default' } });
    expect(digest).toEqual({
      title: 'News: Tägliche Zusammenfassung (3)',
      text: 'A <b>\nOne\nhttps://acme.test/1\n\nTwo\n\nhttps://acme.test/2\n\nOrder paid',
      html: expect.stringContaining('<h3>A &lt;b&gt;</h3>\n<p>One<br>\n<a href="https://acme.test/1">'),
    });
    expect(parts).toMatchObject({ layout: 'default', lang: 'de', html: '{{ digest.html | raw }}' });
  });

  it('has a line for each of the first ten messages where a channel shows only text, and says how many more there are', () => {
    const entries = Array.from({ length: 12 }, (_, n) => written('', `Line ${n}\nmore`));
    const { parts, digest } = digestTemplate({ ...NEWS, entries, count: 30, isLong: false, template: { html: '<p>' } });
    const lines = digest.text.split('\n');
    expect([lines[1], lines.length, lines.at(-1), parts.html]).toEqual(['- Line 0', 12, 'und 20 weitere', null]);
  });

  it('cuts a text that is too long, but no character', () => {
    const { digest } = digestTemplate({ ...NEWS, entries: [written('', `${'a'.repeat(1999)}😀`)], template: {} });
    expect(digest.text.split('\n')[0]).toBe(`${'a'.repeat(1999)}…`);
  });
});
