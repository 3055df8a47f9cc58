import { SignedBytes } from '../../platform/secret/signed-bytes.js';

/** A file of an occurrence. */
interface LinkedFile {
  occurrence: string;
  position: number;
}

const DAYS = 30;
const DAY_SECONDS = 86_400;
const UUID_BYTES = 16;
/** Occurrence, position, and the time of expiry in seconds. */
const PAYLOAD_BYTES = UUID_BYTES + 1 + 4;

/** Links to the files of messages, for channels that carry no files. Whoever has a link gets the file, until the link expires. */
export class FileLinks {
  private readonly signed: SignedBytes;

  constructor(
    private readonly linksUrl: string | null,
    secretKey: Buffer,
    previous: Buffer | null,
  ) {
    this.signed = new SignedBytes('file', PAYLOAD_BYTES, secretKey, previous);
  }

  /** Null without a public URL. Links that are made on the same day are equal. */
  for(organization: string, { occurrence, position }: LinkedFile, now = Date.now()): string | null {
    if (this.linksUrl === null) return null;
    const payload = Buffer.alloc(PAYLOAD_BYTES);
    payload.write(occurrence.replaceAll('-', ''), 'hex');
    payload.writeUInt8(position, UUID_BYTES);
    payload.writeUInt32BE((Math.ceil(now / 1000 / DAY_SECONDS) + DAYS) * DAY_SECONDS, UUID_BYTES + 1);
    return `${this.linksUrl}/files/${organization}/${this.signed.sign(payload)}`;
  }

  /** For a message that is only shown: a real link would give the file to anybody who sees the message. */
  sample(organization: string): string | null {
    return this.linksUrl === null ? null : `${this.linksUrl}/files/${organization}/sample`;
  }

  /** The file of a token; null: it is not ours, or it has expired. */
  verify(token: string, now = Date.now()): LinkedFile | null {
    const payload = this.signed.verify(token);
    if (!payload || payload.readUInt32BE(UUID_BYTES + 1) * 1000 <= now) return null;
    const hex = payload.toString('hex', 0, UUID_BYTES);
    return {
      occurrence: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
      position: payload.readUInt8(UUID_BYTES),
    };
  }
}
