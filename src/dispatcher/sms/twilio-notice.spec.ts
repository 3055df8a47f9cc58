import { expect, it } from '@jest/globals';
import { isSignedByTwilio, readNotice } from './twilio-notice.js';

it('accepts the signature of Twilio’s own example, and no other', () => {
  // From https://www.twilio.com/docs/usage/security
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
  const form = new URLSearchParams({
    ...{ CallSid: 'CA1234567890ABCDE', Caller: '+14158675309', Digits: '1234' },
    ...{ From: '+14158675309', To: '+18005551212' },
  });
  const signature = 'RSOYDt4T1cUTdK1PDd93/VVr8B8=';
  expect(isSignedByTwilio(signature, url, form, '12345')).toBe(true);
  expect(isSignedByTwilio(signature, url, form, '12346')).toBe(false);
  expect(isSignedByTwilio(signature, `${url}3`, form, '12345')).toBe(false);
  expect(isSignedByTwilio('', url, form, '12345')).toBe(false);
  form.set('To', '+18005551213');
  expect(isSignedByTwilio(signature, url, form, '12345')).toBe(false);
});

const PHONE = '+15551234567';

it.each([
  ['a reply that says stop', { From: PHONE, Body: ' stop\n' }, 'stop'],
  ['a word that the account calls stop', { From: PHONE, Body: 'Basta', OptOutType: 'STOP' }, 'stop'],
  ['a reply that wants messages again', { From: PHONE, Body: 'Start' }, 'resume'],
  ['any other reply', { From: PHONE, Body: 'stop it, Ann' }, null],
  ['a question for help', { From: PHONE, Body: 'stop', OptOutType: 'HELP' }, null],
  ['a message that arrived', { To: PHONE, MessageStatus: 'delivered' }, null],
  ['a phone that is off', { To: PHONE, MessageStatus: 'undelivered', ErrorCode: '30003' }, null],
  ['an unknown number', { To: PHONE, MessageStatus: 'undelivered', ErrorCode: '30005' }, 'hard_bounce'],
  ['a landline', { To: PHONE, MessageStatus: 'failed', ErrorCode: '30006' }, 'hard_bounce'],
  ['a number that answered stop before', { To: PHONE, MessageStatus: 'failed', ErrorCode: '21610' }, 'stop'],
])('reads %s', (_, fields: Record<string, string>, kind) => {
  const notice = readNotice(new URLSearchParams({ MessageSid: 'SM1', ...fields }));
  expect(notice && { kind: notice.kind, number: notice.number, message: notice.message }).toEqual(
    kind && { kind, number: PHONE, message: 'SM1' },
  );
});
