import { Injectable } from '@nestjs/common';
import { encodeLines, encodedLength } from '../../dispatcher/base64-lines.js';
import { FileStore } from './file-store.js';

/** A file as its messages name it. */
interface FileName {
  organizationId: number;
  /** In hexadecimal digits. */
  sha256: string;
  size: number;
}

/** Files that a message uses, encoded for a mail. */
interface Lease {
  contents: Buffer[];
  release(): void;
}

/** The file is not stored any more: no later attempt will find it. */
export class FileGone extends Error {}

interface Entry {
  organizationId: number;
  length: number;
  users: number;
  content: Promise<Buffer>;
}

interface Waiting {
  files: FileName[];
  start: (entries: Entry[]) => void;
}

/** Of all files in memory, those that are in use included. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The files of messages that are being sent, once for each process however many messages carry them: 10 MB to 1,000 recipients take 14 MB. They are kept as
 * base64, which all messages need. A message whose files do not fit waits until others have ended. An organization may use half of the memory, so that a
 * slow mail server of one leaves the other half to others; whoever finds nothing in use always goes.
 */
@Injectable()
export class FileCache {
  /** The least recently used first. */
  private readonly entries = new Map<string, Entry>();
  private readonly waiting: Waiting[] = [];
  /** Bytes in memory. */
  bytes = 0;
  private maxBytes = MAX_BYTES;

  constructor(private readonly store: FileStore) {}

  /** For tests. */
  limitTo(maxBytes: number): void {
    this.maxBytes = maxBytes;
  }

  /** All files of a message together: two messages that each wait for a file of the other would wait forever. */
  async lease(files: FileName[]): Promise<Lease> {
    const entries = await new Promise<Entry[]>((start) => {
      this.waiting.push({ files, start });
      this.startWaiting();
    });
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      for (const entry of entries) entry.users--;
      this.startWaiting();
    };
    try {
      return { contents: await Promise.all(entries.map(({ content }) => content)), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Starts those that fit, in their order. One that its own organization keeps waiting does not stop the others. */
  private startWaiting(): void {
    for (let i = 0; i < this.waiting.length;) {
      const { files, start } = this.waiting[i]!;
      if (!this.fits(files, files[0]?.organizationId)) i++;
      else if (!this.fits(files)) return;
      else {
        this.waiting.splice(i, 1);
        start(files.map((file) => this.use(file)));
      }
    }
  }

  /** Among the files of one organization, or among all. */
  private fits(files: FileName[], organizationId?: number): boolean {
    let inUse = 0;
    for (const entry of this.entries.values())
      if (entry.users > 0 && (organizationId === undefined || entry.organizationId === organizationId))
        inUse += entry.length;
    const more = new Map(files.map((file) => [keyOf(file), encodedLength(file.size)]));
    let bytes = 0;
    for (const [key, length] of more) if (!this.entries.get(key)?.users) bytes += length;
    const most = organizationId === undefined ? this.maxBytes : this.maxBytes / 2;
    return bytes === 0 || inUse === 0 || inUse + bytes <= most;
  }

  private use(file: FileName): Entry {
    const key = keyOf(file);
    const known = this.entries.get(key);
    this.entries.delete(key);
    const { organizationId, size } = file;
    const entry = known ?? { organizationId, length: encodedLength(size), users: 0, content: this.load(file, key) };
    this.entries.set(key, entry);
    entry.users++;
    if (known) return entry;
    this.bytes += entry.length;
    for (const [other, { users, length }] of this.entries) {
      if (this.bytes <= this.maxBytes) break;
      if (users > 0) continue;
      this.entries.delete(other);
      this.bytes -= length;
    }
    return entry;
  }

  private async load({ organizationId, sha256, size }: FileName, key: string): Promise<Buffer> {
    try {
      // Not zeroed, but written completely before it is used.
      const content = Buffer.allocUnsafeSlow(encodedLength(size));
      let end = 0;
      for await (const chunk of this.store.readByHash(organizationId, sha256)) end = encodeLines(chunk, content, end);
      if (end !== content.length) throw new FileGone('an attached file was deleted');
      return content;
    } catch (error) {
      const entry = this.entries.get(key);
      if (entry && this.entries.delete(key)) this.bytes -= entry.length;
      throw error;
    }
  }
}

const keyOf = ({ organizationId, sha256 }: FileName) => `${organizationId} ${sha256}`;
