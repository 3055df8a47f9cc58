import { expect, it } from '@jest/globals';
import { addTo } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { hashOf, patternOf, readPushAddress } from './push-address.js';

const KEYS = { p256dh: 'BNcRdreALRFXTkOO', auth: 'tBHItJI5svbpez7K' };

function read(fields: object) {
  const errors: FieldErrors = {};
  const address = readPushAddress(fields, addTo(errors));
  return Object.keys(errors).length === 0 ? address : Object.keys(errors);
}

it.each([
  [{ fcm: { token: 'c_1:APA91b' } }, { name: 'fcm', value: 'c_1:APA91b' }],
  [{ fcm: { fid: 'c1a2' } }, { name: 'fcm', value: 'fid:c1a2' }],
  [{ apns: { token: 'ABCDEF0123456789', environment: 'production' } }, { name: 'apns', value: 'abcdef0123456789' }],
  [{ apns: { token: 'abcdef0123456789', environment: 'sandbox' } }, { name: 'apns', value: 'abcdef0123456789' }],
  [{ expo: { token: 'ExponentPushToken[a-1]' } }, { name: 'expo', value: 'ExponentPushToken[a-1]' }],
  [
    { webpush: { keys: KEYS, expirationTime: null, endpoint: 'https://push.test/a' } },
    { name: 'webpush', value: JSON.stringify({ endpoint: 'https://push.test/a', keys: KEYS }) },
  ],
])('stores %j as an address of its kind', (fields, address) => {
  expect(read(fields)).toEqual(address);
});

it.each([
  [{}, ['address']],
  [{ fcm: { token: 'a' }, webpush: { endpoint: 'https://push.test/a', keys: KEYS } }, ['webpush']],
  [{ fcm: {} }, ['fcm']],
  [{ fcm: { token: 'a', fid: 'b' } }, ['fcm']],
  [{ fcm: null }, ['fcm']],
  [{ fcm: { token: 'fid:a' } }, ['fcm.token']],
  [{ fcm: { token: 'a b' } }, ['fcm.token']],
  [{ fcm: { token: 'a\u0000' } }, ['fcm.token']],
  [{ fcm: { fid: 'a/b' } }, ['fcm.fid']],
  [{ fcm: { token: 'a', x: 1 } }, ['fcm.x']],
  [{ expo: { token: 'ExponentPushToken' } }, ['expo.token']],
  [{ expo: { token: 'ExponentPushToken[a]', fid: 'b' } }, ['expo.fid']],
  [{ apns: { token: 'xyz', environment: 'production' } }, ['apns.token']],
  [{ apns: { token: 'abcdef0123456789', environment: 'test' } }, ['apns.environment']],
  [{ apns: { token: 'abcdef0123456789' } }, ['apns.environment']],
  [{ webpush: 'https://push.test/a' }, ['webpush']],
  [{ webpush: { endpoint: 'http://push.test/a', keys: KEYS } }, ['webpush.endpoint']],
  [{ webpush: { endpoint: 'https://push.test/a' } }, ['webpush.keys']],
  [{ webpush: { endpoint: 'https://push.test/a', keys: { auth: 'a' } } }, ['webpush.keys.p256dh']],
  [{ webpush: { endpoint: `https://push.test/${'ä'.repeat(1000)}`, keys: KEYS } }, ['webpush']],
])('refuses %j, and names the field', (fields, wrong) => {
  expect(read(fields)).toEqual(wrong);
});

it('tells addresses of different kinds apart', () => {
  expect(hashOf({ name: 'fcm', value: 'abcd' })).not.toBe(hashOf({ name: 'apns', value: 'abcd' }));
});

it('finds an address by its whole text, and a subscription by its endpoint', () => {
  expect(patternOf({ name: 'fcm', value: 'a_b%c\\d' })).toBe('a\\_b\\%c\\\\d');
  const value = JSON.stringify({ endpoint: 'https://push.test/a_b', keys: KEYS });
  expect(patternOf({ name: 'webpush', value })).toBe('{"endpoint":"https://push.test/a\\_b"%');
});
