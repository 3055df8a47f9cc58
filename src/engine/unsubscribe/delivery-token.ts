import { SignedBytes } from '../../platform/secret/signed-bytes.js';

/** The delivery whose message carries a link. */
interface DeliveryOwner {
  organizationId: number;
  /** Its id. */
  delivery: string;
}

const ORGANIZATION_BYTES = 4;
const PAYLOAD_BYTES = ORGANIZATION_BYTES + 8;

/**
 * Signs and verifies the tokens of links that are about a message, for one purpose. The delivery says the user, the occurrence and the step: the link in an
 * SMS stays short. The organization comes first, as in the token of an unsubscribe link: cells find it there.
 */
export class DeliveryTokens {
  private readonly signed: SignedBytes;

  constructor(purpose: string, secretKey: Buffer, previous: Buffer | null) {
    this.signed = new SignedBytes(purpose, PAYLOAD_BYTES, secretKey, previous);
  }

  sign({ organizationId, delivery }: DeliveryOwner): string {
    const payload = Buffer.alloc(PAYLOAD_BYTES);
    payload.writeUInt32BE(organizationId);
    payload.writeBigUInt64BE(BigInt(delivery), ORGANIZATION_BYTES);
    return this.signed.sign(payload);
  }

  /** The owner of a token; null: it is not ours. */
  verify(token: string): DeliveryOwner | null {
    const payload = this.signed.verify(token);
    if (!payload) return null;
    return {
      organizationId: payload.readUInt32BE(),
      delivery: payload.readBigUInt64BE(ORGANIZATION_BYTES).toString(),
    };
  }
}
