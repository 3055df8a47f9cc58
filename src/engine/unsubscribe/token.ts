import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The user of a link, and the category that it is about; 0: none, the link leads to all choices of the user. */
export interface LinkOwner {
  organizationId: number;
  userId: number;
  categoryId: number;
}

const VERSION = 1;
const KEY_ID_BYTES = 4;
const ID_BYTES = 4;
const MAC_BYTES = 16;
const HEAD_BYTES = 1 + KEY_ID_BYTES + 3 * ID_BYTES;

/** 33 bytes. Their number is divisible by three, so that each token has exactly one text in base64. */
const TOKEN = /^[\w-]{44}$/;

interface TokenKey {
  id: Buffer;
  secret: Buffer;
}

/**
 * Signs and verifies the tokens of unsubscribe links: version, id of the key, organization, user, category, and the first half of an
 * HMAC-SHA256 of all of them. A token stores nothing, never expires, and works any number of times. Its keys are derived from the keys
 * that encrypt secrets: the tokens of the previous one are valid as long as it is set.
 */
export class UnsubscribeTokens {
  private readonly keys: [TokenKey, ...TokenKey[]];

  constructor(secretKey: Buffer, previous: Buffer | null = null) {
    this.keys = [keyFrom(secretKey), ...(previous ? [keyFrom(previous)] : [])];
  }

  sign({ organizationId, userId, categoryId }: LinkOwner): string {
    const [key] = this.keys;
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt8(VERSION);
    key.id.copy(head, 1);
    for (const [i, id] of [organizationId, userId, categoryId].entries()) head.writeUInt32BE(id, placeOf(i));
    return Buffer.concat([head, macOf(key, head)]).toString('base64url');
  }

  /** The owner of a token; null: it is not ours. */
  verify(token: string): LinkOwner | null {
    if (!TOKEN.test(token)) return null;
    const bytes = Buffer.from(token, 'base64url');
    const [head, mac] = [bytes.subarray(0, HEAD_BYTES), bytes.subarray(HEAD_BYTES)];
    const key = this.keys.find(({ id }) => id.equals(head.subarray(1, 1 + KEY_ID_BYTES)));
    if (head[0] !== VERSION || !key || !timingSafeEqual(mac, macOf(key, head))) return null;
    const [organizationId, userId, categoryId] = [0, 1, 2].map((i) => head.readUInt32BE(placeOf(i)));
    return { organizationId: organizationId!, userId: userId!, categoryId: categoryId! };
  }
}

/** The organization that a token names, whoever has signed it; null: it is no token. Only for finding the cell that can verify it. */
export function organizationIn(token: string): number | null {
  return TOKEN.test(token) ? Buffer.from(token, 'base64url').readUInt32BE(placeOf(0)) : null;
}

const placeOf = (id: number) => 1 + KEY_ID_BYTES + id * ID_BYTES;

function keyFrom(secretKey: Buffer): TokenKey {
  const secret = Buffer.from(hkdfSync('sha256', secretKey, '', 'carillon unsubscribe token', 32));
  return { secret, id: createHash('sha256').update(secret).digest().subarray(0, KEY_ID_BYTES) };
}

const macOf = ({ secret }: TokenKey, head: Buffer) =>
  createHmac('sha256', secret).update(head).digest().subarray(0, MAC_BYTES);
