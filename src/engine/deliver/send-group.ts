import type { MessageRecipient } from '../../rules/ruleset/message.js';
import type { Targets } from '../device/target-devices.js';
import type { Outcomes } from '../outcome/outcomes.js';
import type { Chunk } from './chunk.js';
import type { DeliveryWatch } from './delivery-watch.js';

/** The part of a chunk that is being sent. */
export interface SendGroup {
  chunk: Chunk;
  /** Where the results of its messages are written. */
  outcomes: Outcomes;
  watch: DeliveryWatch;
  isCritical: boolean;
  /** It was canceled or switched off: its other messages are not sent now. */
  isStopped: boolean;
  /** How many of its deliveries are finished and written. */
  settled: number;
}

/** A delivery of a part. */
export interface PartDelivery {
  part: SendGroup;
  recipient: MessageRecipient;
  /** The devices that it goes to. Left out: to the address of the recipient. */
  targets?: Targets;
}
