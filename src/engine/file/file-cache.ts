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

/** The memory for files was in use for too long: a later attempt may find it free. */
export class FilesWait extends Error {}

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

/** Of all files in memory, those that are in use included. A message has at most 30 MB (MOST_MESSAGE_MB): less than half of it. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A message that waits holds a slot of its channel. */
const MAX_WAIT_MS = 30_000;

/**
 * The files of messages that are being sent, once for each process however many messages carry them: 10 MB to 1,000 recipients take 14 MB. They are kept as
 * base64, which all messages need. A message whose files do not fit waits until others have ended, and smaller ones pass it. An organization may use half
 * of the memory, so that a slow mail server of one leaves the other half to others; whoever finds nothing in use always goes.
 */
@Injectable()
export class FileCache {
  /** The least recently used first. */
  private readonly entries = new Map<string, Entry>();
  private readonly waiting: Waiting[] = [];
  /** Bytes in use, of each organization. */
  private readonly inUse = new Map<number, number>();
  private allInUse = 0;
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
    const entries = await this.entriesFor(files);
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      for (const entry of entries) if (--entry.users === 0) this.count(entry, -entry.length);
      this.startWaiting();
    };
    try {
      return { contents: await Promise.all(entries.map(({ content }) => content)), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  private entriesFor(files: FileName[]): Promise<Entry[]> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        files,
        start: (entries) => {
          clearTimeout(timer);
          resolve(entries);
        },
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(new FilesWait('the memory for files was in use by other messages for 30 seconds'));
      }, MAX_WAIT_MS);
      this.waiting.push(waiting);
      this.startWaiting();
    });
  }

  /** Starts all that fit, in their order. One that does not fit stops no others: it could wait for the mail server of another organization. */
  private startWaiting(): void {
    for (let i = 0; i < this.waiting.length;) {
      const { files, start } = this.waiting[i]!;
      if (!this.fits(files)) i++;
      else {
        this.waiting.splice(i, 1);
        start(files.map((file) => this.use(file)));
      }
    }
  }

  /** All files of a message are of one organization. */
  private fits(files: FileName[]): boolean {
    const more = new Map(files.map((file) => [keyOf(file), encodedLength(file.size)]));
    let bytes = 0;
    for (const [key, length] of more) if (!this.entries.get(key)?.users) bytes += length;
    const own = this.inUse.get(files[0]?.organizationId ?? 0) ?? 0;
    const isShare = own === 0 || own + bytes <= this.maxBytes / 2;
    return bytes === 0 || this.allInUse === 0 || (isShare && this.allInUse + bytes <= this.maxBytes);
  }

  private count({ organizationId }: Entry, change: number): void {
    const bytes = (this.inUse.get(organizationId) ?? 0) + change;
    if (bytes === 0) this.inUse.delete(organizationId);
    else this.inUse.set(organizationId, bytes);
    this.allInUse += change;
  }

  private use(file: FileName): Entry {
    const key = keyOf(file);
    const known = this.entries.get(key);
    this.entries.delete(key);
    const { organizationId, size } = file;
    const entry = known ?? { organizationId, length: encodedLength(size), users: 0, content: this.load(file, key) };
    this.entries.set(key, entry);
    if (entry.users++ === 0) this.count(entry, entry.length);
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
