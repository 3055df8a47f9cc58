import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { root } from '../../../platform/config/root.js';
import { compiledWhen } from '../../../platform/field/expression/when.js';
import type { ReportedEvent, ReportRequest } from '../../report/report.js';
import { builtInProvider, builtInTypes } from '../built-in.js';
import type { ProviderFile } from '../provider.js';
import { readProvider } from '../read/read-provider.js';
import { DescribedReader } from './described-reader.js';
import type { DescribedReports } from './described-reports.js';
import { readEvents } from './read-events.js';

const NOW = new Date('2030-01-01T08:00:00Z');
const SECONDS = NOW.getTime() / 1000;
const KEY = 'the-key-of-the-reports';
const URL = 'https://notify.test/reports/acme/sms';
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:sms';
const WHSEC = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const amazon = generateKeyPairSync('rsa', { modulusLength: 2048 });

const outbound = {
  getText: (url: string) => {
    const text = url.endsWith('.pem') ? amazon.publicKey.export({ format: 'pem', type: 'spki' }).toString() : '';
    return Promise.resolve({ status: 200, headers: {}, text });
  },
};

const fileWith = (verify: string, more = '') => `
type: acme
label: Acme
parts: [text]
address: phone
settings:
  token: { label: Token, secret: true, required: true, example: secret-token }
request: { url: https://api.acme.test/send, json: { text: '{{ message.text }}' } }
outcomes:
  - { when: 'status == \`200\`', then: sent }
reports:
  verify: ${verify}
  events: 'body.{ event_id: id, kind: state, at: at, reference: ref, provider_id: message, address: to, by: by, detail: [state, why] }'
  kinds: { done: delivered, gone: bounced, read: seen, stop: stopped }
  setup: Enter the URL.
  examples:
    - { name: done, body: { state: done }, expect: [{ kind: delivered, detail: done }] }
    - { name: gone, body: { state: gone }, expect: [{ kind: bounced, detail: gone }] }
    - { name: read, body: { state: read, by: machine }, expect: [{ kind: seen, detail: read, by: machine }] }
    - { name: stop, body: { state: stop, to: 15005550006 }, expect: [{ kind: stopped, detail: stop, address: '+15005550006' }] }
${more}
examples:
  - { name: ok, request: { json: { text: Order A-17 is paid. } }, answer: { status: 200 }, expect: { kind: sent } }
`;

const VERIFY: Record<string, string> = {
  hmac: '{ hmac: { key: report_key, header: X-Signature, prefix: sha256= } }',
  'hmac with a time': `{ hmac: { key: report_key, header: X-Signature, encoding: base64, signs: '{{ timestamp }}.{{ body }}', timestamp: { header: X-Time, max_age: 300 } } }`,
  'hmac without the body': `{ hmac: { key: report_key, header: X-Signature, signs: '{{ url }}{{ headers.x-nonce }}' } }`,
  signed_fields: '{ signed_fields: { key: report_key, field: sig, timestamp: { field: at, max_age: 300 } } }',
  standard_webhooks: '{ standard_webhooks: { key: report_key } }',
  basic: '{ basic: { key: report_key } }',
  header: '{ header: { name: Authorization, prefix: "Bearer ", key: report_key } }',
  sns: '{ sns: { key: report_key } }',
};

const KEYS: Record<string, string> = { standard_webhooks: WHSEC, sns: TOPIC };
const OTHERS: Record<string, string> = {
  standard_webhooks: `whsec_${Buffer.alloc(32, 8).toString('base64')}`,
  sns: `${TOPIC}2`,
};
const keyOf = (verifier: string) => KEYS[verifier] ?? KEY;

const event = { id: 'e1', state: 'done', message: 'm1' };

interface Given {
  body: string;
  headers: Record<string, string>;
}

const JSON_DEEP = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;

const hex = (text: string) => createHmac('sha256', KEY).update(text).digest('hex');

/** What a provider sends, signed for this moment. */
const SIGNED: Record<string, (body: Record<string, unknown>, at?: number) => Given> = {
  hmac: (body) => ({ body: JSON.stringify(body), headers: { 'x-signature': `sha256=${hex(JSON.stringify(body))}` } }),
  'hmac with a time': (json, at = SECONDS) => {
    const body = JSON.stringify(json);
    const signature = createHmac('sha256', KEY).update(`${at}.${body}`).digest('base64');
    return { body, headers: { 'x-signature': signature, 'x-time': String(at) } };
  },
  'hmac without the body': (body) => ({
    body: JSON.stringify(body),
    headers: { 'x-signature': hex(`${URL}n-${String(body.id)}`), 'x-nonce': `n-${String(body.id)}` },
  }),
  signed_fields: (json, at = SECONDS) => {
    const fields: Record<string, unknown> = { ...json, at: String(at), why: 'a&b=c' };
    const text = Object.keys(fields)
      .sort()
      .map((name) => `&${name}=${String(fields[name]).replace(/[&=]/g, '_')}`)
      .join('');
    return { body: JSON.stringify({ ...fields, sig: hex(text).toUpperCase() }), headers: {} };
  },
  standard_webhooks: (json, at = SECONDS) => {
    const body = JSON.stringify(json);
    const signature = new Webhook(WHSEC).sign('msg_1', new Date(at * 1000), body);
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(at),
      'webhook-signature': `v1,AAAA ${signature}`,
    };
    return { body, headers };
  },
  basic: (body) => ({
    body: JSON.stringify(body),
    headers: { authorization: `Basic ${Buffer.from(`anybody:${KEY}`).toString('base64')}` },
  }),
  header: (body) => ({ body: JSON.stringify(body), headers: { authorization: `Bearer ${KEY}` } }),
  sns: (body) => {
    const message: Record<string, string> = {
      ...{
        Type: 'Notification',
        MessageId: 's1',
        TopicArn: TOPIC,
        Timestamp: NOW.toISOString(),
        SignatureVersion: '2',
      },
      Message: JSON.stringify(body),
      SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-01234.pem',
    };
    const names = ['Message', 'MessageId', 'Timestamp', 'TopicArn', 'Type'];
    const text = names.map((name) => `${name}\n${message[name]}\n`).join('');
    const Signature = sign('RSA-SHA256', Buffer.from(text), amazon.privateKey).toString('base64');
    return { body: JSON.stringify({ ...message, Signature }), headers: {} };
  },
};

/** The events of SNS are in its message. */
const providerFor = (verifier: string): ProviderFile => {
  const file = fileWith(VERIFY[verifier]!);
  if (verifier !== 'sns') return readProvider(file, null);
  const inMessage = file
    .replace("events: 'body.{ event_id", "events: 'body.Message.{ event_id")
    .replace(/body: (\{ state.*?\}), expect/g, 'body: { Message: $1 }, expect');
  return readProvider(inMessage, null);
};

const readWith = (verifier: string, given: Given, key = keyOf(verifier), now = NOW) => {
  const provider = providerFor(verifier);
  const reader = DescribedReader.open(provider.reports as DescribedReports, { report_key: key }, outbound, provider);
  const request: ReportRequest = { url: URL, headers: given.headers, body: Buffer.from(given.body), now };
  return reader!.read(request) as Promise<(ReportedEvent | null)[] | 'forged' | 'too-large'>;
};

describe.each(Object.keys(VERIFY))('reports that a file verifies with %s', (verifier) => {
  const signed = SIGNED[verifier]!;

  it('are read', async () => {
    expect(await readWith(verifier, signed({ ...event, id: 'read' }))).toMatchObject([
      { eventId: 'read', kind: 'delivered', providerId: 'm1' },
    ]);
  });

  it('are refused without a signature, with another key, or if they cannot be read', async () => {
    const { body, headers } = signed({ ...event, id: 'refused' });
    const other = OTHERS[verifier] ?? 'the-key-of-another-channel';
    expect(await readWith(verifier, { body: body.replace(/"(?:sig|Signature)":/, '"other":'), headers: {} })).toBe(
      'forged',
    );
    expect(await readWith(verifier, { body, headers }, other)).toBe('forged');
    expect(await readWith(verifier, { body: '{', headers })).toBe('forged');
  });

  it('lead to the same event when they come again', async () => {
    const given = signed({ ...event, id: 'again' });
    expect(await readWith(verifier, given)).toEqual(await readWith(verifier, given));
  });

  it('say which keys they take', () => {
    const { problem } = providerFor(verifier).fields.find(({ key }) => key === 'report_key')!;
    expect(problem!(keyOf(verifier))).toBeNull();
    expect(problem!('short')).toMatch(/^(?:must|is) /);
  });
});

it.each(['hmac', 'hmac with a time', 'hmac without the body', 'signed_fields', 'standard_webhooks', 'sns'])(
  'a signature of %s is good for its body only',
  async (verifier) => {
    const { body, headers } = SIGNED[verifier]!({ ...event, id: 'changed' });
    expect(await readWith(verifier, { body, headers })).toHaveLength(1);
    const changed = body.replace('done', 'gone');
    expect(changed).not.toBe(body);
    expect(await readWith(verifier, { body: changed, headers })).toBe('forged');
  },
);

it.each(['hmac with a time', 'signed_fields', 'standard_webhooks'])(
  'a request of %s that is too old, or from the future, is refused',
  async (verifier) => {
    for (const age of [0, 200, -200]) {
      expect(await readWith(verifier, SIGNED[verifier]!(event, SECONDS - age))).toHaveLength(1);
    }
    for (const age of [400, -400]) {
      expect(await readWith(verifier, SIGNED[verifier]!(event, SECONDS - age))).toBe('forged');
    }
  },
);

it('a form is read as JSON is, whichever verifier it has', async () => {
  const body = new URLSearchParams({ id: 'e1', state: 'done', message: 'm1' }).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    authorization: `Bearer ${KEY}`,
  };
  expect(await readWith('header', { body, headers })).toMatchObject([{ eventId: 'e1', kind: 'delivered' }]);
});

it('of several verifiers one must hold', async () => {
  const provider = readProvider(
    fileWith('[{ header: { name: X-Key, key: report_key } }, { basic: { key: report_key } }]'),
    null,
  );
  const reader = DescribedReader.open(provider.reports as DescribedReports, { report_key: KEY }, outbound, provider)!;
  const read = (headers: Record<string, string>) =>
    reader.read({ url: URL, headers, body: Buffer.from(JSON.stringify(event)), now: NOW });
  expect(await read({ 'x-key': KEY })).toHaveLength(1);
  expect(await read(SIGNED.basic!(event).headers)).toHaveLength(1);
  expect(await read({ 'x-key': 'another-key-of-somebody' })).toBe('forged');
});

it('without a key, a channel has no reports', () => {
  const { reports } = providerFor('header');
  expect(DescribedReader.open(reports as DescribedReports, {}, outbound, { label: 'Acme', isOwn: false })).toBeNull();
});

describe('what a request says', () => {
  const { reports } = providerFor('header');
  const { events: described, kinds } = reports as DescribedReports;
  const read = (body: unknown, events?: string, isOwn = false) =>
    readEvents(
      { events: events === undefined ? described : compiledWhen(events), kinds },
      body,
      { url: `${URL}?a=1&a=2`, headers: { 'x-id': 'h' }, body: Buffer.alloc(0), now: NOW },
      isOwn,
    );
  const eventsOf = (...args: Parameters<typeof read>) => {
    const found = read(...args);
    return found === 'too-large' ? found : found.map((each) => each.event);
  };

  it.each([null, 'x', 7, [], {}, { state: 'tomorrow' }, { state: 'constructor' }, { state: { done: 1 } }])(
    'counts as unknown if the file does not have its kind: %j',
    (body) => {
      expect(eventsOf(body)).toEqual([null]);
    },
  );

  it('counts as unknown if the expression fails on it', () => {
    expect(eventsOf({ state: 7 }, 'body.{ kind: lower(state) }')).toEqual([null]);
  });

  it('is too large if it has more events, or takes more work, than a request may', () => {
    const many = Array.from({ length: 1001 }, () => event);
    expect(eventsOf(many, 'body')).toBe('too-large');
    expect(
      eventsOf(
        Array.from({ length: 900 }, () => many.slice(0, 900)),
        'body[].{ a: id, b: id }',
      ),
    ).toBe('too-large');
    const some = Array.from({ length: 900 }, () => event);
    const expression = 'body[].{ event_id: id, kind: state, at: at, detail: [state, why, id, message] }';
    expect(eventsOf(some, expression)).toHaveLength(900);
    expect(eventsOf(some, expression, true)).toBe('too-large');
    expect(eventsOf(some.slice(0, 300), expression, true)).toHaveLength(300);
  });

  it('is too large if it is nested too deeply to compare, or has many numbers', () => {
    const deep: unknown = JSON.parse(JSON_DEEP);
    expect(eventsOf({ a: deep, b: JSON.parse(JSON_DEEP) as unknown }, `body.{ kind: a == b && 'done' }`)).toBe(
      'too-large',
    );
    const stops = Array.from({ length: 21 }, () => ({ kind: 'stop', address: '15005550006' }));
    expect(eventsOf(stops, 'body')).toBe('too-large');
    expect(eventsOf(stops.slice(1), 'body')).toHaveLength(20);
  });

  it('keeps what is stored short', () => {
    const big = 'x'.repeat(1_000_000);
    const [found] = eventsOf({ state: 'done', big }, 'body.{ kind: state, detail: [big, [big, big], big] }') as [
      ReportedEvent,
    ];
    expect(found.detail).toHaveLength(2000);
    const deep: unknown = JSON.parse(JSON_DEEP);
    expect(eventsOf({ deep }, `body.{ kind: 'done', detail: deep }`)).toMatchObject([{ detail: '' }]);
  });

  it('may be in headers and in the query', () => {
    expect(eventsOf({}, `{ kind: 'done', event_id: headers."x-id", provider_id: query.a }`)).toMatchObject([
      { eventId: 'h', providerId: '1 2' },
    ]);
  });

  it.each([
    [1893484740, '2030-01-01T07:59:00.000Z'],
    ['1893484740', '2030-01-01T07:59:00.000Z'],
    [1893484740000, '2030-01-01T07:59:00.000Z'],
    ['2030-01-01 07:59:00', '2030-01-01T07:59:00.000Z'],
    ['2030-01-01T07:59:00.123456', '2030-01-01T07:59:00.123Z'],
    ['2030-01-01T08:59:00+01:00', '2030-01-01T07:59:00.000Z'],
    ['+055840-01-01T00:00:00Z', NOW.toISOString()],
    [-1e15, NOW.toISOString()],
    ['yesterday', NOW.toISOString()],
    [{}, NOW.toISOString()],
  ])('happened at the time that it names, or now: %j', (at, expected) => {
    const [found] = eventsOf({ state: 'done', at }) as [ReportedEvent];
    expect(found.at.toISOString()).toBe(expected);
  });
});

it('a form, or fields that are signed, of more than 64 KB are refused', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: `Bearer ${KEY}` };
  expect(await readWith('header', { headers, body: `state=done&why=${'x'.repeat(60_000)}` })).toHaveLength(1);
  expect(await readWith('header', { headers, body: `state=done&why=${'x'.repeat(70_000)}` })).toBe('forged');
  expect(await readWith('signed_fields', SIGNED.signed_fields!({ ...event, more: 'x'.repeat(70_000) }))).toBe('forged');
});

describe('a file with reports', () => {
  const problemOf = (...[from, to]: [string | RegExp, string]) => {
    const file = fileWith(VERIFY.hmac!);
    const changed = file.replace(from, to);
    expect(changed).not.toBe(file);
    try {
      readProvider(changed, 'acme.yaml');
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each<[string, [string | RegExp, string], string]>([
    [
      'a kind that no example shows',
      ['stop: stopped }', 'stop: stopped, late: delayed }'],
      'reports.examples has none for the kind late',
    ],
    [
      'an example that is wrong',
      ['kind: bounced, detail', 'kind: delivered, detail'],
      'is not what the request says, which is [{"kind":"bounced"',
    ],
    [
      'a signature that does not hold',
      ['{ name: done, body', '{ name: done, headers: { X-Signature: sha256=00 }, body'],
      'has a x-signature that is not the one of its request',
    ],
    [
      'a state that does not exist',
      ['gone: bounced', 'gone: broken'],
      'reports.kinds.gone is not one of the allowed values',
    ],
    [
      'a name that does not exist',
      ['event_id: id', 'event_id: $.answer.id'],
      'there is no answer; there are headers, body, query',
    ],
    ['a verifier that does not exist', ['hmac: {', 'hmacs: {'], 'reports.verify.hmacs is not a known field'],
    [
      'a key that is not a setting',
      ['key: report_key', 'key: report_kex'],
      'reports.verify.hmac.key is not one of the allowed values',
    ],
    [
      'a time that is signed and not named',
      ['prefix: sha256=', "signs: '{{ timestamp }}{{ body }}'"],
      'must have a timestamp if it signs {{ timestamp }}',
    ],
    [
      'an unknown part that is signed',
      ['prefix: sha256=', "signs: '{{ method }}{{ body }}'"],
      'has {{ method }}; there are body, timestamp, url',
    ],
    ['no setup', ['setup: Enter the URL.', ''], 'reports.setup is required'],
    ['two bodies', ['body: { state: done }', 'body: { state: done }, text: x'], 'must have one of body, form and text'],
  ])('is refused with %s', (_what, change, problem) => {
    const found = problemOf(...change);
    expect(found).toMatch(/^acme\.yaml:\d+: /);
    expect(found).toContain(problem);
  });
});

it('the reports in the documentation are those of a file', () => {
  const page = readFileSync(join(root, 'docs/provider-files.md'), 'utf8');
  const shown = /```yaml\n(reports:\n[^`]*)```/.exec(page)![1]!;
  const file = fileWith(VERIFY.hmac!).replace(/reports:[^]*?(?=\nexamples:)/, shown);
  expect((readProvider(file, null).reports as DescribedReports).examples).toHaveLength(3);
});

const described = builtInTypes().filter((type) => {
  const { reports } = builtInProvider(type);
  return reports !== null && 'verifiers' in reports;
});

it('the built-in files that describe reports are these', () => {
  expect(described).toEqual([
    'aws_sms',
    'bird',
    'mailjet',
    'plivo',
    'postmark',
    'resend',
    'sinch',
    'vonage',
    'whatsapp',
  ]);
});

it.each(described)('each example of the reports of %s is read, and refused with another key', async (type) => {
  const provider = builtInProvider(type);
  const reports = provider.reports as DescribedReports;
  const [{ key, sampleKey, sign: makesHeaders, holds }] = reports.verifiers as [(typeof reports.verifiers)[0]];
  const read = (value: string, request: ReportRequest) =>
    DescribedReader.open(reports, { [key]: value }, outbound, provider)!.read(request);
  const value = String(provider.samples[key] ?? sampleKey);
  for (const { name, request, expect: expected } of reports.examples) {
    const isOurs = makesHeaders !== null && !/^signed by/.test(name);
    if (isOurs) {
      const found = (await read(value, request)) as (ReportedEvent | null)[];
      expect(found.filter(Boolean).map((each) => each!.kind)).toEqual(expected.map(({ kind }) => kind));
    }
    if (makesHeaders !== null || holds) expect(await read(`${value.slice(0, -4)}AAA=`, request)).toBe('forged');
  }
});
