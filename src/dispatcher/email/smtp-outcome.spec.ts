import { describe, expect, it } from '@jest/globals';
import { OutboundFailed, OutboundRefused, OutboundTimeout } from '../outbound/outbound-error.js';
import { outcomeOfFailure } from './smtp-outcome.js';

const failure = (fields: object): Error => Object.assign(new Error('failed'), fields);
const reply = (command: string, response: string): Error =>
  failure({ command, response, responseCode: Number(response.slice(0, 3)) });

describe('a reply that is', () => {
  it.each([
    // about the mailbox, which exists
    ['rejected', 'RCPT TO', '550 5.2.1 mailbox disabled'],
    ['rejected', 'RCPT TO', '552 5.2.2 mailbox full'],
    ['rejected', 'DATA', '550 5.2.2 mailbox full'],
    ['rejected', 'RCPT TO', '550 5.4.1 Recipient address rejected: Access denied'],
    ['rejected', 'RCPT TO', '550 blocked by policy'],
    ['rejected', 'RCPT TO', '550 mailbox unavailable'],
    ['rejected', 'RCPT TO', '550 5.2.1 The account is disabled, no such user'],
    ['rejected', 'RCPT TO', '552 mailbox full'],
    ['rejected', 'RCPT TO', '551 user not local'],
    ['rejected', 'RCPT TO', '553 mailbox name not allowed'],
    ['rejected', 'RCPT TO', '501 bad address'],
    // about the message
    ['rejected', 'DATA', '554 looks like spam'],
    ['rejected', 'DATA', '550 5.6.0 malformed message'],
    ['rejected', 'DATA', '552 5.3.4 message too big'],
    ['rejected', 'MAIL FROM', '552 5.3.4 message too big'],
    ['rejected', 'MAIL FROM', '552 too big'],
    // about the channel: its login, sender, address or name
    ['retry', 'RCPT TO', '554 5.7.1 <unknown[203.0.113.7]>: Client host rejected: Access denied'],
    ['retry', 'RCPT TO', '554 5.7.1 <ann@acme.test>: Relay access denied'],
    ['retry', 'RCPT TO', '553 5.7.1 <no-reply@acme.test>: Sender address rejected: not owned by user acme'],
    ['retry', 'RCPT TO', '554 5.7.1 Service unavailable; Client host [203.0.113.7] blocked using zen.test'],
    ['retry', 'DATA', '550-5.7.26 This mail has been blocked because the sender is unauthenticated.'],
    ['retry', 'RCPT TO', '504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname'],
    ['retry', 'RCPT TO', '501 5.1.7 bad sender address syntax'],
    ['retry', 'RCPT TO', '550 5.1.8 <no-reply@acme.test>: Sender address rejected: Domain not found'],
    ['retry', 'RCPT TO', '550 5.5.1 Protocol error'],
    ['retry', 'RCPT TO', '550 5.3.2 system not accepting messages'],
    ['retry', 'RCPT TO', '554 access denied'],
    ['retry', 'RCPT TO', '530 authentication required'],
    ['retry', 'RCPT TO', '503 bad sequence'],
    ['retry', 'RCPT TO', '521 this host accepts no mail'],
    ['retry', 'DATA', '530 authentication required'],
    ['retry', 'MAIL FROM', '550 5.1.1 unknown sender'],
    ['retry', 'MAIL FROM', '550 may not send'],
    ['retry', 'MAIL FROM', '554 no'],
    ['retry', 'CONN', '554 go away'],
    ['retry', 'EHLO', '550 bad name'],
    ['retry', 'AUTH PLAIN', '535 5.7.8 bad credentials'],
    ['retry', 'STARTTLS', '502 not here'],
    // only for now
    ['retry', 'RCPT TO', '450 4.2.0 <ann@acme.test>: Recipient address rejected: Greylisted'],
    ['retry', 'DATA', '451 later'],
    ['retry', 'CONN', '421 closing down'],
  ])('%s: to %s, %s', (kind, command, response) => {
    expect(outcomeOfFailure(reply(command, response))).toEqual({ kind });
  });

  it.each([
    ['RCPT TO', '550 5.1.1 <ann@acme.test>: Recipient address rejected: User unknown'],
    ['RCPT TO', '550-5.1.1 The email account does not exist.\n550 5.1.1 gsmtp'],
    ['RCPT TO', '550 5.1.2 <ann@gone.test>: Domain not found'],
    ['RCPT TO', '501 5.1.3 Bad recipient address syntax'],
    ['RCPT TO', '551 5.1.6 mailbox has moved'],
    ['RCPT TO', '556 5.1.10 the domain accepts no mail'],
    ['RCPT TO', '556 no mail here'],
    ['RCPT TO', '550 no such user'],
    ['RCPT TO', '550 <ann@acme.test>: User unknown in virtual mailbox table'],
    ['RCPT TO', '550 Unknown recipient'],
    ['RCPT TO', '550 5.0.0 The mailbox does not exist'],
    ['DATA', '550 5.1.1 no such user here'],
  ])('final, because the mailbox does not exist: to %s, %s', (command, response) => {
    expect(outcomeOfFailure(reply(command, response))).toEqual({ kind: 'rejected', suppresses: 'hard_bounce' });
  });

  it.each([
    ['RCPT TO', '450 4.7.1 Error: too much mail from 203.0.113.7'],
    ['MAIL FROM', '454 Throttling failure: Maximum sending rate exceeded.'],
    ['CONN', '421 4.7.0 mail.test Error: too many connections from 203.0.113.7'],
    ['DATA', '421 4.7.28 Our system has detected an unusual rate of mail'],
    ['RCPT TO', '451 4.7.1 rate limit exceeded, slow down'],
  ])('a request to slow down: to %s, %s', (command, response) => {
    expect(outcomeOfFailure(reply(command, response))).toEqual({ kind: 'retry', isSlowDown: true });
  });

  it('about one mailbox that gets too much is no request to slow down', () => {
    const response = '450 4.2.1 The user you are trying to contact is receiving mail too quickly.';
    expect(outcomeOfFailure(reply('RCPT TO', response))).toEqual({ kind: 'retry' });
  });
});

it.each([
  ['too large, as announced', failure({ code: 'EMESSAGE', command: 'MAIL FROM' }), 'rejected'],
  ['a broken connection', failure({ code: 'ECONNECTION', command: 'CONN' }), 'retry'],
  ['silence', failure({ code: 'ETIMEDOUT' }), 'retry'],
  ['an unknown host', new OutboundFailed('no such name'), 'retry'],
  ['no connection in time', new OutboundTimeout('late'), 'retry'],
  ['a forbidden host', new OutboundRefused('private'), 'rejected'],
  ['anything else', new TypeError('oops'), 'retry'],
])('without a reply: %s', (_name, error, kind) => {
  expect(outcomeOfFailure(error)).toEqual({ kind });
});
