import type { ChannelConfig } from '../../dispatcher/dispatcher.js';
import type { Database } from '../../platform/database/database.js';
import { isDeviceKind } from '../../rules/device/device-result.js';
import type { DeviceKind } from '../../rules/device/device-result.js';
import type { MessageRecipient } from '../../rules/ruleset/message.js';
import { ROOM } from '../../rules/ruleset/rule.js';
import { LOAD_DEVICES } from './devices.sql.js';

/** A device of a user as of now. */
export interface TargetDevice {
  id: number;
  app: string;
  device: string;
  platform: string;
  name: string;
  environment: string | null;
  /** The words of the provider that refused it; null: it gets messages. */
  problem: string | null;
  seenAt: Date;
  addressId: number;
  address: string;
  isSuppressed: boolean;
}

/** The devices that a message goes to in this attempt; none: the reason. */
export interface Targets {
  devices: TargetDevice[];
  problem: string;
}

/** A message to a user who may have devices. */
interface Addressee {
  recipient: MessageRecipient;
  /** The project of the event, whose suppressions count. */
  projectId: number;
}

/** The channel that reaches the devices. */
interface Reach {
  organizationId: number;
  addressKind: string | null;
  config: ChannelConfig;
}

/**
 * The devices that each of some messages goes to now, in the same order. Undefined: to the address of the user, as over every other channel. One statement
 * for all of them, and none for addresses that no device has.
 */
export async function loadTargets(
  database: Database,
  { organizationId, addressKind, config }: Reach,
  addressees: Addressee[],
): Promise<(Targets | undefined)[]> {
  if (!isDeviceKind(addressKind)) return [];
  const places = addressees.flatMap(({ recipient }, place) => (mayHaveDevices(recipient) ? [place] : []));
  if (places.length === 0) return [];
  const users = places.map((place) => ({
    user: addressees[place]!.recipient.userId,
    project: addressees[place]!.projectId,
  }));
  const { rows } = await database.query<TargetDevice & { place: number }>('load-devices', LOAD_DEVICES, [
    JSON.stringify(users),
    organizationId,
    addressKind,
  ]);
  const targets: (Targets | undefined)[] = [];
  for (const [i, place] of places.entries()) {
    const own = rows.filter((row) => row.place === i + 1);
    const { recipient } = addressees[place]!;
    if (own.length > 0 || recipient.isDevice) targets[place] = targetsAmong(own, recipient, { addressKind, config });
  }
  return targets;
}

/** An address that is gone may have been that of one of several devices. */
const mayHaveDevices = ({ userId, address, isDevice }: MessageRecipient): boolean =>
  userId !== ROOM && (isDevice === true || address === null);

/** Those of a user's devices that a message goes to: none that took it, and after an attempt only those that failed for now. */
export function targetsAmong(
  own: TargetDevice[],
  { attempts, attemptsBefore, deviceResults }: Pick<MessageRecipient, 'attempts' | 'attemptsBefore' | 'deviceResults'>,
  channel: { addressKind: DeviceKind; config: ChannelConfig },
): Targets {
  const before = new Map((deviceResults ?? []).map(({ id, outcome }) => [id, outcome]));
  const isRetry = attempts > attemptsBefore && before.size > 0;
  const open = own.filter(({ id }) => (isRetry ? before.get(id) === 'retry' : before.get(id) !== 'sent'));
  const fitting = open.filter((device) => fits(device, channel));
  const devices = fitting.filter(({ problem, isSuppressed }) => problem === null && !isSuppressed);
  return { devices, problem: devices.length > 0 ? '' : problemWith(open, fitting) };
}

function problemWith(open: TargetDevice[], fitting: TargetDevice[]): string {
  if (open.length === 0) return 'the address was deleted';
  if (fitting.length === 0) return 'no device of the user belongs to the app and the environment of the channel';
  const refused = fitting.find(({ problem }) => problem !== null);
  return refused
    ? `no device of the user takes messages: ${refused.problem}`
    : 'every device of the user is suppressed';
}

/** A channel of Apple reaches one app in one environment. */
function fits(
  { app, environment }: TargetDevice,
  { addressKind, config }: { addressKind: DeviceKind; config: ChannelConfig },
): boolean {
  if (addressKind !== 'apns') return true;
  const { bundle_id: bundle = app, environment: needed = environment } = config;
  return app === bundle && (environment === null || environment === needed);
}
