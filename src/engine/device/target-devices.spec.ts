import { expect, it } from '@jest/globals';
import { targetsAmong } from './target-devices.js';
import type { TargetDevice } from './target-devices.js';
import type { DeviceResult } from '../../rules/device/device-result.js';

const device = (id: number, more: Partial<TargetDevice> = {}): TargetDevice => ({
  ...{ id, app: 'com.acme.shop', device: `phone-${id}`, platform: 'ios', name: '', environment: 'production' },
  ...{ problem: null, seenAt: new Date(0), addressId: id, address: `token-${id}`, isSuppressed: false },
  ...more,
});

const result = (id: number, outcome: DeviceResult['outcome']): DeviceResult => ({
  ...{ id, app: 'com.acme.shop', device: `phone-${id}`, platform: 'ios', name: '' },
  ...{ outcome, answer: '', at: '2026-11-01T08:00:00Z' },
});

const FIRST = { attempts: 0, attemptsBefore: 0, deviceResults: null };
const FCM = { addressKind: 'fcm', config: {} } as const;
const APPLE = {
  addressKind: 'apns',
  config: { bundle_id: 'com.acme.shop', environment: 'production' },
} as const;

const idsOf = ({ devices }: ReturnType<typeof targetsAmong>) => devices.map(({ id }) => id);

it('the first attempt goes to all devices that may get messages', () => {
  const own = [device(1), device(2, { problem: '400 bad token' }), device(3, { isSuppressed: true }), device(4)];
  expect(idsOf(targetsAmong(own, FIRST, FCM))).toEqual([1, 4]);
});

it('a retry goes to the devices that failed for now, and to no new one', () => {
  const deviceResults = [result(1, 'sent'), result(2, 'retry'), result(3, 'rejected')];
  const own = [device(1), device(2), device(3), device(4)];
  expect(idsOf(targetsAmong(own, { attempts: 1, attemptsBefore: 0, deviceResults }, FCM))).toEqual([2]);
});

it('a retry by hand, or after a crash, goes to all that did not take it', () => {
  const deviceResults = [result(1, 'sent'), result(2, 'rejected')];
  const own = [device(1), device(2), device(3)];
  expect(idsOf(targetsAmong(own, { attempts: 8, attemptsBefore: 8, deviceResults }, FCM))).toEqual([2, 3]);
});

it('a channel of Apple reaches one app in one environment', () => {
  const own = [device(1), device(2, { environment: 'sandbox' }), device(3, { app: 'com.acme.admin' })];
  expect(idsOf(targetsAmong(own, FIRST, APPLE))).toEqual([1]);
  expect(idsOf(targetsAmong(own, FIRST, { ...APPLE, config: {} }))).toEqual([1, 2, 3]);
});

it.each<[string, TargetDevice[]]>([
  ['the address was deleted', []],
  ['no device of the user belongs to the app and the environment of the channel', [device(1, { app: 'other' })]],
  ['no device of the user takes messages: 400', [device(1, { isSuppressed: true }), device(2, { problem: '400' })]],
  ['every device of the user is suppressed', [device(1, { isSuppressed: true })]],
])('without a device, the reason is: %s', (problem, own) => {
  expect(targetsAmong(own, FIRST, APPLE)).toEqual({ devices: [], problem });
});
