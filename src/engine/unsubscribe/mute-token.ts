import { DeliveryTokens } from './delivery-token.js';

/** The tokens of links to mute what a message is about. */
export class MuteTokens extends DeliveryTokens {
  constructor(secretKey: Buffer, previous: Buffer | null = null) {
    super('mute', secretKey, previous);
  }
}
