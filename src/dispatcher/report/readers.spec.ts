import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { HttpAnswer } from '../answer/http-answer.js';
import type { ReportedEvent } from './report.js';
import { parseSendgridKey } from './sendgrid.js';
import { MAIL_SERVICES } from './services.js';
import { timeOf } from './fields.js';

const NOW = new Date('2030-01-01T08:00:00Z');
const SECONDS = NOW.getTime() / 1000;
const REFERENCE = '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21_17';

/** Amazon, as far as SNS needs it: a certificate, and confirmations. */
class Amazon {
  readonly keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  readonly asked: string[] = [];
  getText(url: string): Promise<HttpAnswer> {
    this.asked.push(url);
    const text = url.endsWith('.pem') ? this.keys.publicKey.export({ format: 'pem', type: 'spki' }).toString() : '';
    return Promise.resolve({ status: 200, headers: {}, text });
  }
}

const amazon = new Amazon();
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:mail';
const ec = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const SENDGRID_KEY = ec.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const WHSEC = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const KEYS: Record<string, string> = {
  ses: TOPIC,
  sendgrid: SENDGRID_KEY,
  postmark: 'a-password-for-reports',
  mailgun: 'key-0123456789abcdef',
  resend: WHSEC,
};

interface Request {
  headers: Record<string, string>;
  body: string;
}

async function read(service: string, { headers, body }: Request, key = KEYS[service]!): Promise<unknown> {
  const reader = MAIL_SERVICES[service]!.reader(key, amazon);
  return reader.read({ url: 'https://notify.test/reports/acme/mail', headers, body: Buffer.from(body), now: NOW });
}

function sns(event: object | string, changes: Record<string, string> = {}, version = '2'): Request {
  const message: Record<string, string> = {
    ...{
      Type: 'Notification',
      MessageId: 'sns-1',
      TopicArn: TOPIC,
      Timestamp: NOW.toISOString(),
      SignatureVersion: version,
    },
    ...{ Message: typeof event === 'string' ? event : JSON.stringify(event) },
    SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789.pem',
    ...changes,
  };
  const names =
    message.Type === 'Notification'
      ? ['Message', 'MessageId', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const text = names.map((name) => `${name}\n${message[name]}\n`).join('');
  const algorithm = version === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
  const Signature = sign(algorithm, Buffer.from(text), amazon.keys.privateKey).toString('base64');
  return { headers: { 'content-type': 'text/plain' }, body: JSON.stringify({ Signature, ...message }) };
}

function sendgrid(events: object[], at = SECONDS): Request {
  const body = JSON.stringify(events);
  const signature = sign('sha256', Buffer.from(`${at}${body}`), ec.privateKey).toString('base64');
  return {
    headers: {
      'x-twilio-email-event-webhook-timestamp': String(at),
      'x-twilio-email-event-webhook-signature': signature,
    },
    body,
  };
}

const postmark = (event: object, password = KEYS.postmark): Request => ({
  headers: { authorization: `Basic ${Buffer.from(`carillon:${password}`).toString('base64')}` },
  body: JSON.stringify(event),
});

let tokens = 0;
function mailgun(event: object, at = SECONDS, token = `token-${tokens++}`): Request {
  const signature = createHmac('sha256', KEYS.mailgun!).update(`${at}${token}`).digest('hex');
  const body = JSON.stringify({ signature: { timestamp: String(at), token, signature }, 'event-data': event });
  return { headers: {}, body };
}

function resend(event: object, at = NOW, key = WHSEC): Request {
  const body = JSON.stringify(event);
  const signature = new Webhook(key).sign('msg_1', at, body);
  return {
    headers: {
      'svix-id': 'msg_1',
      'svix-timestamp': String(at.getTime() / 1000),
      'svix-signature': `v1,AAAA ${signature}`,
    },
    body,
  };
}

const SIGNED: Record<string, () => Request> = {
  ses: () => sns({ eventType: 'Delivery', mail: { tags: { delivery: [REFERENCE] } } }),
  sendgrid: () => sendgrid([{ event: 'delivered', delivery: REFERENCE, sg_event_id: 'e1' }]),
  postmark: () => postmark({ RecordType: 'Delivery', MessageID: 'm1', Metadata: { delivery: REFERENCE } }),
  mailgun: () => mailgun({ event: 'delivered', id: 'e1', 'user-variables': { delivery: REFERENCE } }),
  resend: () => resend({ type: 'email.delivered', data: { email_id: 'm1', tags: { delivery: REFERENCE } } }),
};

describe.each(Object.keys(SIGNED))('the reader of %s', (service) => {
  const signed = SIGNED[service]!;

  it('reads what the service has signed, with our reference', async () => {
    expect(await read(service, signed())).toMatchObject([{ kind: 'delivered', reference: REFERENCE }]);
  });

  it('refuses a request without a signature, and one that is not JSON', async () => {
    const { body, headers } = signed();
    const unsigned = body.replace(/"(?:Signature|signature)":/g, '"other":');
    expect(await read(service, { headers: {}, body: unsigned })).toBe('forged');
    expect(await read(service, { headers, body: '{' })).toBe('forged');
  });

  it('refuses what was signed with another key', async () => {
    const others: Record<string, string> = {
      ses: `${TOPIC}2`,
      sendgrid: generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
        .publicKey.export({ format: 'der', type: 'spki' })
        .toString('base64'),
      postmark: 'another-password',
      mailgun: 'key-fedcba9876543210',
      resend: `whsec_${Buffer.alloc(32, 8).toString('base64')}`,
    };
    expect(await read(service, signed(), others[service])).toBe('forged');
  });

  it('says which keys it takes', () => {
    const { problem } = MAIL_SERVICES[service]!;
    expect(problem(KEYS[service]!)).toBeNull();
    expect(problem('short')).toMatch(/^(?:must|is) /);
  });
});

it.each(['ses', 'sendgrid', 'resend'])('a signature of %s is good for its body only', async (service) => {
  const { headers, body } = SIGNED[service]!();
  const changed = body.replace(/[Dd]elivered/, 'opened').replace('Delivery', 'Open');
  expect(changed).not.toBe(body);
  expect(await read(service, { headers, body: changed })).toBe('forged');
});

it('a token of Mailgun is good for one body, which may come again', async () => {
  const first = mailgun({ event: 'delivered', id: 'e1' }, SECONDS, 'used');
  expect(await read('mailgun', first)).toHaveLength(1);
  expect(await read('mailgun', first)).toHaveLength(1);
  expect(await read('mailgun', mailgun({ event: 'complained', id: 'e2' }, SECONDS, 'used'))).toBe('forged');
});

it.each([
  ['sendgrid', (age: number) => sendgrid([{ event: 'open' }], SECONDS - age), 26 * 3600],
  ['mailgun', (age: number) => mailgun({ event: 'opened' }, SECONDS - age), 10 * 3600],
  ['resend', (age: number) => resend({ type: 'email.opened' }, new Date(NOW.getTime() - age * 1000)), 400],
] as const)('a request of %s that is too old is refused', async (service, request, age) => {
  expect(await read(service, request(0))).toHaveLength(1);
  expect(await read(service, request(age))).toBe('forged');
  expect(await read(service, request(-age))).toBe('forged');
});

describe('SNS', () => {
  const event = { eventType: 'Delivery' };

  it.each(['1', '2'])('is checked with signature version %s', async (version) => {
    expect(await read('ses', sns(event, {}, version))).toHaveLength(1);
  });

  it.each([
    ['an unknown version', { SignatureVersion: '3' }],
    ['another topic', { TopicArn: 'arn:aws:sns:eu-west-1:999999999999:mail' }],
    [
      'a certificate of somebody else',
      { SigningCertURL: 'https://sns.eu-west-1.amazonaws.com.evil.test/SimpleNotificationService-1.pem' },
    ],
    [
      'a certificate of another service',
      { SigningCertURL: 'https://s3.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem' },
    ],
    [
      'a certificate over http',
      { SigningCertURL: 'http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem' },
    ],
    ['another path', { SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/evil/SimpleNotificationService-1.pem' }],
    ['a login in the URL', { SigningCertURL: 'https://a@sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem' }],
  ])('refuses %s, and fetches nothing', async (_, changes) => {
    amazon.asked.length = 0;
    expect(await read('ses', sns(event, changes))).toBe('forged');
    expect(amazon.asked).toEqual([]);
  });

  const confirmation = (changes: object) =>
    sns('You have chosen to subscribe', {
      ...{ Type: 'SubscriptionConfirmation', Token: 't' },
      SubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t',
      ...changes,
    });

  it('confirms the subscription of its own topic only', async () => {
    amazon.asked.length = 0;
    expect(await read('ses', confirmation({}))).toEqual([]);
    const url = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t';
    expect(amazon.asked.filter((asked) => !asked.endsWith('.pem'))).toEqual([url]);
    const others = [
      { TopicArn: 'arn:aws:sns:eu-west-1:999999999999:mail' },
      { SubscribeURL: 'https://evil.test/?Action=ConfirmSubscription&Token=t' },
      { SubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?Action=Publish&Token=t' },
    ];
    for (const changes of others) expect(await read('ses', confirmation(changes))).toBe('forged');
    expect(amazon.asked.filter((asked) => !asked.endsWith('.pem'))).toEqual([url]);
  });
});

const ses = (eventType: string, details: object = {}) =>
  sns({ eventType, [eventType === 'DeliveryDelay' ? 'deliveryDelay' : eventType.toLowerCase()]: details });
const pm = (RecordType: string, more: object = {}) => postmark({ RecordType, ...more });

it.each<[string, Request, Partial<ReportedEvent> | null]>([
  ['ses', ses('Send'), null],
  ['ses', ses('Delivery'), { kind: 'delivered' }],
  [
    'ses',
    ses('Bounce', { bounceType: 'Permanent', bounceSubType: 'General' }),
    { kind: 'bounced', detail: 'Permanent General' },
  ],
  ['ses', ses('Bounce', { bounceType: 'Transient' }), { kind: 'soft_bounced' }],
  ['ses', ses('Bounce', { bounceType: 'Undetermined' }), { kind: 'soft_bounced' }],
  ['ses', ses('Complaint'), { kind: 'complained' }],
  ['ses', sns({ notificationType: 'Complaint' }), { kind: 'complained' }],
  ['ses', ses('Complaint', { complaintFeedbackType: 'not-spam' }), null],
  ['ses', ses('Reject', { reason: 'Bad content' }), { kind: 'soft_bounced', detail: 'Bad content' }],
  ['ses', ses('DeliveryDelay'), { kind: 'delayed' }],
  ['ses', ses('Open'), { kind: 'seen', by: 'unknown' }],
  ['ses', ses('Click'), { kind: 'seen', by: 'unknown' }],
  ['ses', ses('Subscription'), null],
  ['ses', sns('not json'), null],
  ['sendgrid', sendgrid([{ event: 'processed' }]), null],
  ['sendgrid', sendgrid([{ event: 'delivered' }]), { kind: 'delivered' }],
  ['sendgrid', sendgrid([{ event: 'deferred' }]), { kind: 'delayed' }],
  ['sendgrid', sendgrid([{ event: 'bounce', type: 'bounce', reason: '550 5.1.1 No such user' }]), { kind: 'bounced' }],
  ['sendgrid', sendgrid([{ event: 'bounce', type: 'bounce', reason: '550 5.7.1 spam' }]), { kind: 'soft_bounced' }],
  ['sendgrid', sendgrid([{ event: 'bounce', type: 'blocked', reason: '550 5.1.1 x' }]), { kind: 'soft_bounced' }],
  ['sendgrid', sendgrid([{ event: 'dropped', reason: 'Bounced Address' }]), { kind: 'bounced' }],
  ['sendgrid', sendgrid([{ event: 'dropped', reason: 'Unsubscribed Address' }]), { kind: 'soft_bounced' }],
  ['sendgrid', sendgrid([{ event: 'spamreport' }]), { kind: 'complained' }],
  ['sendgrid', sendgrid([{ event: 'open', sg_machine_open: true }]), { kind: 'seen', by: 'machine' }],
  ['sendgrid', sendgrid([{ event: 'click' }]), { kind: 'seen', by: 'unknown' }],
  ['sendgrid', sendgrid([{ event: 'unsubscribe' }]), null],
  ['postmark', pm('Delivery'), { kind: 'delivered' }],
  ['postmark', pm('Bounce', { Type: 'HardBounce' }), { kind: 'bounced' }],
  ['postmark', pm('Bounce', { Type: 'BadEmailAddress' }), { kind: 'bounced' }],
  ['postmark', pm('Bounce', { Type: 'SpamComplaint' }), { kind: 'complained' }],
  ...[
    'Transient',
    'SoftBounce',
    'DnsError',
    'SpamNotification',
    'VirusNotification',
    'Blocked',
    'DMARCPolicy',
    'Unknown',
  ].map((Type): [string, Request, Partial<ReportedEvent>] => [
    'postmark',
    pm('Bounce', { Type }),
    { kind: 'soft_bounced' },
  ]),
  ['postmark', pm('Bounce', { Type: 'AutoResponder' }), null],
  ['postmark', pm('Bounce', { Type: 'constructor' }), null],
  ['postmark', pm('SpamComplaint'), { kind: 'complained' }],
  ['postmark', pm('Open'), { kind: 'seen', by: 'unknown' }],
  ['postmark', pm('Click'), { kind: 'seen', by: 'unknown' }],
  ['postmark', pm('SubscriptionChange'), null],
  ['mailgun', mailgun({ event: 'accepted' }), null],
  ['mailgun', mailgun({ event: 'delivered' }), { kind: 'delivered' }],
  ['mailgun', mailgun({ event: 'failed', severity: 'temporary' }), { kind: 'delayed' }],
  [
    'mailgun',
    mailgun({
      event: 'failed',
      severity: 'permanent',
      'delivery-status': { code: 550, message: '5.1.1 No such user' },
    }),
    { kind: 'bounced' },
  ],
  [
    'mailgun',
    mailgun({ event: 'failed', severity: 'permanent', 'delivery-status': { code: 554, message: '5.7.1 spam' } }),
    { kind: 'soft_bounced' },
  ],
  ['mailgun', mailgun({ event: 'failed', severity: 'permanent', reason: 'suppress-bounce' }), { kind: 'bounced' }],
  ['mailgun', mailgun({ event: 'complained' }), { kind: 'complained' }],
  ['mailgun', mailgun({ event: 'opened', 'client-info': { bot: 'apple' } }), { kind: 'seen', by: 'machine' }],
  ['mailgun', mailgun({ event: 'clicked', 'client-info': { bot: '' } }), { kind: 'seen', by: 'unknown' }],
  ['mailgun', mailgun({ event: 'unsubscribed' }), null],
  ['resend', resend({ type: 'email.sent' }), null],
  ['resend', resend({ type: 'email.delivered' }), { kind: 'delivered' }],
  ['resend', resend({ type: 'email.delivery_delayed' }), { kind: 'delayed' }],
  ['resend', resend({ type: 'email.bounced', data: { bounce: { type: 'Permanent' } } }), { kind: 'bounced' }],
  ['resend', resend({ type: 'email.bounced', data: { bounce: { type: 'Transient' } } }), { kind: 'soft_bounced' }],
  ['resend', resend({ type: 'email.complained' }), { kind: 'complained' }],
  ['resend', resend({ type: 'email.opened' }), { kind: 'seen', by: 'unknown' }],
  ['resend', resend({ type: 'email.clicked' }), { kind: 'seen', by: 'unknown' }],
  ['resend', resend({ type: 'email.failed' }), { kind: 'soft_bounced' }],
  ['resend', resend({ type: 'email.suppressed' }), { kind: 'bounced' }],
  ['resend', resend({ type: 'contact.created' }), null],
  ['resend', resend({ type: 'constructor' }), null],
])('an event of %s is read by the table: %j', async (service, request, expected) => {
  const reports = (await read(service, request)) as (ReportedEvent | null)[];
  expect(reports).toHaveLength(1);
  if (expected === null) expect(reports[0]).toBeNull();
  else expect(reports[0]).toMatchObject(expected);
});

it.each([1_700_000_000_000, -1e15, '+055840-01-01T00:00:00Z', 'x'])('a time of another century is now: %j', (given) => {
  const now = new Date();
  expect(timeOf(given, now)).toBe(now);
});

it('a key of SendGrid that cannot sign as SendGrid does is none', () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  expect(parseSendgridKey(publicKey.export({ format: 'der', type: 'spki' }).toString('base64'))).toBeNull();
});

it('a mail of ours is found by its Message-ID, where a service hands it back', async () => {
  const message_id = '<019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21=2E17@acme.test>';
  expect(await read('resend', resend({ type: 'email.delivered', data: { message_id } }))).toMatchObject([
    { reference: REFERENCE },
  ]);
});
