import { SignedBytes } from '../../platform/secret/signed-bytes.js';

/** The delivery whose message carries a link to acknowledge. */
export interface AcknowledgeOwner {
  organizationId: number;
  /** Its id. */
  delivery: string;
}

const ORGANIZATION_BYTES = 4;
const PAYLOAD_BYTES = ORGANIZATION_BYTES + 8;

/**
 * Signs and verifies the tokens of links to acknowledge. The delivery says the user, the occurrence and the step: the link in an SMS stays short. The
 * organization comes first, as in the token of an unsubscribe link: cells find it there.
 */
export class AcknowledgeTokens {
  private readonly signed: SignedBytes;

  constructor(secretKey: Buffer, previous: Buffer | null = null) {
    this.signed = new SignedBytes('acknowledge', PAYLOAD_BYTES, secretKey, previous);
  }

  sign({ organizationId, delivery }: AcknowledgeOwner): string {
    const payload = Buffer.alloc(PAYLOAD_BYTES);
    payload.writeUInt32BE(organizationId);
    payload.writeBigUInt64BE(BigInt(delivery), ORGANIZATION_BYTES);
    return this.signed.sign(payload);
  }

  /** The owner of a token; null: it is not ours. */
  verify(token: string): AcknowledgeOwner | null {
    const payload = this.signed.verify(token);
    if (!payload) return null;
    return {
      organizationId: payload.readUInt32BE(),
      delivery: payload.readBigUInt64BE(ORGANIZATION_BYTES).toString(),
    };
  }
}
