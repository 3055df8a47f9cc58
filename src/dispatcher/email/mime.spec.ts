import { describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import { composeMail, type Mail } from './mime.js';

const mail: Mail = {
  id: '0192-abc',
  from: { name: 'Acme', address: 'no-reply@acme.test' },
  to: 'ann@acme.test',
  replyTo: null,
  subject: 'Order 7 paid',
  text: 'Hi Ann,\nthanks.',
  html: '',
  date: new Date('2030-01-02T03:04:05Z'),
};

const compose = (change: Partial<Mail> = {}) => composeMail({ ...mail, ...change });
const parse = (change: Partial<Mail> = {}) => PostalMime.parse(compose(change));

/** Checks the rules of SMTP and RFC 5322 for every message. */
function expectWellFormed(raw: string): void {
  expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  for (const line of raw.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(998);
  expect(raw).toMatch(/^[\t\r\n -~]*$/);
}

const HARD_BODIES = [
  '',
  ' ',
  '\n',
  'a',
  'a\n',
  'a\r\nb\rc\nd',
  '.\n..\n.a\n\n.',
  'trailing \nspaces\t\n at ends ',
  'Größe = 5 é',
  'é'.repeat(500),
  `${'word '.repeat(50)}é ${'word '.repeat(300)}`,
  'x'.repeat(74) + 'é' + 'y'.repeat(80),
  ...[70, 71, 72, 73, 74, 75, 76, 77, 78].map((n) => `${'x'.repeat(n)}é=\n${'y'.repeat(n)}=é\n${'z'.repeat(n)} \né`),
  'x'.repeat(5000),
  `${'x'.repeat(5000)}é`,
  'Привет, мир! '.repeat(100),
  '你好🛎'.repeat(200),
  'From the start\nFrom again',
  '--=_boundary\n--\n=_',
  '=?UTF-8?B?eA==?= =3D = ==',
  'NUL \0 and bell \u0007 and é',
  'NUL \0 and bell \u0007 and ascii',
];

describe('a body', () => {
  it.each(HARD_BODIES)('arrives unchanged: %j', async (body) => {
    const expected = body.replace(/\r\n?|\n/g, '\n');
    for (const change of [{ text: body }, { text: body, html: `<p>${body}</p>` }]) {
      const raw = compose(change);
      expectWellFormed(raw);
      const parsed = await PostalMime.parse(raw);
      // Parsers differ about line breaks at the end.
      expect((parsed.text ?? '').replace(/\n+$/, '')).toBe(expected.replace(/\n+$/, ''));
      if ('html' in change) expect(parsed.html?.replace(/\n$/, '')).toBe(`<p>${expected}</p>`);
    }
  });

  it('is text alone, HTML alone, or both as alternatives', () => {
    expect(compose()).toContain('\r\nContent-Type: text/plain; charset=utf-8\r\n');
    expect(compose()).not.toContain('multipart');
    expect(compose({ text: '', html: '<p>Hi</p>' })).toContain('\r\nContent-Type: text/html; charset=utf-8\r\n');
    const both = compose({ html: '<p>Hi</p>' });
    expect(both).toMatch(/Content-Type: multipart\/alternative; boundary="=_[0-9a-f-]{36}"\r\n/);
    expect(both.indexOf('text/plain')).toBeLessThan(both.indexOf('text/html'));
  });

  it.each([
    ['plain', '7bit'],
    ['ein paar Wörter in einer längeren deutschen Zeile ohne viel', 'quoted-printable'],
    ['Привет', 'base64'],
    ['x'.repeat(2000), 'quoted-printable'],
  ])('%j goes as %s', (text, encoding) => {
    expect(compose({ text })).toContain(`\r\nContent-Transfer-Encoding: ${encoding}\r\n`);
  });

  it('keeps encoded lines within 76 characters', () => {
    for (const text of HARD_BODIES) {
      const raw = compose({ text });
      if (raw.includes('Encoding: 7bit')) continue;
      for (const line of raw.slice(raw.indexOf('\r\n\r\n') + 4).split('\r\n'))
        expect(line.length).toBeLessThanOrEqual(76);
    }
  });

  it('cannot close its own part', async () => {
    const first = compose({ html: 'x' });
    const boundary = /boundary="([^"]+)"/.exec(first)?.[1] ?? '';
    const parsed = await parse({ text: `--${boundary}\n--${boundary}--\n`, html: '<b>html</b>' });
    expect(parsed.html).toContain('<b>html</b>');
  });
});

describe('a subject', () => {
  it.each([
    'Order 7 paid',
    'Größe 5',
    '🛎 ring',
    '你好'.repeat(60),
    'a'.repeat(200),
    'a'.repeat(2000),
    'many words '.repeat(40).trim(),
    'many wörds '.repeat(40).trim(),
    '=?UTF-8?B?aGFjaw==?=',
    'a =?utf-8?q?b?= c',
    '🛎'.repeat(50),
    '',
    ':; <x@y.test>, "q"',
  ])('%j reads as it was written', async (subject) => {
    const raw = compose({ subject });
    expectWellFormed(raw);
    expect((await PostalMime.parse(raw)).subject ?? '').toBe(subject);
    const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
    if (!/a{100}/.test(subject)) for (const line of head.split('\r\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it.each([
    ['a\r\nBcc: bob@acme.test', 'a Bcc: bob@acme.test'],
    ['a\nBcc: bob@acme.test', 'a Bcc: bob@acme.test'],
    ['a\rBcc: bob@acme.test', 'a Bcc: bob@acme.test'],
    ['a\0b', 'a b'],
    ['a\r\n\r\n<script>', 'a <script>'],
    ['ä\r\nBcc: bob@acme.test', 'ä Bcc: bob@acme.test'],
    ['a\u2028b\u0085c\u000bd', 'a b c d'],
    ['\r\n a', 'a'],
    ['a\r\n', 'a'],
    [`${'word '.repeat(14)}\r\n\r\nbody`, `${'word '.repeat(14)}body`],
  ])('%j is one line', async (subject, expected) => {
    const parsed = await parse({ subject });
    expect(parsed.subject).toBe(expected);
    expect(parsed.headers.map(({ key }) => key)).toEqual((await parse()).headers.map(({ key }) => key));
    expect(parsed.text).toBe('Hi Ann,\nthanks.\n');
  });
});

describe('the other headers', () => {
  it('name sender, recipient, time and message', async () => {
    const parsed = await parse({ replyTo: { name: 'Help', address: 'help@acme.test' } });
    expect(parsed.from).toMatchObject({ name: 'Acme', address: 'no-reply@acme.test' });
    expect(parsed.to).toMatchObject([{ address: 'ann@acme.test' }]);
    expect(parsed.replyTo).toMatchObject([{ name: 'Help', address: 'help@acme.test' }]);
    expect(parsed.messageId).toBe('<0192-abc@acme.test>');
    expect(parsed.date).toBe('2030-01-02T03:04:05.000Z');
    expect(compose()).toContain('\r\nDate: Wed, 02 Jan 2030 03:04:05 +0000\r\n');
    expect(compose()).toContain('\r\nAuto-Submitted: auto-generated\r\n');
  });

  it.each([
    'Acme, Inc.',
    'Acme "the" \\ Inc <x@y.test>',
    'Größe & Söhne',
    'x'.repeat(300),
    'ü'.repeat(300),
    '=?UTF-8?B?eA==?=',
    'a@b.test',
    '(comment) ; : group',
  ])('carry the name %j and one address', async (name) => {
    const raw = compose({ from: { name, address: 'a@acme.test' } });
    expectWellFormed(raw);
    expect((await PostalMime.parse(raw)).from).toMatchObject({ name, address: 'a@acme.test' });
  });

  it.each(['A\r\nBcc: b@acme.test', 'A\nB', 'A\rB', 'A\0B', 'Ä\r\nBcc: b@acme.test'])(
    'do not grow by the name %j',
    async (name) => {
      const from = { name, address: 'a@acme.test' };
      const parsed = await parse({ from, replyTo: from });
      expect(parsed.from?.name).toBe(name.replace(/[\r\n\0]+/, ' '));
      expect(parsed.bcc ?? []).toEqual([]);
    },
  );

  it.each(['a\r\nBcc: b@acme.test', 'a\nb', 'a\0b', 'a,b', 'a>b<c', 'a@b', 'a b', 'ä'])(
    'do not grow by the id %j',
    async (id) => {
      const raw = compose({ id });
      expectWellFormed(raw);
      expect(/\r\nMessage-ID: <([A-Za-z0-9=-]+)@acme\.test>\r\n/.exec(raw)).not.toBeNull();
      expect((await PostalMime.parse(raw)).bcc ?? []).toEqual([]);
    },
  );
});

describe('the mail of a list', () => {
  const list = {
    name: 'News',
    id: 'news.shop.acme.notify.test',
    unsubscribe: `https://notify.test/u/${'x'.repeat(44)}`,
  };

  it('says how to unsubscribe, and which list it is, whatever the list is called', async () => {
    for (const name of ['News', 'Größe "A" <b@c.test>', 'a\r\nBcc: all@acme.test']) {
      const raw = compose({ list: { ...list, name } });
      expectWellFormed(raw);
      const { headers, bcc } = await PostalMime.parse(raw);
      const header = (key: string) => headers.filter((each) => each.key === key).map(({ value }) => value);
      expect(bcc).toBeUndefined();
      expect(header('list-unsubscribe')).toEqual([`<${list.unsubscribe}>`]);
      expect(header('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click']);
      expect(header('list-id')).toEqual([expect.stringMatching(/ <news\.shop\.acme\.notify\.test>$/)]);
    }
    expect(compose()).not.toContain('List-');
  });
});

describe('another header', () => {
  it.each([
    'autumn',
    'Größe 5',
    'a'.repeat(998),
    'many words '.repeat(80).trim(),
    '{"a": [1, 2]}',
    '<a@b.test> <c@d.test>',
  ])('%j reads as it was written', async (value) => {
    const raw = compose({ headers: { 'X-Campaign': value } });
    expectWellFormed(raw);
    const { headers } = await PostalMime.parse(raw);
    expect(headers.filter(({ key }) => key === 'x-campaign')).toMatchObject([{ value: expect.any(String) }]);
    const [, folded = ''] = /^X-Campaign: (.*(?:\r\n .*)*)/m.exec(raw) ?? [];
    // The parser decodes only the headers that it knows.
    const asSubject = await PostalMime.parse(`Subject: ${folded}\r\n\r\n`);
    expect(asSubject.subject).toBe(value);
  });

  it.each(['a\r\nBcc: bob@acme.test', 'a\nBcc: x', 'a\rBcc: x', 'a\r\n\r\n<script>', 'ä\r\nBcc: x', 'a\u2028b\u0085c'])(
    '%j cannot add a header or a body',
    async (value) => {
      const names = async (change: Partial<Mail>) => (await parse(change)).headers.map(({ key }) => key);
      expect(await names({ headers: { 'X-A': value } })).toEqual(await names({ headers: { 'X-A': 'a' } }));
      expect((await parse({ headers: { 'X-A': value } })).text).toBe('Hi Ann,\nthanks.\n');
    },
  );
});

describe('a mail of a thread', () => {
  const headersOf = async (change: Partial<Mail>) =>
    Object.fromEntries((await parse(change)).headers.map(({ key, value }) => [key, value]));

  it('answers a mail that all of the thread answer, and keeps its own ID', async () => {
    const first = '<hash_of-thread@acme.test>';
    expect(await headersOf({ thread: 'hash_of-thread' })).toMatchObject({
      ...{ references: first, 'in-reply-to': first, 'message-id': '<0192-abc@acme.test>' },
    });
  });

  it.each(['References', 'in-reply-to'])('has what its template says in %s', async (name) => {
    const headers = await headersOf({ thread: 'hash', headers: { [name]: '<own@acme.test>' } });
    expect(Object.keys(headers).filter((key) => ['references', 'in-reply-to'].includes(key))).toEqual([
      name.toLowerCase(),
    ]);
    expect(headers[name.toLowerCase()]).toBe('<own@acme.test>');
  });

  it('without a thread answers none', async () => {
    const headers = await headersOf({});
    expect([headers.references, headers['in-reply-to']]).toEqual([undefined, undefined]);
  });
});
