import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { SmtpSink } from '../../../../test/support/sinks/smtp-sink.js';
import { encodeLines, encodedLength } from '../../base64-lines.js';
import type { ChannelConfig, Message, Outcome } from '../../dispatcher.js';
import { Outbound } from '../../outbound/outbound.js';
import { EmailDispatcher } from '../email.dispatcher.js';
import { readDkimKey } from './dkim-key.js';
import type { DkimKey } from './dkim-key.js';
import { dkimRecord, dkimRecordName, stringsOf } from './dkim-record.js';
import { signMail } from './sign-mail.js';

const pemOf = (key: { privateKey: { export(options: { type: 'pkcs8'; format: 'pem' }): string | Buffer } }) =>
  key.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

const RSA = pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }));
const ED25519 = pemOf(generateKeyPairSync('ed25519'));
const both = {
  dkim_selector: 'r1',
  dkim_private_key: RSA,
  dkim_selector_2: 'e1',
  dkim_private_key_2: ED25519,
};

/** What is published. mailauth asks it as it would ask the name servers. */
const zone = new Map<string, string[]>();
const publish = (selector: string, domain: string, pem: string) =>
  zone.set(dkimRecordName(selector, domain), stringsOf(dkimRecord(readDkimKey(pem) as DkimKey)));

const verify = async (raw: Buffer) => {
  const resolver = async (name: string) => {
    const record = zone.get(name);
    if (record === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
    return [record];
  };
  return (await dkimVerify(raw, { resolver, minBitLength: 2048 })).results;
};

const email = new EmailDispatcher(new Outbound({ allow: ['127.0.0.0/8'] }));
let sink: SmtpSink;

beforeAll(async () => {
  sink = await SmtpSink.start();
});
afterAll(async () => {
  await email.close();
  await sink.close();
});
beforeEach(() => {
  sink.mails.length = 0;
  zone.clear();
  for (const domain of ['acme.test', 'shop.acme.test']) {
    publish('r1', domain, RSA);
    publish('e1', domain, ED25519);
  }
});

const about = { occurrence: 'o1', organization: 'acme', project: 'p', application: 'a', event: 'e', user: 'ann' };
const message: Message = {
  ...{ id: '0192-abc', to: 'ann@acme.test', subject: 'Hello', text: 'Hi Ann', html: '<p>Hi Ann</p>' },
  about,
  context: {},
};
const list = { name: 'News', id: 'news.acme.test', unsubscribe: `https://notify.test/u/${'x'.repeat(44)}` };

const send = (change: Partial<Message> = {}, config: ChannelConfig = both): Promise<Outcome> =>
  email.send(
    { ...message, ...change },
    { host: '127.0.0.1', port: sink.port, from: 'Acme <no-reply@acme.test>', ...config },
  );

/** Sends a mail and returns what the server got. */
async function received(change: Partial<Message> = {}, config: ChannelConfig = both): Promise<Buffer> {
  sink.mails.length = 0;
  expect(await send(change, config)).toMatchObject({ kind: 'sent' });
  return sink.mails[0]!.raw;
}

const PASSED = [
  expect.objectContaining({ algo: 'rsa-sha256', status: expect.objectContaining({ result: 'pass' }) }),
  expect.objectContaining({ algo: 'ed25519-sha256', status: expect.objectContaining({ result: 'pass' }) }),
];

const file = (bytes: Buffer) => {
  const content = Buffer.alloc(encodedLength(bytes.length));
  encodeLines(bytes, content, 0);
  return { contentType: 'application/pdf', size: bytes.length, url: null, content };
};

describe('a signed mail', () => {
  it.each<[string, Partial<Message>]>([
    ['text and HTML', {}],
    ['text alone', { html: '' }],
    ['an empty text', { html: '', text: '' }],
    ['empty lines at both ends', { html: '', text: '\n\n\nHi\n\n\n\n' }],
    ['dots at the starts of lines', { html: '', text: '.\n..\n.a\n...\nend.\n.' }],
    ['spaces and tabs', { html: '', text: 'a  b\t\tc   \n   \n\t\nd ' }],
    ['lines that are too long to send', { text: 'word '.repeat(2000), html: `<p>${'x'.repeat(5000)}</p>` }],
    ['letters beyond ASCII', { subject: 'Größe 5', text: 'Grüße an Ännchen', html: '<p>こんにちは世界</p>' }],
    ['a long subject, folded', { subject: 'many words and  two spaces '.repeat(30) }],
    ['a long subject in another script', { subject: 'Добрый день '.repeat(30) }],
    ['an address beyond ASCII', { to: 'jörg@acme.test' }],
    ['a mailing list', { list }],
    ['a name beyond ASCII, and headers', { sender: { from: 'Größe & Söhne <a@acme.test>', headers: { 'X-A': 'ü' } } }],
    ['a reply address', { sender: { reply_to: 'Help <help@acme.test>' } }],
    ['a file', { attachments: [{ filename: 'a.pdf', ...file(Buffer.alloc(100_000, 7)) }] }],
    [
      'files, one of them shown, one of them large',
      {
        html: '<img src="cid:logo">',
        attachments: [
          { filename: 'größe.pdf', ...file(Buffer.alloc(3_000_001, 'ab')) },
          { filename: 'logo.png', cid: 'logo', ...file(Buffer.from('x')) },
        ],
      },
    ],
  ])('with %s is verified by another implementation', async (_name, change) => {
    expect(await verify(await received(change))).toEqual(PASSED);
  });

  it('is signed with one key, if the channel has one', async () => {
    const results = await verify(await received({}, { dkim_selector_2: 'e1', dkim_private_key_2: ED25519 }));
    expect(results).toEqual([PASSED[1]]);
  });

  it('is signed by the domain of its own From, or by that of the channel', async () => {
    const config = { ...both, from_domains: 'shop.acme.test' };
    const change = { sender: { from: 'Shop <a@shop.acme.test>' } };
    const signedBy = async (settings: ChannelConfig) =>
      (await verify(await received(change, settings))).map(({ signingDomain }) => signingDomain);
    expect(await signedBy(config)).toEqual(['shop.acme.test', 'shop.acme.test']);
    expect(await signedBy({ ...config, dkim_domain: 'acme.test' })).toEqual(['acme.test', 'acme.test']);
  });

  it('has the time of the signature, relaxed canonicalization, and every line short', async () => {
    const before = Math.floor(Date.now() / 1000);
    const head = (await received({ list })).toString().split('\r\n\r\n')[0]!;
    const time = Number(/DKIM-Signature: [^]*? t=(\d+);/.exec(head)?.[1]);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now() / 1000);
    expect(head.match(/c=relaxed\/relaxed/g)).toHaveLength(2);
    const signatures = head.slice(0, head.indexOf('\r\nFrom:')).split('\r\n');
    expect(signatures.filter((line) => line.length > 78)).toEqual([]);
  });
});

describe('a signature', () => {
  const added = (raw: Buffer, field: string) => Buffer.concat([Buffer.from(`${field}\r\n`), raw]);
  const results = async (raw: Buffer) => (await verify(raw)).map(({ status }) => status.result);

  it.each([
    'From: Evil <evil@evil.test>',
    'To: bob@evil.test',
    'Subject: Pay now',
    'Date: Wed, 02 Jan 2030 03:04:05 +0000',
    'Reply-To: evil@evil.test',
    'List-Unsubscribe: <https://evil.test>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  ])('does not allow another header %s', async (field) => {
    for (const change of [{}, { list, sender: { reply_to: 'help@acme.test' } }])
      expect(await results(added(await received(change), field))).toEqual(['fail', 'fail']);
  });

  it('covers the headers of a mailing list, the id and the type of the mail', async () => {
    const raw = await received({ list });
    const [, signed = ''] = /\bh=([^;]*);/.exec(raw.toString()) ?? [];
    const names = signed.replace(/\s/g, '').split(':');
    for (const name of [
      'list-unsubscribe',
      'list-unsubscribe-post',
      'list-id',
      'message-id',
      'mime-version',
      'content-type',
    ])
      expect(names).toContain(name);
    expect(names.filter((name) => name === 'from')).toHaveLength(2);
    const changed = (from: string, to: string) => Buffer.from(raw.toString('latin1').replace(from, to), 'latin1');
    expect(await results(changed('One-Click', 'Two-Click'))).toEqual(['fail', 'fail']);
    expect(await results(changed('Hi Ann', 'Hi Bob'))).toEqual(['neutral', 'neutral']);
  });

  it('survives a mail server that folds the headers anew', async () => {
    const raw = (await received({ list, subject: 'a b '.repeat(30) })).toString();
    const folded = raw.replace(/^(Subject: .*)\r\n /m, '$1 ').replace(/^To: /m, 'To:\r\n\t');
    expect(folded).not.toBe(raw);
    expect(await results(Buffer.from(folded))).toEqual(['pass', 'pass']);
  });

  it('needs no copy of a file', async () => {
    const content = file(Buffer.alloc(100)).content;
    const signers = [{ ...(readDkimKey(ED25519) as DkimKey), selector: 'e1' }];
    const pieces = await signMail(['From: a@acme.test\r\n\r\n', content, 'end\r\n'], signers, 'acme.test', new Date());
    expect(pieces).toHaveLength(4);
    expect(pieces[2]).toBe(content);
  });
});

describe('a mail that cannot be signed', () => {
  it.each<[string, ChannelConfig, RegExp]>([
    ['a key that is none', { dkim_selector: 'r1', dkim_private_key: 'x' }, /must be one private key in PEM format/],
    ['a key without a selector', { dkim_private_key: RSA }, /set both "dkim_selector" and "dkim_private_key"/],
    ['a selector without a key', { dkim_selector_2: 'e1' }, /set both "dkim_selector_2" and "dkim_private_key_2"/],
    ['a domain without a key', { dkim_domain: 'acme.test' }, /set "dkim_selector" and "dkim_private_key"/],
    ['one selector twice', { ...both, dkim_selector_2: 'R1' }, /must differ/],
    ['a domain that is not the sender’s', { ...both, dkim_domain: 'acme.example' }, /cannot sign mail from acme\.test/],
    [
      'a domain of templates that is not the sender’s',
      { ...both, dkim_domain: 'acme.test', from_domains: 'acme.example' },
      /cannot sign mail from acme\.example/,
    ],
  ])('because of %s waits, and the settings are refused', async (_name, config, problem) => {
    const answer = expect.stringMatching(problem);
    expect(await send({}, config)).toEqual({ kind: 'rejected', answer, fault: 'channel' });
    expect(sink.mails).toEqual([]);
    const settings = { host: '127.0.0.1', from: 'a@acme.test', ...config };
    expect(email.check(settings)).toMatch(problem);
  });
});

describe('a private key', () => {
  const rsa = (modulusLength: number) => pemOf(generateKeyPairSync('rsa', { modulusLength }));

  it.each<[string, string, RegExp]>([
    ['of 1024 bits', rsa(1024), /must have 2048 to 4096 bits, not 1024/],
    ['of an elliptic curve', pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' })), /RSA or Ed25519 key, not ec/],
    [
      'with a passphrase',
      generateKeyPairSync('ed25519').privateKey.export({
        ...{ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
      }) as string,
      /without a passphrase/,
    ],
    [
      'that is public',
      generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }) as string,
      /must be one private key/,
    ],
  ])('%s is refused', (_name, pem, problem) => {
    expect(readDkimKey(pem)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it('in the older format of OpenSSL is read', () => {
    const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' });
    expect(readDkimKey(pem as string)).toMatchObject({ algorithm: 'rsa-sha256' });
  });
});
