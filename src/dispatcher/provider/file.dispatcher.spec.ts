import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpSink } from '../../../test/support/sinks/http-sink.js';
import { about } from '../../../test/support/world/about.js';
import type { ChannelConfig, Message } from '../dispatcher.js';
import { Outbound } from '../outbound/outbound.js';
import { MAIL_SERVICES } from '../report/services.js';
import { FileDispatcher } from './file.dispatcher.js';
import { readProvider } from './read/read-provider.js';

const message: Message = { id: 'm.1', to: 'ann', subject: 'Paid', text: 'Order "A-17"', html: '', about, context: {} };

const FILE = `type: acme
label: Acme
parts: [subject, text]
address: acme
settings:
  token: { label: Token, secret: true, required: true, example: secret-token }
  region: { label: Region, host: true, example: eu }
  url: { label: Server, kind: url, example: 'https://acme.test' }
request:
  url: https://api.acme.test/send/{{ message.to }}
  json:
    title: '{{ message.subject }}'
    text: 'Hello: {{ message.text }}'
    count: '{{ message.attachments | size }}'
    none: '{{ settings.region }}'
    kept: []
    people: { $expr: 'message.attachments[].filename' }
auth: { bearer: '{{ settings.token }}' }
outcomes:
  - { when: 'status == \`200\`', then: sent, provider_id: body.id }
examples:
  - { answer: { status: 200, body: { id: x1 } }, request: { method: POST }, expect: { kind: sent, provider_id: x1 } }
`;

const GZIP = { 'content-encoding': 'gzip' };

let server: HttpSink;
const outbound = new Outbound({ allow: ['127.0.0.0/8'] });
beforeAll(async () => {
  server = await HttpSink.start();
});
afterAll(() => Promise.all([server.close(), outbound.close()]));
afterEach(() => {
  server.requests.length = 0;
  server.reply = () => ({ status: 200, body: '{"id":"x1"}' });
});

const fileWith = (...changes: [string, string][]) => changes.reduce((text, [old, now]) => text.replace(old, now), FILE);
const dispatcherOf = (text: string) =>
  new FileDispatcher('acme', () => readProvider(text, 'acme.yaml'), outbound, server.url(''));
const send = (text: string, given: Partial<Message> = {}, config: ChannelConfig = {}) =>
  dispatcherOf(text).send({ ...message, ...given }, { token: 'secret-token', ...config });
const sent = () => server.requests[0]!;

describe('a request', () => {
  it('sets values as values, keeps their type, and leaves out what is empty', async () => {
    server.reply = () => ({ status: 200, body: '{"id":"x1"}' });
    expect(await send(FILE)).toMatchObject({ kind: 'sent', providerId: 'x1' });
    const body = { title: 'Paid', text: 'Hello: Order "A-17"', count: 0, kept: [] };
    expect(JSON.parse(sent().body)).toEqual(body);
    expect(sent().headers.authorization).toBe('Bearer secret-token');
  });

  it('encodes what is in the path, so that an address cannot change it', async () => {
    await send(FILE, { to: '../admin?x=#1' });
    expect(sent().path).toBe('/send/..%2Fadmin%3Fx%3D%231');
    expect(await send(FILE, { to: '..' })).toMatchObject({ kind: 'rejected', fault: 'message', isLocal: true });
    expect(server.requests).toHaveLength(1);
  });

  it('keeps a line break out of its headers', async () => {
    const file = fileWith(['  json:', "  headers: { X-Title: '{{ message.subject }}' }\n  json:"]);
    await send(file, { subject: 'Paid\r\nX-Evil: 1' });
    expect(sent().headers['x-title']).toBe('Paid X-Evil: 1');
  });

  it('sends a form, with a list as a repeated field', async () => {
    const file = fileWith([
      / {2}json:[^]*?auth/.exec(FILE)![0],
      "  form: { to: '{{ message.to }}', tag: [a, b] }\nauth",
    ]);
    await send(file);
    expect(sent().body).toBe('to=ann&tag=a&tag=b');
    expect(sent().headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  it.each([
    [
      'basic',
      "{ basic: { username: api, password: '{{ settings.token }}' } }",
      'authorization',
      'Basic YXBpOnNlY3JldC10b2tlbg==',
    ],
    ['header', "{ header: { X-Key: '{{ settings.token }}' } }", 'x-key', 'secret-token'],
  ])('is authenticated with %s', async (_kind, auth, name, value) => {
    await send(fileWith(["{ bearer: '{{ settings.token }}' }", auth]));
    expect(sent().headers[name]).toBe(value);
  });

  it('is authenticated with a parameter of the URL', async () => {
    await send(fileWith(["{ bearer: '{{ settings.token }}' }", "{ query: { key: '{{ settings.token }}' } }"]));
    expect(sent().path).toBe('/send/ann?key=secret-token');
  });

  it('is signed for AWS', async () => {
    const keys = "service: ses, region: '{{ settings.region }}', access_key: AK, secret_key: '{{ settings.token }}'";
    await send(
      fileWith(["{ bearer: '{{ settings.token }}' }", `{ aws_sigv4: { ${keys} } }`]),
      {},
      { region: 'eu-west-1' },
    );
    expect(sent().headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AK\/\d{8}\/eu-west-1\/ses\/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=[0-9a-f]{64}$/,
    );
  });

  it('is signed for AWS with the name of its operation', async () => {
    const keys = "service: sms-voice, region: eu-west-1, access_key: AK, secret_key: '{{ settings.token }}'";
    await send(
      fileWith(
        ["{ bearer: '{{ settings.token }}' }", `{ aws_sigv4: { ${keys} } }`],
        ['  json:', '  headers: { X-Amz-Target: Sms.Send, X-Other: x }\n  json:'],
      ),
    );
    expect(sent().headers.authorization).toContain('SignedHeaders=content-type;host;x-amz-date;x-amz-target,');
  });

  it('leaves out the keys of a map that the provider refuses', async () => {
    await send(fileWith(["'{{ settings.region }}'", `"{{ message.about | without: 'organization', 'user' }}"`]));
    const kept = Object.keys(about).filter((key) => key !== 'organization' && key !== 'user');
    expect(Object.keys(JSON.parse(sent().body).none)).toEqual(kept);
  });

  const jsonWith = async (json: string, given: Partial<Message> = {}) => {
    await send(fileWith([/ {2}json:[^]*?auth/.exec(FILE)![0], `  json: ${json}\nauth`]), given);
    return JSON.parse(server.requests.at(-1)!.body) as unknown;
  };

  it('keeps a key that the provider always needs, and leaves out a map without what it needs', async () => {
    const json = `
    text: { $text: '{{ message.text }}' }
    blocks:
      - { kind: title, text: { $need: '{{ message.subject | strip }}' } }
      - { kind: text, text: { $need: '{{ message.text }}' } }`;
    expect(await jsonWith(json, { subject: ' ', text: 'x' })).toEqual({
      text: 'x',
      blocks: [{ kind: 'text', text: 'x' }],
    });
    expect(await jsonWith(json, { subject: ' ', text: '' })).toEqual({ text: '' });
    expect(await jsonWith("{ text: { $need: '{{ message.html }}' } }")).toEqual({});
  });

  it.each([
    ['{{ message.subject | above: message.text }}', { subject: 'a', text: 'b' }, 'a\nb'],
    ['{{ message.subject | above: message.text }}', { subject: '', text: 'b' }, 'b'],
    ['{{ message.subject | above: message.text }}', { subject: 'a', text: '' }, 'a'],
    ['{{ message.text | entities: 40 }}', { text: '<a & b>' }, '&lt;a &amp; b&gt;'],
    // A cut within `&amp;` leaves nothing of it.
    ['{{ message.text | entities: 9 }}', { text: '&&&' }, '&amp;…'],
    ['{{ message.text | entities }}', { text: '&'.repeat(3) }, '&amp;&amp;&amp;'],
    ['{{ message.text | paragraphs }}', { text: 'a\r\nb\n\n\nc' }, 'a\n\nb\n\nc'],
  ])('is written with %s', async (template, given, text) => {
    expect(await jsonWith(`{ text: '${template}' }`, given)).toEqual({ text });
  });

  it('is not made of a message without subject and text, if the provider takes none', async () => {
    const file = fileWith(['auth:', 'limits: { empty: reject }\nauth:']);
    const outcome = await send(file, { subject: ' ', text: '\n' });
    expect(outcome).toEqual({ kind: 'rejected', answer: 'the message is empty', fault: 'message', isLocal: true });
    expect(await send(file, { subject: ' ', text: 'x' })).toMatchObject({ kind: 'sent' });
    expect(server.requests).toHaveLength(1);
  });

  it('is not made with settings that the file refuses', async () => {
    const refuse = (more: string) =>
      fileWith(['auth:', `refuse: [{ setting: token, unless: '^[a-z-]+$$', because: no token${more} }]\nauth:`]);
    const dispatcher = dispatcherOf(refuse(''));
    expect([dispatcher.check({ token: 'A1' }), dispatcher.check({}), dispatcher.check({ token: 'a' })]).toEqual([
      'no token',
      'no token',
      null,
    ]);
    expect(await send(refuse(''), {}, { token: 'A1' })).toEqual({ kind: 'retry', answer: 'no token' });
    const outcome = await send(refuse(', fault: channel'), {}, { token: 'A1' });
    expect(outcome).toEqual({ kind: 'rejected', answer: 'no token', fault: 'channel', isLocal: true });
    expect(server.requests).toHaveLength(0);
  });

  it('is chosen by the settings', async () => {
    const two = fileWith([
      'request:\n  url: https://api.acme.test/send/{{ message.to }}',
      "request:\n- when: settings.url\n  url: '{{ settings.url }}/other'\n- url: https://api.acme.test/send/{{ message.to }}",
    ]);
    await send(two, {}, { url: server.url('/base/') });
    await send(two);
    expect(server.requests.map(({ path }) => path)).toEqual(['/base/other', '/send/ann']);
  });

  it('is cut to the limits of the provider', async () => {
    await send(fileWith(['auth:', 'limits: { subject: 3, body_bytes: 60, too_large: cut_text }\nauth:']), {
      text: 'x'.repeat(500),
    });
    expect(JSON.parse(sent().body).title).toBe('Pa…');
    expect(Buffer.byteLength(sent().body)).toBeLessThanOrEqual(60);
  });

  it('is refused here if it is too large', async () => {
    const file = fileWith(['auth:', 'limits: { body_bytes: 60 }\nauth:']);
    const outcome = await send(file, { text: 'x'.repeat(500) });
    expect(outcome).toMatchObject({ kind: 'rejected', fault: 'message', isLocal: true });
    expect(server.requests).toHaveLength(0);
  });

  it('is refused here if it is too large even without its text', async () => {
    const file = fileWith(['auth:', 'limits: { body_bytes: 20, too_large: cut_text }\nauth:']);
    expect(await send(file)).toMatchObject({ kind: 'rejected', fault: 'message', isLocal: true });
    expect(server.requests).toHaveLength(0);
  });

  it('that a secret makes impossible is a fault of the channel', async () => {
    const outcome = await send(FILE, {}, { token: '“secret-token”' });
    expect(outcome).toMatchObject({ kind: 'rejected', fault: 'channel', isLocal: true });
    expect(outcome.answer).not.toContain('secret-token');
    expect(server.requests).toHaveLength(0);
  });
});

describe('an answer', () => {
  /** Takes a 200 without an id for another server. */
  const STRICT = fileWith(
    ['status == `200`', 'status == `200` && body.id'],
    ['examples:', "  - { when: 'status == `200`', then: rejected, fault: channel }\nexamples:"],
  ).concat('  - { answer: { status: 200, text: <html></html> }, expect: { kind: rejected, fault: channel } }\n');

  it.each([
    ['is too long', { body: JSON.stringify({ long: 'x'.repeat(70_000), id: 'x1' }) }],
    ['breaks off', { body: '{"id":"x', headers: { 'content-length': '500', connection: 'close' } }],
    ['is too long when unpacked', { body: gzipSync(`{"long":"${'x'.repeat(200_000)}","id":1}`), headers: GZIP }],
    ['cannot be unpacked', { body: 'no gzip', headers: GZIP }],
  ])('of status 200 whose body %s was taken by the provider', async (_what, reply) => {
    server.reply = () => ({ status: 200, ...reply });
    const outcome = await send(STRICT);
    expect(outcome.kind).toBe('sent');
    expect(outcome).not.toHaveProperty('providerId');
  });

  it('of status 200 that is whole is read by the entries', async () => {
    server.reply = () => ({ status: 200, body: '<html></html>' });
    expect(await send(STRICT)).toMatchObject({ kind: 'rejected', fault: 'channel' });
    server.reply = () => ({ status: 200, body: gzipSync('{"id":"x1"}'), headers: GZIP });
    expect(await send(STRICT)).toMatchObject({ kind: 'sent', providerId: 'x1' });
  });

  it('of another status is read by the entries, even if its body was cut', async () => {
    const file = fileWith(['examples:', "  - { when: 'status == `400`', then: rejected, fault: channel }\nexamples:"]);
    server.reply = () => ({ status: 400, body: 'x'.repeat(70_000) });
    const example = '  - { answer: { status: 400 }, expect: { kind: rejected, fault: channel } }\n';
    expect(await send(file + example)).toMatchObject({ kind: 'rejected', fault: 'channel' });
  });

  it('that no entry knows is read by its status', async () => {
    server.reply = () => ({ status: 503, headers: { 'retry-after': '7' } });
    expect(await send(FILE)).toEqual({ kind: 'retry', answer: '503', afterSeconds: 7, isSlowDown: true });
    server.reply = () => ({ status: 404 });
    expect(await send(FILE)).toEqual({ kind: 'rejected', answer: '404', fault: 'message' });
  });

  it('that redirects is never a success', async () => {
    const file = fileWith(['status == `200`', 'status < `400`']);
    server.reply = () => ({ status: 302, headers: { location: server.url('/elsewhere') } });
    expect(await send(file)).toMatchObject({ kind: 'rejected', fault: 'channel' });
    expect(server.requests).toHaveLength(1);
  });

  it('is stored without secrets, and short', async () => {
    server.reply = () => ({ status: 400, body: `no secret-token ${'x'.repeat(3000)}` });
    const { answer } = await send(FILE);
    expect(answer).toMatch(/^400 no \*\*\* x+$/);
    expect(answer.length).toBe(1024);
  });

  it('is read as JSON up to 64 KB', async () => {
    server.reply = () => ({ status: 200, body: JSON.stringify({ long: 'x'.repeat(50_000), id: 'x1' }) });
    expect(await send(FILE)).toMatchObject({ kind: 'sent', providerId: 'x1' });
  });
});

describe('a file', () => {
  const problemOf = (...changes: [string, string][]) => {
    try {
      readProvider(fileWith(...changes), 'acme.yaml');
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('is read', () => expect(problemOf()).toBeNull());

  it.each<[string, [string, string], string]>([
    ['YAML that cannot be parsed', ['type: acme', 'type: [acme'], 'acme.yaml:2: Flow sequence'],
    [
      'an unknown field',
      ['label: Acme', 'label: Acme\nlable: x'],
      'acme.yaml:3: lable is not a known field: did you mean label?',
    ],
    ['a missing field', ['label: Acme\n', ''], 'acme.yaml:1: label is required'],
    [
      'an unknown setting',
      ['settings.token', 'settings.tokn'],
      'acme.yaml:18: auth.bearer is not valid: there is no settings.tokn',
    ],
    [
      'an unknown name',
      ['message.subject', 'message.title'],
      'acme.yaml:12: request.json.title is not valid: there is no message.title',
    ],
    [
      'a tag',
      ["'{{ message.subject }}'", "'{% if x %}y{% endif %}'"],
      'acme.yaml:12: request.json.title must not have tags',
    ],
    [
      'an unknown filter',
      ['| size', '| sise'],
      'acme.yaml:14: request.json.count is not valid: undefined filter: sise',
    ],
    [
      'a condition that is not JMESPath',
      ['`200`', '200'],
      'acme.yaml:20: outcomes[0].when is not valid: This is not a valid JMESPath',
    ],
    [
      'an unknown fault',
      ['then: sent, provider_id: body.id', 'then: rejected, fault: user'],
      'acme.yaml:20: outcomes[0].fault is not one of the allowed values',
    ],
    [
      'an outcome without an example',
      ['examples:', "  - { when: 'status == `400`', then: retry }\nexamples:"],
      'acme.yaml:22: examples has none for the outcome of status == `400`',
    ],
    [
      'an example that is wrong',
      ['kind: sent, provider_id: x1', 'kind: sent, provider_id: x2'],
      'acme.yaml:22: examples[0].expect is not the outcome, which is {"kind":"sent","provider_id":"x1"}',
    ],
    [
      'a required setting without an example',
      [', example: secret-token', ''],
      'acme.yaml:6: settings.token needs an example',
    ],
    [
      'a host from an address',
      ['api.acme.test', '{{ message.to }}.acme.test'],
      'acme.yaml:10: request.url has {{ message.to }} in its host',
    ],
    [
      'a host from a setting that is not marked',
      ['api.acme.test', '{{ settings.token }}.acme.test'],
      'acme.yaml:10: request.url has {{ settings.token }} in its host',
    ],
    [
      'a URL from a setting of another kind',
      ['https://api.acme.test/send/{{ message.to }}', "'{{ settings.token }}/x'"],
      'acme.yaml:10: request.url must start with a setting of kind url',
    ],
    [
      'a needed text in a list',
      ['kept: []', "kept: [{ $need: '{{ message.text }}' }]"],
      'acme.yaml:16: request.json.kept[0].$need can only be the value of a key',
    ],
    [
      'a pattern that cannot be read',
      ['auth:', "refuse: [{ setting: token, unless: '(', because: x }]\nauth:"],
      'acme.yaml:18: refuse[0].unless is not valid: Invalid regular expression',
    ],
    ['a limit of nothing', ['auth:', 'limits: { text: 0 }\nauth:'], 'acme.yaml:18: limits.text must be greater than 0'],
    ['an alias', ['label: Acme', 'label: &a Acme\ndocumentation: *a'], 'acme.yaml:1: the file cannot be read'],
  ])('with %s is refused with its line', (_what, change, problem) => {
    expect(problemOf(change)).toContain(problem);
  });

  it('whose host depends on a setting binds its secrets to that setting', () => {
    const file = fileWith(['api.acme.test', '{{ settings.region }}.acme.test']);
    const token = readProvider(file, null).fields.find(({ key }) => key === 'token');
    expect(token?.goesTo).toEqual(['region']);
  });

  it('whose host depends on a setting takes only a part of a host name there', async () => {
    const file = fileWith(['api.acme.test', '{{ settings.region }}.acme.test']);
    const outcome = await send(file, {}, { region: 'evil.test/' });
    expect(outcome).toMatchObject({ kind: 'rejected', fault: 'channel', isLocal: true });
  });

  it('takes only printable ASCII characters in settings that become a header', () => {
    const problemIn = (file: string, value: string) =>
      readProvider(file, null)
        .fields.find(({ key }) => key === 'token')!
        .problem?.(value) ?? null;
    expect(problemIn(FILE, '“secret”')).toBe('must be printable ASCII characters');
    expect(problemIn(FILE, 'secret')).toBeNull();
    const own = fileWith(['example: secret-token', "example: abc, pattern: '^...$$', format: short"]);
    expect(problemIn(own, 'abcd')).toBe('must be short');
    expect(problemIn(own, 'ab…')).toBe('must be printable ASCII characters');
    // Base64 takes any character.
    const basic = fileWith(["bearer: '{{ settings.token }}'", "basic: { username: '{{ settings.token }}' }"]);
    expect(problemIn(basic, 'pässword')).toBeNull();
  });

  it('that tells where to report says so', () => {
    const url = "none: '{{ message.report_url }}'";
    const tells = (...changes: [string, string][]) => dispatcherOf(fileWith(...changes)).tellsReportUrl;
    expect(tells()).toBeUndefined();
    expect(tells(["none: '{{ settings.region }}'", url])).toBeUndefined();
    expect(tells(["none: '{{ settings.region }}'", url], ['examples:', 'reports: mailgun\nexamples:'])).toBe(true);
  });

  it('with reports says what to set up at the provider', () => {
    expect(dispatcherOf(FILE).reportSetups).toBeUndefined();
    const { reportSetups, fields } = dispatcherOf(fileWith(['examples:', 'reports: mailgun\nexamples:']));
    expect(reportSetups).toEqual([{ service: null, steps: MAIL_SERVICES.mailgun!.steps }]);
    const help = fields.find(({ key }) => key === 'report_key')!.help;
    for (const text of [help, reportSetups![0]!.steps]) expect(text).toContain('webhook');
  });
});
