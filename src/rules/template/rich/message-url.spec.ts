import { describe, expect, it } from '@jest/globals';
import { IMAGE_URL, LINK_URL, urlProblem, urlSourceProblem } from './message-url.js';

const LONG = `https://acme.test/${'x'.repeat(2000)}`;

describe('a rendered link', () => {
  it.each(['https://acme.test', 'http://acme.test/a?b=c#d', '/', '/orders/A-17', '/a/../b', 'HTTPS://ACME.TEST/'])(
    'may be %s',
    (url) => expect(urlProblem(url, LINK_URL)).toBeNull(),
  );

  it.each([
    ...['javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x', 'mailto:a@b.test', 'vbscript:x', 'file:///x'],
    ...[
      '//evil.test',
      '/\\evil.test',
      '\\\\evil.test',
      'https:evil.test',
      'https:///evil.test',
      'evil.test',
      'a b',
      '',
    ],
    ...['https://user:secret@evil.test', 'https://', 'https://acme.test/a b', '/a\u0000b', '/a\u2028b', LONG],
  ])('cannot be %j', (url) => expect(urlProblem(url, LINK_URL)).toEqual(expect.any(String)));
});

it('takes only https for a picture', () => {
  expect(urlProblem('https://acme.test/a.png', IMAGE_URL)).toBeNull();
  for (const url of ['http://acme.test/a.png', '/a.png', 'data:image/png;base64,x'])
    expect(urlProblem(url, IMAGE_URL)).toBe('must be an https URL');
});

describe('the source of a link', () => {
  it.each([
    '{{ link }}',
    'https://{{ host }}/',
    '/orders/{{ order }}',
    '{% if a %}/a{% endif %}',
    '/a',
    'https://a.test',
  ])('may be %s', (source) => expect(urlSourceProblem(source, LINK_URL)).toBeNull());

  it.each(['javascript:{{ x }}', ' JAVASCRIPT:{{ x }}', '//{{ host }}', 'orders/{{ order }}', 'javascript:x', LONG])(
    'cannot be %j',
    (source) => expect(urlSourceProblem(source, LINK_URL)).toEqual(expect.any(String)),
  );
});
