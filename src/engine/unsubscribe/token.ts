import { PAYLOAD_AT, SignedBytes } from '../../platform/secret/signed-bytes.js';

/** The user of a link, and the category that it is about; 0: none, the link leads to all choices of the user. */
export interface LinkOwner {
  organizationId: number;
  userId: number;
  categoryId: number;
}

const ID_BYTES = 4;

/** 33 bytes. */
const TOKEN = /^[\w-]{44}$/;

/** Signs and verifies the tokens of unsubscribe links. A token never expires, and works any number of times. */
export class UnsubscribeTokens {
  private readonly signed: SignedBytes;

  constructor(secretKey: Buffer, previous: Buffer | null = null) {
    this.signed = new SignedBytes('unsubscribe', 3 * ID_BYTES, secretKey, previous);
  }

  sign({ organizationId, userId, categoryId }: LinkOwner): string {
    const payload = Buffer.alloc(3 * ID_BYTES);
    for (const [i, id] of [organizationId, userId, categoryId].entries()) payload.writeUInt32BE(id, i * ID_BYTES);
    return this.signed.sign(payload);
  }

  /** The owner of a token; null: it is not ours. */
  verify(token: string): LinkOwner | null {
    const payload = this.signed.verify(token);
    if (!payload) return null;
    const [organizationId, userId, categoryId] = [0, 1, 2].map((i) => payload.readUInt32BE(i * ID_BYTES));
    return { organizationId: organizationId!, userId: userId!, categoryId: categoryId! };
  }
}

/** The organization that a token names, whoever has signed it; null: it is no token. Only for finding the cell that can verify it. */
export function organizationIn(token: string): number | null {
  return TOKEN.test(token) ? Buffer.from(token, 'base64url').readUInt32BE(PAYLOAD_AT) : null;
}
