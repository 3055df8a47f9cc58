import { describe, expect, it } from '@jest/globals';
import { OutboundFailed, OutboundRefused, OutboundTimeout } from '../outbound/outbound-error.js';
import { REFUSALS, refusalOf } from './refusals.js';
import type { SmtpFault, SmtpPhase } from './refusals.js';
import { outcomeOfFailure } from './smtp-outcome.js';

const failure = (fields: object): Error => Object.assign(new Error('failed'), fields);
const COMMANDS: Record<SmtpPhase, string> = { open: 'EHLO', mail: 'MAIL FROM', rcpt: 'RCPT TO', data: 'DATA' };
const reply = (phase: SmtpPhase, response: string): Error =>
  failure({ command: COMMANDS[phase], response, responseCode: Number(response.slice(0, 3)) });

/** What servers answer, by the row of the table. */
const ANSWERS: Record<string, [SmtpPhase, string][]> = {
  'the mailbox gets too much at once': [
    ['rcpt', '450 4.2.1 The user you are trying to contact is receiving mail too quickly. Please resend later.'],
    [
      'rcpt',
      '550-5.2.1 The user you are trying to contact is receiving mail at a rate that\n550 5.2.1 prevents additional messages from being delivered.',
    ],
  ],
  'too many messages': [
    ['rcpt', '450 4.7.1 Error: too much mail from 203.0.113.7'],
    ['mail', '454 Throttling failure: Maximum sending rate exceeded.'],
    ['open', '421 4.7.0 mail.test Error: too many connections from 203.0.113.7'],
    ['data', '421 4.7.28 Our system has detected an unusual rate of mail'],
    ['rcpt', '451 4.7.1 rate limit exceeded, slow down'],
    ['rcpt', '451 4.7.650 The mail server [203.0.113.7] has been temporarily rate limited due to IP reputation.'],
  ],
  greylisting: [
    ['rcpt', '450 4.7.1 <ann@acme.test>: Recipient address rejected: Greylisted, see http://postgrey.test/help'],
    ['rcpt', '451 4.7.1 Greylisting in action, please come back later'],
    ['data', '451 4.7.1 Greylisted, please try again in 180 seconds'],
  ],
  'the sender or the client, for now': [
    ['rcpt', '450 4.1.8 <no-reply@acme.test>: Sender address rejected: Domain not found'],
    ['rcpt', '451 Could not complete sender verify callout'],
  ],
  'the client, for now': [['rcpt', '450 4.7.25 Client host rejected: cannot find your hostname, [203.0.113.7]']],
  'the mailbox or its domain, for now': [
    ['rcpt', '450 4.1.1 <ann@acme.test>: Recipient address rejected: User unknown in local recipient table'],
    ['rcpt', '450 4.2.0 mailbox busy'],
    ['rcpt', '452 4.2.2 The email account that you tried to reach is over quota.'],
    ['rcpt', '450 4.4.1 connection to the next host timed out'],
  ],
  'a full mailbox, for now': [['rcpt', '452 mailbox full']],
  'a mailbox in use': [['rcpt', '450 Requested mail action not taken: mailbox unavailable']],
  'anything else, for now': [
    ['rcpt', '451 4.3.0 <ann@acme.test>: Temporary lookup failure'],
    ['rcpt', '451 4.3.5 Server configuration error'],
    ['data', '451 later'],
    ['open', '421 closing down'],
    ['mail', '452 4.3.1 Insufficient system storage'],
  ],
  'a message that is too large': [
    ['data', '552 5.3.4 message too big'],
    ['mail', '552 5.3.4 message too big'],
    ['data', '552-5.2.3 Your message exceeded our message size limits.'],
    ['rcpt', '550 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient'],
  ],
  'the content, or letters beyond ASCII in an address': [
    ['data', '550 5.6.0 malformed message'],
    ['mail', '553 5.6.7 Non-ASCII addresses are not permitted'],
    ['data', '554 5.7.7 Message integrity failure'],
  ],
  'a size that is announced and too large': [['mail', '552 too big']],
  'the greeting, the login or the sender': [
    ['open', '554 go away'],
    ['open', '550 bad name'],
    ['open', '535 5.7.8 bad credentials'],
    ['open', '502 not here'],
    ['mail', '550 5.1.1 unknown sender'],
    ['mail', '550 may not send'],
    ['mail', '554 no such user'],
    ['mail', '501 5.1.7 bad sender address syntax'],
  ],
  'a command out of order, a missing login': [
    ['rcpt', '530 5.7.1 Client was not authenticated'],
    ['rcpt', '530 authentication required'],
    ['rcpt', '503 bad sequence'],
    ['data', '530 authentication required'],
  ],
  'a recipient with a list of senders': [
    ['rcpt', '550 5.7.133 Sender not authenticated for group'],
    ['data', '550 5.7.124 Sender not in allowed-senders list'],
    ['rcpt', '550 5.7.17 the mailbox has another owner now'],
  ],
  'a recipient that Exchange restricts': [
    ['rcpt', '550 5.7.1 RESOLVER.RST.AuthRequired; authentication required'],
    ['rcpt', '550 5.7.1 RESOLVER.RST.NotAuthorized; not authorized'],
  ],
  'the address of the sender': [
    ['rcpt', '501 5.1.7 bad address syntax'],
    ['rcpt', '550 5.1.8 Access denied, bad outbound'],
  ],
  'a domain that Outlook.com does not accept mail from': [
    [
      'data',
      '550 5.7.515 Access denied, sending domain ACME.TEST does not meet the required authentication level. The sender’s domain in the 5322.From address doesn’t meet the authentication requirements defined for the sender.',
    ],
  ],
  'authentication of the sender or the client': [
    ['data', '550-5.7.26 This mail has been blocked because the sender is unauthenticated.'],
    ['data', '554 5.7.9 Message not accepted for policy reasons'],
    ['data', '550 5.7.25 the PTR record does not match'],
    ['rcpt', '550 5.7.606 Access denied, banned sending address'],
    ['rcpt', '550 5.7.64 TenantAttribution; Relay Access Denied'],
    ['rcpt', '550 5.7.13 account disabled'],
  ],
  'the sender, in words': [
    ['rcpt', '553 5.7.1 <no-reply@acme.test>: Sender address rejected: not owned by user acme'],
    ['rcpt', '550 5.1.0 <no-reply@acme.test>: Sender address rejected: User unknown in virtual mailbox table'],
    ['rcpt', '550-Verification failed for <no-reply@acme.test>\n550-Unrouteable address\n550 Sender verify failed'],
    ['rcpt', '550 5.7.1 <ann@acme.test>: Recipient address rejected: Message rejected due to: SPF fail'],
  ],
  'the client, in words': [
    ['rcpt', '554 5.7.1 <unknown[203.0.113.7]>: Client host rejected: Access denied'],
    ['rcpt', '554 5.7.1 Service unavailable; Client host [203.0.113.7] blocked using zen.test'],
    ['rcpt', '504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname'],
    [
      'data',
      "550-5.7.1 [203.0.113.7] The IP you're using to send mail is not authorized to\n550 5.7.1 send email directly",
    ],
    [
      'data',
      '550 5.7.1 Unfortunately, messages from [203.0.113.7] were not sent. Your network is on our block list (S3150).',
    ],
    ['rcpt', '550 your IP is blocked: too many unknown users'],
    ['rcpt', '554 5.7.1 mailbox unavailable, your IP address is listed'],
  ],
  'no relay': [
    ['rcpt', '554 5.7.1 <ann@acme.test>: Relay access denied'],
    ['rcpt', '550 relay not permitted'],
    ['rcpt', '550 5.7.1 Unable to relay'],
    ['rcpt', "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
    ['rcpt', '550 authentication is required'],
  ],
  'no such mailbox or domain': [
    ['rcpt', '550 5.1.1 <ann@acme.test>: Recipient address rejected: User unknown in virtual mailbox table'],
    ['rcpt', '550 5.1.1 <ann@acme.test>: Recipient address rejected: User unknown in relay recipient table'],
    [
      'rcpt',
      '550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the address.\n550 5.1.1 https://support.google.com/mail/?p=NoSuchUser gsmtp',
    ],
    ['rcpt', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'],
    ['rcpt', '550 5.1.1 <ann@icloud.com>: user does not exist'],
    ['rcpt', '550 5.1.6 recipient no longer on server: ann@icloud.com'],
    ['rcpt', '550 5.1.2 <ann@gone.test>: Domain not found'],
    ['rcpt', '501 5.1.3 Bad recipient address syntax'],
    ['rcpt', '556 5.1.10 the domain accepts no mail'],
    ['rcpt', '550 sorry, no mailbox here by that name. (#5.1.1)'],
    ['data', '550 5.1.1 no such user here'],
    ['rcpt', '550 5.4.310 DNS domain gone.test does not exist'],
  ],
  'no such mailbox at Microsoft 365': [
    [
      'rcpt',
      '550 5.4.1 Recipient address rejected: Access denied. [DB5EUR01FT014.eop-EUR01.prod.protection.outlook.com]',
    ],
    ['rcpt', '550 5.4.1 [ann@acme.test]: Recipient address rejected: Access denied'],
  ],
  'a domain without mail': [['rcpt', '556 no mail here']],
  'a full mailbox': [
    ['rcpt', '552 5.2.2 mailbox full'],
    ['data', '550 5.2.2 mailbox full'],
    ['rcpt', '552-5.2.2 The email account that you tried to reach is over quota and inactive.'],
    ['rcpt', '552 5.2.2 <ann@icloud.com>: user is over quota'],
  ],
  'a message that the mailbox refuses': [['data', '521 5.2.1 : AOL will not accept delivery of this message.']],
  'a disabled mailbox': [
    ['rcpt', '550 5.2.1 mailbox disabled, not accepting messages'],
    ['rcpt', '550-5.2.1 The email account that you tried to reach is inactive.'],
    ['rcpt', '550 5.2.1 The account is disabled, no such user'],
  ],
  'another state of the mailbox': [['rcpt', '550 5.2.0 mailbox trouble']],
  'a full mailbox, in words': [
    ['rcpt', '552 mailbox full'],
    ['rcpt', '550 user is over quota'],
    ['data', '552 Requested mail action aborted: quota exceeded'],
  ],
  'no such mailbox, in words': [
    ['rcpt', '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).'],
    ['rcpt', '550 Requested action not taken: mailbox unavailable'],
    [
      'data',
      "554 delivery error: dd This user doesn't have a yahoo.com account (ann@yahoo.com) [0] - mta1042.mail.ne1.yahoo.com",
    ],
    ['data', '554 delivery error: dd Not a valid recipient - atlas117.free.mail.ne1.yahoo.com'],
    ['data', '554 30 Sorry, your message to ann@yahoo.com cannot be delivered. This mailbox is disabled (554.30).'],
    [
      'data',
      '554 delivery error: dd Sorry your message cannot be delivered. This account has been disabled or discontinued [#102].',
    ],
    ['rcpt', '552 1 Requested mail action aborted, mailbox not found'],
    ['rcpt', '550 invalid recipient'],
    ['rcpt', '554 recipient does not exist'],
    ['rcpt', '550 no such user'],
    ['rcpt', '550 No such user here'],
    ['rcpt', '550 <ann@acme.test>: User unknown in virtual mailbox table'],
    ['rcpt', '550 Unknown recipient'],
    ['rcpt', '550 Unknown user'],
    ['rcpt', '550 Unrouteable address'],
    ['rcpt', '550 5.0.0 The mailbox does not exist'],
    ['rcpt', '550 User not known here'],
    ['rcpt', '550 Not our Customer'],
    ['rcpt', '550 5.7.1 User unknown'],
    ['rcpt', '553 5.3.0 <ann@acme.test>... No such user'],
    ['rcpt', '550-The email account that you tried to reach does not\n550 exist. Please try again.'],
  ],
  'the content, in words': [
    ['data', '554 looks like spam'],
    ['data', '550-5.7.1 [203.0.113.7] Our system has detected that this message is likely unsolicited mail.'],
    ['data', '552-5.7.0 This message was blocked because its content presents a potential security issue.'],
    ['data', '554 Message not allowed - [PH01] Email not accepted for policy reasons'],
    ['data', '554 5.7.1 virus found'],
  ],
  'the recipient, in words': [
    ['rcpt', '554 5.7.1 <ann@acme.test>: Recipient address rejected: Access denied'],
    ['rcpt', '550 #5.7.1 Address rejected'],
    ['rcpt', '550 Recipient rejected'],
    ['rcpt', '553 mailbox name not allowed'],
    ['rcpt', '551 user not local'],
  ],
  'the way to the recipient': [
    ['rcpt', '550 5.4.4 no route to the host'],
    ['rcpt', '554 5.4.14 Hop count exceeded'],
    ['rcpt', '553 5.1.4 ambiguous'],
  ],
  'the server, the protocol or a policy': [
    ['rcpt', '550 5.5.1 Protocol error'],
    ['rcpt', '550 5.3.2 system not accepting messages'],
    ['rcpt', '550 5.7.1 Delivery not authorized'],
    ['data', '554 5.7.1 rejected'],
  ],
  'the content, without a reason': [
    ['data', '554 Transaction failed'],
    ['data', '552 too big'],
  ],
  'a policy, in words': [
    ['rcpt', '550 blocked by policy'],
    ['rcpt', '554 access denied'],
    ['rcpt', '550 Administrative prohibition'],
  ],
  'the mailbox, without a reason': [
    ['rcpt', '550 no'],
    ['rcpt', '550 unknown@acme.test'],
    ['rcpt', '501 bad address'],
    ['rcpt', '550 utente sconosciuto'],
  ],
  'anything else': [
    ['rcpt', '554 no'],
    ['rcpt', '521 this host accepts no mail'],
    ['rcpt', '299 what?'],
  ],
};

describe.each(REFUSALS.map(({ name }) => name))('a refusal that means "%s"', (name) => {
  it.each(ANSWERS[name] ?? [])('to %s: %s', (phase, response) => {
    expect(refusalOf(phase, response).name).toBe(name);
  });

  it('is known with an answer of a server', () => expect(ANSWERS[name]).toBeDefined());
});

it('the table has no row twice', () => expect(new Set(REFUSALS.map(({ name }) => name)).size).toBe(REFUSALS.length));

it.each<[SmtpFault, SmtpPhase, object]>([
  ['no_mailbox', 'rcpt', { kind: 'rejected', fault: 'recipient' }],
  ['no_mailbox', 'data', { kind: 'rejected', fault: 'recipient' }],
  ['recipient', 'rcpt', { kind: 'rejected', fault: 'recipient', cause: 'soft_bounce' }],
  ['recipient_for_now', 'rcpt', { kind: 'retry', about: 'recipient' }],
  ['message', 'data', { kind: 'rejected', fault: 'message' }],
  ['message', 'mail', { kind: 'rejected', fault: 'message' }],
  ['channel', 'open', { kind: 'rejected', fault: 'channel' }],
  ['channel', 'mail', { kind: 'rejected', fault: 'channel' }],
  ['channel', 'rcpt', { kind: 'retry', about: 'either' }],
  ['channel', 'data', { kind: 'retry', about: 'either' }],
  ['channel_for_now', 'open', { kind: 'retry' }],
  ['channel_for_now', 'rcpt', { kind: 'retry', about: 'either' }],
  ['slow_down', 'open', { kind: 'retry', isSlowDown: true }],
  ['slow_down', 'rcpt', { kind: 'retry', isSlowDown: true }],
])('each refusal with the fault %s at %s has its outcome', (fault, phase, outcome) => {
  const names = REFUSALS.filter((row) => row.fault === fault && !row.isCertain).map(({ name }) => name);
  const answers = names.flatMap((name) => ANSWERS[name] ?? []).filter(([at]) => at === phase);
  expect(answers.length).toBeGreaterThan(0);
  for (const [, response] of answers) expect(outcomeOfFailure(reply(phase, response))).toEqual(outcome);
});

it('Outlook’s refusal of a domain is the fault of the channel, although it knows the recipient', () => {
  const [phase, response] = ANSWERS['a domain that Outlook.com does not accept mail from']![0]!;
  expect(outcomeOfFailure(reply(phase, response))).toEqual({ kind: 'rejected', fault: 'channel' });
});

it.each([
  [
    'too large, as announced',
    failure({ code: 'EMESSAGE', command: 'MAIL FROM' }),
    { kind: 'rejected', fault: 'message' },
  ],
  [
    'an address that the server cannot take',
    failure({ code: 'EENVELOPE' }),
    { kind: 'rejected', fault: 'recipient', cause: 'soft_bounce' },
  ],
  ['a broken connection', failure({ code: 'ECONNECTION', command: 'CONN' }), { kind: 'retry' }],
  ['silence', failure({ code: 'ETIMEDOUT' }), { kind: 'retry' }],
  ['an unknown host', new OutboundFailed('no such name'), { kind: 'retry' }],
  ['no connection in time', new OutboundTimeout('late'), { kind: 'retry' }],
  // The channel is misconfigured, or its name has another address for now.
  ['a forbidden host', new OutboundRefused('private'), { kind: 'retry' }],
  ['anything else', new TypeError('oops'), { kind: 'retry' }],
])('without a reply: %s', (_name, error, outcome) => {
  expect(outcomeOfFailure(error)).toEqual(outcome);
});
