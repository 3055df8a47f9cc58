import type { Suppresses } from '../../dispatcher/dispatcher.js';
import type { AttemptOutcome, DeliveryStatus, Gate } from '../../platform/database/generated/prisma/enums.js';
import type { DeviceResult } from '../../rules/device/device-result.js';
import type { Asked } from '../../rules/step/asked.js';
import type { RenderedMessage } from '../../rules/template/template.js';

/** What is stored of a message besides its texts. In an inbox: also how it is acknowledged, if it asks for that. */
export type StoredRich = NonNullable<RenderedMessage['rich']> & { acknowledge?: Asked };

/** The result of one delivery in one attempt. */
export interface Result {
  id: string;
  /** How many attempts were made before. */
  attempts: number;
  status: DeliveryStatus;
  /** With `skipped`: the gate that stopped it. */
  gate: Gate | null;
  nextAttemptAt: Date | null;
  reason: string | null;
  /** Null when no provider was called. */
  attempt: { at: Date; durationMs: number; outcome: AttemptOutcome; answer: string } | null;
  /** The message and its address; stored when the delivery is finished. */
  message: (RenderedMessage & { recipient: string; rich?: StoredRich }) | null;
  /** Whether the message goes into an inbox. */
  inbox: boolean;
  /** With `dead`: whether the channel's fallback may take over. */
  fallsBack: boolean;
  /** Whether the attempt does not count towards the limit of attempts. */
  isUncounted: boolean;
  /** Whether the message may have arrived although the attempt has failed. */
  mayHaveArrived?: true;
  /** The provider's id of the message that was sent. */
  providerId?: string;
  /** Why the address must not be used again, if the provider said so. */
  suppresses?: Suppresses;
  /** Whether the recipient is the reason of the failure. */
  isAboutRecipient?: true;
  /** What became of the message on each device of the user. Left out: it did not go to devices. */
  devices?: DeviceResult[];
  /** The devices that get nothing more. */
  dropped?: DroppedDevice[];
}

/** A device that gets nothing more, unless it was registered after `seenAt`. */
export interface DroppedDevice {
  address: number;
  value: string;
  /** The words of its provider. Null: the device is gone, and removed. */
  problem: string | null;
  seenAt: Date;
}

const NOTHING = {
  nextAttemptAt: null,
  attempt: null,
  message: null,
  inbox: false,
  fallsBack: false,
  isUncounted: false,
};

/** A delivery that is dead without an attempt: no retry can solve its problem. */
export function undeliverable(id: string, attempts: number, reason: string): Result {
  return { ...NOTHING, id, attempts, status: 'dead', gate: null, reason };
}

/** A delivery that waited too long for a failing channel. */
export function gaveUpWaiting(id: string, attempts: number, reason: string): Result {
  return { ...undeliverable(id, attempts, reason), fallsBack: true };
}

/** A delivery that a gate stopped after its creation: the user is locked now, or the occurrence has expired. */
export function skipped(id: string, attempts: number, gate: Gate): Result {
  return { ...NOTHING, id, attempts, status: 'skipped', gate, reason: null };
}

/** The rows of a delivery and of its attempt, with their indexes. */
const ROW_BYTES = 300;

/** How much a result adds to what its organization stores, about. */
export function storedBytes({ message, inbox, devices }: Result): number {
  if (!message) return ROW_BYTES;
  const { recipient, subject, text, html, sender, rich } = message;
  const senderLength = sender ? JSON.stringify(sender).length : 0;
  const length = subject.length + text.length + html.length + (rich ? JSON.stringify(rich).length : 0);
  const onDevices = devices ? JSON.stringify(devices).length : 0;
  return ROW_BYTES + onDevices + recipient.length + senderLength + (inbox ? 2 : 1) * length;
}
