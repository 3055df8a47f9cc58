import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

const idOf = (key: Buffer) => createHash('sha256').update(key).digest('hex').slice(0, 8);

/**
 * Encrypts stored secrets with AES-256-GCM. An encrypted text carries the id of its key and is bound to the place that stores
 * it: `open` refuses a text that was copied to another row, or that needs another key.
 */
export class SecretBox {
  readonly keyId: string;
  private readonly keys: ReadonlyMap<string, Buffer>;

  /** Seals with `key`; opens what either key sealed. */
  constructor(
    private readonly key: Buffer,
    previous: Buffer | null = null,
  ) {
    this.keyId = idOf(key);
    this.keys = new Map([...(previous ? [[idOf(previous), previous] as const] : []), [this.keyId, key]]);
  }

  /** Whether texts that carry this id can be opened. */
  hasKey(keyId: string): boolean {
    return this.keys.has(keyId);
  }

  /** Whether the text was sealed with the current key. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`v1.${this.keyId}.`);
  }

  seal(text: string, place: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, iv).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `v1.${this.keyId}.${sealed.toString('base64url')}`;
  }

  open(sealed: string, place: string): string {
    const [version, keyId, body = ''] = sealed.split('.');
    if (version !== 'v1') throw new Error('the secret has an unknown format: enter it again');
    const key = this.keys.get(keyId ?? '');
    if (!key)
      throw new Error(
        `the secret was encrypted with another SECRET_KEY (id ${keyId}, not ${this.keyId}): restore that key, or enter the secret again`,
      );
    const bytes = Buffer.from(body, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(place));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  }
}
