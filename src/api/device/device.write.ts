import type { Transaction } from '../../platform/database/transaction.js';
import { notFound } from '../../platform/http/problem.js';
import { KEEP_USER } from '../user/user-write.sql.js';
import {
  ADDRESS_OF_BROWSER,
  ADDRESS_OF_DEVICE,
  ADD_ADDRESS,
  CHANGE_ADDRESS,
  DELETE_ADDRESS,
  LIFT_REFUSAL,
  LOCK_DEVICES,
  OWN_ADDRESS,
  PUT_DEVICE,
  REFRESH_DEVICE,
  RELEASE_DEVICE,
  REPLACE_DEVICE,
} from './device.sql.js';
import { hashOf, patternOf } from './push-address.js';
import { ADDED_BROWSER } from './read-device.js';
import type { DeviceFields, DeviceIdentity } from './read-device.js';

/** The most devices of a user. */
const MAX_DEVICES = 20;

interface DeviceOwner {
  organizationId: number;
  userId: number;
}

type Found = { id: number }[];

/** Registers a device for a user, and takes it from any other user of the organization. */
export async function putDevice(
  tx: Transaction,
  { organizationId, userId }: DeviceOwner,
  { app, device }: DeviceIdentity,
  { address, ...fields }: DeviceFields,
): Promise<void> {
  const { platform, environment, name, locale, timeZone, appVersion } = fields;
  const identity = [organizationId, userId, app, device];
  const columns = [...identity, hashOf(address), platform, environment, name, locale, timeZone, appVersion];
  const seen = await tx.$queryRawUnsafe<Found>(REFRESH_DEVICE, ...columns);
  if (seen.length === 0) {
    await tx.$executeRawUnsafe(LOCK_DEVICES, organizationId);
    const user = await tx.$queryRawUnsafe<unknown[]>(KEEP_USER, userId, organizationId);
    if (user.length === 0) throw notFound('user');
    const named = [...identity, address.name, patternOf(address)];
    const [own] = await tx.$queryRawUnsafe<Found>(OWN_ADDRESS, ...named);
    await tx.$executeRawUnsafe(RELEASE_DEVICE, ...named, own?.id ?? null, MAX_DEVICES - 1);
    const { name: kind, value } = address;
    if (own) {
      await tx.$executeRawUnsafe(REPLACE_DEVICE, organizationId, app, device, own.id);
      await tx.$executeRawUnsafe(CHANGE_ADDRESS, own.id, kind, value);
    }
    const [row] = own ? [own] : await tx.$queryRawUnsafe<Found>(ADD_ADDRESS, organizationId, userId, kind, value);
    await tx.$executeRawUnsafe(PUT_DEVICE, ...columns, row!.id);
  }
  await tx.$executeRawUnsafe(LIFT_REFUSAL, organizationId, address.name, address.value);
}

/** Whether there was such a device. Its address goes, and so it does. */
export async function removeDevice(
  tx: Transaction,
  { organizationId, userId }: DeviceOwner,
  { app, device }: DeviceIdentity,
): Promise<boolean> {
  const owner = [userId, organizationId];
  const found =
    app === ADDED_BROWSER
      ? tx.$queryRawUnsafe<Found>(ADDRESS_OF_BROWSER, ...owner, device)
      : tx.$queryRawUnsafe<Found>(ADDRESS_OF_DEVICE, ...owner, app, device);
  const [address] = await found;
  return address !== undefined && (await tx.$executeRawUnsafe(DELETE_ADDRESS, address.id, organizationId)) > 0;
}
