import { DeliveryTokens } from '../unsubscribe/delivery-token.js';

/** The tokens of links to acknowledge. */
export class AcknowledgeTokens extends DeliveryTokens {
  constructor(secretKey: Buffer, previous: Buffer | null = null) {
    super('acknowledge', secretKey, previous);
  }
}
