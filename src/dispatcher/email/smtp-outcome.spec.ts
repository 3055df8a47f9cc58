import { expect, it } from '@jest/globals';
import { OutboundFailed, OutboundRefused, OutboundTimeout } from '../outbound/outbound-error.js';
import { kindOfFailure } from './smtp-outcome.js';

const failure = (fields: object): Error => Object.assign(new Error('failed'), fields);

it.each([
  ['no such user', failure({ responseCode: 550, command: 'RCPT TO' }), 'rejected'],
  ['mailbox busy', failure({ responseCode: 450, command: 'RCPT TO' }), 'retry'],
  ['spam', failure({ responseCode: 554, command: 'DATA' }), 'rejected'],
  ['try the content later', failure({ responseCode: 451, command: 'DATA' }), 'retry'],
  ['too large, said early', failure({ responseCode: 552, command: 'MAIL FROM' }), 'rejected'],
  ['too large, as announced', failure({ code: 'EMESSAGE', command: 'MAIL FROM' }), 'rejected'],
  ['a sender that may not send', failure({ responseCode: 550, command: 'MAIL FROM' }), 'retry'],
  ['a greeting of 554', failure({ responseCode: 554, command: 'CONN', code: 'EPROTOCOL' }), 'retry'],
  ['closing down', failure({ responseCode: 421, command: 'CONN' }), 'retry'],
  ['a wrong password', failure({ responseCode: 535, command: 'AUTH PLAIN', code: 'EAUTH' }), 'retry'],
  ['a missing login, said late', failure({ responseCode: 530, command: 'RCPT TO' }), 'retry'],
  ['a muddled session', failure({ responseCode: 503, command: 'RCPT TO' }), 'retry'],
  ['no encryption', failure({ responseCode: 502, command: 'STARTTLS', code: 'ETLS' }), 'retry'],
  ['a broken connection', failure({ code: 'ECONNECTION', command: 'CONN' }), 'retry'],
  ['silence', failure({ code: 'ETIMEDOUT' }), 'retry'],
  ['an unknown host', new OutboundFailed('no such name'), 'retry'],
  ['no connection in time', new OutboundTimeout('late'), 'retry'],
  ['a forbidden host', new OutboundRefused('private'), 'rejected'],
  ['anything else', new TypeError('oops'), 'retry'],
])('%s', (_name, error, kind) => {
  expect(kindOfFailure(error)).toBe(kind);
});
