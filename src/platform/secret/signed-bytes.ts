import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const VERSION = 1;
const KEY_ID_BYTES = 4;
const MAC_BYTES = 16;
/** Where the payload of a token begins. */
export const PAYLOAD_AT = 1 + KEY_ID_BYTES;

interface TokenKey {
  id: Buffer;
  secret: Buffer;
}

/**
 * Signs a few bytes for a link: version, id of the key, the bytes, and the first half of an HMAC-SHA256 of all of them. Nothing is stored. Its keys are
 * derived from the keys that encrypt secrets, for one purpose each: tokens of the previous key are valid as long as it is set. The length of a token should
 * be divisible by three, so that it has exactly one text in base64.
 */
export class SignedBytes {
  private readonly keys: [TokenKey, ...TokenKey[]];
  private readonly pattern: RegExp;

  constructor(purpose: string, payloadBytes: number, secretKey: Buffer, previous: Buffer | null = null) {
    this.keys = [keyFrom(purpose, secretKey), ...(previous ? [keyFrom(purpose, previous)] : [])];
    this.pattern = new RegExp(`^[\\w-]{${((PAYLOAD_AT + payloadBytes + MAC_BYTES) / 3) * 4}}$`);
  }

  sign(payload: Buffer): string {
    const [key] = this.keys;
    const head = Buffer.concat([Buffer.of(VERSION), key.id, payload]);
    return Buffer.concat([head, macOf(key, head)]).toString('base64url');
  }

  /** The payload of a token; null: it is not ours. */
  verify(token: string): Buffer | null {
    if (!this.pattern.test(token)) return null;
    const bytes = Buffer.from(token, 'base64url');
    const [head, mac] = [bytes.subarray(0, -MAC_BYTES), bytes.subarray(-MAC_BYTES)];
    const key = this.keys.find(({ id }) => id.equals(head.subarray(1, PAYLOAD_AT)));
    if (head[0] !== VERSION || !key || !timingSafeEqual(mac, macOf(key, head))) return null;
    return head.subarray(PAYLOAD_AT);
  }
}

/** A key for one purpose. It does not reveal the key that encrypts secrets. */
export const derivedKey = (purpose: string, secretKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', `carillon ${purpose} token`, 32));

function keyFrom(purpose: string, secretKey: Buffer): TokenKey {
  const secret = derivedKey(purpose, secretKey);
  return { secret, id: createHash('sha256').update(secret).digest().subarray(0, KEY_ID_BYTES) };
}

const macOf = ({ secret }: TokenKey, head: Buffer) =>
  createHmac('sha256', secret).update(head).digest().subarray(0, MAC_BYTES);
