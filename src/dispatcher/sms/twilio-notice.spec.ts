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
  ['a reply that says stop', { From: PHONE, Body: ' stop\n' }, 'stopped', PHONE],
  ['a word that the account calls stop', { From: PHONE, Body: 'Basta', OptOutType: 'STOP' }, 'stopped', PHONE],
  ['a reply that wants messages again', { From: PHONE, Body: 'Start' }, 'resumed', PHONE],
  ['any other reply', { From: PHONE, Body: 'stop it, Ann' }, 'answered', PHONE],
  ['a question for help', { From: PHONE, Body: 'stop', OptOutType: 'HELP' }, undefined, undefined],
  ['a message that is on its way', { To: PHONE, MessageStatus: 'sent' }, undefined, undefined],
  ['a message that arrived', { To: PHONE, MessageStatus: 'delivered' }, 'delivered', undefined],
  ['a message that was read', { To: PHONE, MessageStatus: 'read' }, 'seen', undefined],
  ['a phone that is off', { To: PHONE, MessageStatus: 'undelivered', ErrorCode: '30003' }, 'soft_bounced', undefined],
  ['an unknown number', { To: PHONE, MessageStatus: 'undelivered', ErrorCode: '30005' }, 'bounced', PHONE],
  ['a landline', { To: PHONE, MessageStatus: 'failed', ErrorCode: '30006' }, 'bounced', PHONE],
  ['a number that said stop before', { To: PHONE, MessageStatus: 'failed', ErrorCode: '21610' }, 'stopped', PHONE],
])('reads %s', (_, fields: Record<string, string>, kind, number) => {
  const notice = readNotice(new URLSearchParams({ MessageSid: 'SM1', ...fields }), new Date());
  expect([notice?.kind, notice?.number]).toEqual([kind, number]);
  if (notice) expect(notice.providerId).toBe('SM1');
});
