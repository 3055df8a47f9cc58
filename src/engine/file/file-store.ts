import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { isUniqueViolation } from '../../platform/database/database-error.js';
import {
  ADD_CHUNK,
  BEGIN_FILE,
  DELETE_FILE,
  END_FILE,
  FIND_FILE,
  FIND_HASHES,
  READ_CHUNK,
  USED_BYTES,
} from './file.sql.js';

/** 256 KB, and a multiple of the 57 bytes that make a line of base64 in a mail: each chunk is encoded without looking at others. */
export const CHUNK_BYTES = 57 * 4600;

/** A file whose bytes are written, and that nothing refers to yet. */
export interface WrittenFile {
  id: string;
  size: number;
  sha256: Buffer;
}

/** A source of bytes had more than allowed. */
export class FileTooLarge extends Error {}

/** Stores files in chunks. A file is never in memory as a whole. */
@Injectable()
export class FileStore {
  constructor(private readonly database: Database) {}

  /**
   * Writes the bytes of a source, as fast as the database takes them, then calls `refer` with the file. `refer` adds the row that keeps the
   * file from the purge, and returns the id of the file that it refers to: that of an older file with the same bytes, if there is one. Null: the
   * older file was just deleted.
   */
  async write<Reference extends { fileId: string }>(
    organizationId: number,
    source: AsyncIterable<Buffer>,
    maxBytes: number,
    refer: (file: WrittenFile) => Promise<Reference | null>,
  ): Promise<WrittenFile & { isNew: boolean; reference: Reference }> {
    const id = randomUUID();
    await this.database.query('begin-file', BEGIN_FILE, [id, organizationId]);
    let kept: string | undefined;
    try {
      const file = { id, ...(await this.writeChunks(organizationId, id, source, maxBytes)) };
      const reference = await this.end(file, refer);
      kept = reference.fileId;
      return { ...file, id: kept, isNew: kept === id, reference };
    } finally {
      // What is left after a lost connection, the purge deletes.
      if (kept !== id) await this.database.query('delete-file', DELETE_FILE, [id]).catch(() => undefined);
    }
  }

  private async writeChunks(organizationId: number, id: string, source: AsyncIterable<Buffer>, maxBytes: number) {
    const hash = createHash('sha256');
    let size = 0;
    let position = 0;
    let waiting: Buffer[] = [];
    let length = 0;
    const write = async (bytes: Buffer) => {
      await this.database.query('add-chunk', ADD_CHUNK, [organizationId, id, position++, bytes]);
    };
    for await (const piece of source) {
      size += piece.length;
      if (size > maxBytes) throw new FileTooLarge();
      hash.update(piece);
      waiting.push(piece);
      length += piece.length;
      if (length < CHUNK_BYTES) continue;
      let bytes = Buffer.concat(waiting, length);
      for (; bytes.length >= CHUNK_BYTES; bytes = bytes.subarray(CHUNK_BYTES))
        await write(bytes.subarray(0, CHUNK_BYTES));
      // A copy: the view would keep the whole chunk in memory.
      waiting = [Buffer.from(bytes)];
      length = bytes.length;
    }
    if (length > 0) await write(Buffer.concat(waiting, length));
    return { size, sha256: hash.digest() };
  }

  private async end<Reference>(
    file: WrittenFile,
    refer: (file: WrittenFile) => Promise<Reference | null>,
  ): Promise<Reference> {
    for (let tries = 1; tries <= 3; tries++) {
      try {
        await this.database.query('end-file', END_FILE, [file.id, file.sha256, file.size]);
      } catch (error) {
        // The organization has a file with these bytes: `refer` finds it.
        if (!isUniqueViolation(error)) throw error;
      }
      const reference = await refer(file);
      if (reference !== null) return reference;
    }
    throw new Error('the file was deleted while it was stored');
  }

  /** The chunks of a file in order; fewer than its size says if it was deleted meanwhile. */
  async *read(organizationId: number, id: string): AsyncGenerator<Buffer> {
    for (let position = 0; ; position++) {
      const values = [organizationId, id, position];
      const { rows } = await this.database.query<{ bytes: Buffer }>('read-chunk', READ_CHUNK, values);
      if (!rows[0]) return;
      yield rows[0].bytes;
      if (rows[0].bytes.length < CHUNK_BYTES) return;
    }
  }

  /** The same, by the hash of the bytes in hexadecimal digits. */
  async *readByHash(organizationId: number, sha256: string): AsyncGenerator<Buffer> {
    const values = [organizationId, Buffer.from(sha256, 'hex')];
    const { rows } = await this.database.query<{ id: string }>('find-file', FIND_FILE, values);
    if (rows[0]) yield* this.read(organizationId, rows[0].id);
  }

  /** Those of some hashes, in hexadecimal digits, whose bytes the organization has. */
  async known(organizationId: number, hashes: string[]): Promise<Set<string>> {
    const values = [organizationId, hashes];
    const { rows } = await this.database.query<{ sha256: string }>('find-hashes', FIND_HASHES, values);
    return new Set(rows.map(({ sha256 }) => sha256));
  }

  async usedBytes(organizationId: number): Promise<number> {
    const { rows } = await this.database.query<{ bytes: number }>('used-file-bytes', USED_BYTES, [organizationId]);
    return rows[0]!.bytes;
  }
}
