import { describe, expect, it } from '@jest/globals';
import { returnedMail } from '../../../test/support/bounces/returned.js';
import { BounceAddresses } from './bounce-address.js';
import { feedbackEvent, referenceInFeedback } from './feedback-event.js';
import { readReportMail } from './report-mail.js';
import { reportPartsOf } from './report-parts.js';
import { statusEvent } from './status-event.js';

const now = new Date('2030-01-01T08:00:00Z');

function eventsIn(raw: Buffer, recipient: string) {
  const report = readReportMail(raw);
  if (report?.kind !== 'status') return report;
  return report.recipients.map((fields) => {
    const event = statusEvent(fields, report.failed, { reference: 'r', recipient }, now);
    return event && [event.kind, event.detail];
  });
}

const UNKNOWN = '550 5.1.1 <ann@example.net>: Recipient address rejected: User unknown';
const LATER = '451 4.7.1 <later@example.net>: Greylisted, try again later';

describe('a report of Postfix or Exim', () => {
  it.each([
    ['postfix/unknown', 'ann@example.net', 'bounced', UNKNOWN],
    ['postfix/unknown-plain', 'plain@example.net', 'bounced', '550 No such user here'],
    ['postfix/local', 'ann@example.org', 'bounced', '5.1.1 unknown user: "ann"'],
    ['postfix/full', 'full@example.net', 'soft_bounced', '552 5.2.2 <full@example.net>: The mailbox is full'],
    ['postfix/spam', 'spam@example.net', 'soft_bounced', '554 5.7.1 Message rejected as spam'],
    ['postfix/forwarded', 'forward@example.org', 'soft_bounced', `forwarded to ann@example.net: ${UNKNOWN}`],
    ['postfix/delayed', 'later@example.net', 'delayed', LATER],
    ['postfix/given-up', 'later@example.net', 'soft_bounced', LATER],
    ['postfix/delivered', 'fine@example.net', 'delivered', '250 OK: message queued'],
    ['exim/unknown', 'ann@example.net', 'bounced', UNKNOWN],
    ['exim/unknown-plain', 'plain@example.net', 'bounced', '550 No such user here'],
    // Exim tells the reason in words for people only.
    ['exim/local', 'ann@example.org', 'soft_bounced', '5.0.0 failed'],
    ['exim/full', 'full@example.net', 'soft_bounced', '552 5.2.2 <full@example.net>: The mailbox is full'],
    ['exim/spam', 'spam@example.net', 'soft_bounced', '554 5.7.1 Message rejected as spam'],
    ['exim/forwarded', 'forward@example.org', 'soft_bounced', `forwarded to ann@example.net: ${UNKNOWN}`],
    ['exim/given-up', 'later@example.net', 'soft_bounced', `${LATER}: retry timeout exceeded`],
    ['exim/delivered', 'fine@example.net', 'delivered', '250 Ok'],
  ])('%s, of a mail to %s, says %s', (name, recipient, kind, detail) => {
    expect(eventsIn(returnedMail(name), recipient)).toEqual([[kind, detail]]);
  });

  it('is read when the returned mail is cut off', () => {
    const whole = returnedMail('postfix/unknown');
    const cut = whole.subarray(0, whole.indexOf('Return-Path:') + 20);
    expect(eventsIn(cut, 'ann@example.net')).toEqual([['bounced', UNKNOWN]]);
  });

  it('is not a bounce of an address that is not known any more, nor of a reply that quotes it', () => {
    expect(eventsIn(returnedMail('postfix/unknown'), 'eve@example.net')).toEqual([
      ['soft_bounced', `forwarded to ann@example.net: ${UNKNOWN}`],
    ]);
    const quoting = `Content-Type: multipart/mixed; boundary=q\r\n\r\n--q\r\nContent-Type: message/rfc822\r\n\r\n`;
    const quoted = Buffer.concat([Buffer.from(quoting), returnedMail('postfix/unknown'), Buffer.from('\r\n--q--\r\n')]);
    expect(readReportMail(quoted)).toBeNull();
  });
});

const group = (fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value as string]));

const failed = (fields: object, recipient = 'ann@example.net') =>
  statusEvent(
    group({ action: 'failed', 'final-recipient': `rfc822; ${recipient}`, ...fields }),
    [],
    { reference: 'r', recipient: 'ann@example.net' },
    now,
  )?.kind;

describe('a failure', () => {
  it.each([
    ['5.1.1', 'smtp; 550 5.1.1 No such user', 'bounced'],
    ['5.1.10', 'smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found by SMTP address lookup', 'bounced'],
    ['5.1.1', 'smtp; 550-5.1.1 The email account that you tried to reach does not exist.', 'bounced'],
    ['5.0.0', 'smtp; 550 Requested action not taken: mailbox unavailable', 'bounced'],
    ['5.1.1', 'smtp; 550 rejected', 'bounced'],
    ['5.1.1', undefined, 'bounced'],
    ['5.2.2', undefined, 'soft_bounced'],
    ['5.0.0', undefined, 'soft_bounced'],
    [undefined, undefined, 'soft_bounced'],
    ['5.7.1', 'smtp; 550 5.7.1 blocked using a list', 'soft_bounced'],
    ['5.7.515', 'smtp; 550 5.7.515 Access denied, sending domain does not meet the required level', 'soft_bounced'],
    ['4.4.7', 'smtp; 450 4.1.1 user unknown', 'soft_bounced'],
    ['5.4.7', 'smtp; 451 4.4.1 no answer', 'soft_bounced'],
    ['5.1.1 (bad destination mailbox)', 'x-unix; 67', 'bounced'],
  ])('with status %s and diagnostic %s is %s', (status, code, kind) => {
    expect(failed({ ...(status && { status }), ...(code && { 'diagnostic-code': code }) })).toBe(kind);
  });

  it.each(['ANN@Example.NET', '<ann@example.net>', 'a+6En@example.net'])(
    'of %s is one of ann@example.net',
    (recipient) => {
      expect(failed({ status: '5.1.1' }, recipient)).toBe('bounced');
    },
  );

  it('has the same id when it is reported again, and an id without the address', () => {
    const fields = group({ action: 'failed', status: '5.1.1', 'final-recipient': 'rfc822; ann@example.net' });
    const mail = { reference: 'r', recipient: 'ann@example.net' };
    const ids = [now, new Date()].map((at) => statusEvent(fields, [], mail, at)?.eventId);
    expect(ids).toEqual(['dsn bounced failed 5.1.1', 'dsn bounced failed 5.1.1']);
  });

  it('with an action that is not in the standard says nothing', () => {
    for (const action of ['', 'exploded', 'constructor']) expect(failed({ action })).toBeUndefined();
  });
});

describe('a mail that is not a report', () => {
  it.each(['other/vacation', 'other/read-receipt', 'other/qmail'])('such as %s says nothing', (name) => {
    expect(readReportMail(returnedMail(name))).toBeNull();
  });

  it.each([
    ['empty', ''],
    ['binary', '\0\xff'.repeat(1000)],
    ['a report without parts', 'Content-Type: multipart/report; boundary=b\r\n\r\n--b--\r\n'],
    ['without a boundary', 'Content-Type: multipart/report; report-type=delivery-status\r\n\r\nAction: failed\r\n'],
    ['nested too deep', nested(300)],
  ])('and is %s says nothing', (_, text) => {
    expect(readReportMail(Buffer.from(text, 'latin1'))).toBeNull();
  });

  it('with 32,000 addresses in its header is read to the 50th', () => {
    const mail = returnedMail('exim/unknown').toString();
    const many = mail.replace(/^X-Failed-Recipients:.*$/m, `X-Failed-Recipients: ${'a@b,'.repeat(1000)}`);
    expect(readReportMail(Buffer.from(many))).toMatchObject({ kind: 'status', failed: { length: 50 } });
    const more = mail.replace(/^X-Failed-Recipients:.*$/m, `X-Failed-Recipients: ${'a@b,'.repeat(32_000)}`);
    expect(readReportMail(Buffer.from(more))).toBeNull();
  });

  it('with 100,000 recipients is read to its 50th', () => {
    const part =
      'Content-Type: message/delivery-status\r\n\r\n' + 'Action: failed\r\nStatus: 5.1.1\r\n\r\n'.repeat(100_000);
    const mail = `Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n${part}--b--\r\n`;
    expect(readReportMail(Buffer.from(mail.slice(0, 256 * 1024)))).toMatchObject({ recipients: { length: 50 } });
  });
});

function nested(depth: number): string {
  let text = '';
  for (let n = 0; n < depth; n++) text += `Content-Type: multipart/report; boundary=b${n}\r\n\r\n--b${n}\r\n`;
  return text;
}

describe('a mail that was made to take long', () => {
  const SIZE = 256 * 1024;
  const HOSTILE = [
    ['newlines', '\n'.repeat(SIZE)],
    ['lines of a blank in HTML', `Content-Type: text/html\n\n${'\n \n'.repeat(87_000)}`],
    ['groups of addresses', `To: ${'a:'.repeat(130_000)}`],
  ] as const;
  const inPart = (type: string, text: string) =>
    Buffer.from(`Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: ${type}\n\n${text}`);

  it.each(HOSTILE)('with %s is not read beyond its head', (_, text) => {
    expect(readReportMail(Buffer.from(text))).toBeNull();
  });

  it.each(HOSTILE)('with %s in a report hands on 64 KB at most', (_, text) => {
    const part = reportPartsOf(inPart('message/delivery-status', text))!.part(/status/);
    expect(part.length).toBe(64 * 1024);
    expect(readReportMail(inPart('text/html', text))).toBeNull();
  });

  it('with a field of 60 KB hands on 4 KB of it', () => {
    const text = `Action: failed\nFinal-Recipient: ${'a:'.repeat(30_000)}\n`;
    const report = readReportMail(inPart('message/delivery-status', text));
    const recipients = report?.kind === 'status' ? report.recipients : [];
    expect(recipients.map((fields) => fields['final-recipient']?.length)).toEqual([4095]);
  });

  it('with 5,000 parts is read to the 20th', () => {
    const part = (n: number) => `--b\nContent-Type: text/x-${n}\n\n${n}\n`;
    const parts = Array.from({ length: 5000 }, (_, n) => part(n)).join('');
    const read = reportPartsOf(Buffer.from(`Content-Type: multipart/report; boundary=b\n\n${parts}`))!;
    expect([read.part(/x-19$/), read.part(/x-20$/)]).toEqual(['19', '']);
  });
});

describe('a part of a report', () => {
  const FIELDS =
    'Reporting-MTA: dns; mx.example.net\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 ü\r\n';
  const quoted = FIELDS.replace('ü', '=C3=BC').replace('5.1.1', '5.=\r\n1.1');
  it.each([
    ['8bit', FIELDS],
    [
      'base64',
      Buffer.from(FIELDS)
        .toString('base64')
        .replace(/(.{76})/g, '$1\r\n'),
    ],
    ['Quoted-Printable', quoted],
  ])('is read in the encoding %s, beside parts with a longer boundary', (encoding, text) => {
    const words = '--b 1\r\nContent-Type: multipart/mixed; boundary=bb\r\n\r\n--bb\r\n\r\nSorry\r\n--bb--\r\n';
    const type = `Content-Type: Message/Global-Delivery-Status; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}`;
    const mail = `Content-Type: Multipart/Report;\r\n\tboundary="b 1"\r\n\r\n${words}--b 1 \r\n${type}\r\n\r\n${text}\r\n--b 1--\r\n`;
    expect(readReportMail(Buffer.from(mail))).toMatchObject({
      recipients: [{ action: 'failed', status: '5.1.1', 'diagnostic-code': 'smtp; 550 ü' }],
    });
  });
});

describe('a complaint', () => {
  const addresses = new BounceAddresses(Buffer.alloc(32, 7));
  const id = '0192f0c1-7a52-7cc3-9d6a-1f2e3d4c5b6a.7';
  const ours = addresses.of(id, 'bounces.example.com');
  const read = (change: (text: string) => string) => {
    const report = readReportMail(Buffer.from(change(returnedMail('other/complaint').toString())));
    if (report?.kind !== 'feedback') throw new Error('not a feedback report');
    return report;
  };

  it.each([
    [
      'the report',
      (text: string) =>
        text.replace('Original-Mail-From: <complaint@bounces.example.com>', `Original-Mail-From: <${ours}>`),
    ],
    [
      'the returned mail',
      (text: string) => text.replace('Return-Path: <complaint@bounces.example.com>', `Return-Path: ${ours}`),
    ],
  ])('names its mail by the envelope sender in %s', (_, change) => {
    const { feedback, original } = read(change);
    const reference = referenceInFeedback(feedback, original, addresses);
    expect(reference).toBe(id.replace('.', '_'));
    expect(feedbackEvent(feedback, reference!, now)).toMatchObject({
      kind: 'complained',
      detail: 'abuse, by SomeGenerator/1.0',
    });
  });

  it('without such an address names no mail', () => {
    const { feedback, original } = read((text) => text);
    expect(referenceInFeedback(feedback, original, addresses)).toBeNull();
  });

  it.each(['not-spam', 'virus', 'other', 'auth-failure', ''])('of the type "%s" is none', (type) => {
    const { feedback } = read((text) => text.replace('Feedback-Type: abuse', `Feedback-Type: ${type}`));
    expect(feedbackEvent(feedback, 'r', now)).toBeNull();
  });
});
