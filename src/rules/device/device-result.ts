/** Kinds of addresses that devices have. A message over a channel that needs one goes to all devices of its user. */
export const DEVICE_KINDS = ['fcm', 'apns', 'expo', 'webpush'] as const;
export type DeviceKind = (typeof DEVICE_KINDS)[number];

export const isDeviceKind = (kind: string | null): kind is DeviceKind =>
  (DEVICE_KINDS as readonly (string | null)[]).includes(kind);

/**
 * What became of a message on one device. `gone`: its provider has no such device any more, and it was removed from the devices of the user;
 * `set_aside`: its provider refuses the device, which gets nothing until its app registers it again; `rejected`: its provider refuses this message.
 */
export const DEVICE_OUTCOMES = ['sent', 'retry', 'gone', 'set_aside', 'rejected'] as const;
export type DeviceOutcome = (typeof DEVICE_OUTCOMES)[number];

/** What became of a message on one device, as it is stored with the delivery. */
export interface DeviceResult {
  id: number;
  app: string;
  device: string;
  platform: string;
  name: string;
  outcome: DeviceOutcome;
  /** The provider's words. */
  answer: string;
  at: string;
}

/** Whether a device took the message: then it is sent, whatever becomes of it on the others. */
export const isTaken = (results: readonly DeviceResult[] | null | undefined): boolean =>
  results?.some(({ outcome }) => outcome === 'sent') ?? false;
