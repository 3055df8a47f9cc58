import { ApiProperty } from '@nestjs/swagger';
import type { StoredAttachment } from '../../platform/queue/trigger-options.js';
import { MAX_FILENAME } from '../../engine/file/file-fields.js';

export const MAX_ATTACHMENTS = 20;
export const MAX_CID = 100;
export const MAX_URL = 2000;

/** A file for the messages of an occurrence: exactly one of `content`, `upload` and `url` says where its bytes are. */
export class AttachmentDto {
  /**
   * The name of the file, without a path. It must be given with `content`; otherwise it is that of the upload, or the last part of the URL.
   * @example 'invoice.pdf'
   */
  @ApiProperty({ minLength: 1, maxLength: MAX_FILENAME })
  filename?: string;

  /**
   * With `text/calendar; method=REQUEST`, mail programs show an invitation.
   * @example 'application/pdf'
   */
  content_type?: string;

  /**
   * The bytes as base64. The whole body of a trigger may have 256 KB: upload larger files.
   * @example 'SGVsbG8='
   */
  content?: string;

  /**
   * The id of an upload that has not expired.
   * @example '7d9c5f1e-0a43-4c0e-8f0e-2b1f6f0c9a11'
   */
  @ApiProperty({ format: 'uuid' })
  upload?: string;

  /**
   * The service fetches it once, before the first message, and follows no redirects.
   * @example 'https://files.example.com/invoice.pdf'
   */
  @ApiProperty({ maxLength: MAX_URL })
  url?: string;

  /**
   * With `url`: the hash that its bytes must have. If they have another one, the occurrence fails.
   * @example '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae'
   */
  @ApiProperty({ pattern: '^[0-9a-f]{64}$' })
  sha256?: string;

  /**
   * With it, the file is an inline image: HTML refers to it as `cid:` and this name.
   * @example 'logo'
   */
  @ApiProperty({ minLength: 1, maxLength: MAX_CID })
  cid?: string;
}

/** A file that an occurrence carries. */
export class CarriedFileDto {
  /** @example 'invoice.pdf' */
  filename: string;

  /** @example 'application/pdf' */
  content_type: string;

  /**
   * Bytes; null until the file of a URL was fetched.
   * @example 81920
   */
  @ApiProperty({ type: 'integer', nullable: true })
  size: number | null;

  /** @example '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae' */
  @ApiProperty({ type: String, nullable: true })
  sha256: string | null;

  /**
   * Null: it is not an inline image.
   * @example 'logo'
   */
  @ApiProperty({ type: String, nullable: true })
  cid: string | null;

  /**
   * Where it was fetched, without the query; null: the trigger or an upload had its bytes.
   * @example 'https://files.example.com/invoice.pdf'
   */
  @ApiProperty({ type: String, nullable: true })
  url: string | null;

  static from({ filename, content_type, size, sha256, cid, url }: StoredAttachment): CarriedFileDto {
    const plain = url === undefined ? null : url.replace(/[?#].*$/s, '');
    return { filename, content_type, size: size ?? null, sha256: sha256 ?? null, cid: cid ?? null, url: plain };
  }
}
