import { ApiProperty } from '@nestjs/swagger';

interface UploadRow {
  id: string;
  filename: string;
  contentType: string;
  createdAt: Date;
  expiresAt: Date;
  file: { size: number; sha256: Uint8Array | null };
}

/** A file that triggers may attach. */
export class UploadDto {
  /** @example '7d9c5f1e-0a43-4c0e-8f0e-2b1f6f0c9a11' */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** @example 'invoice.pdf' */
  filename: string;

  /** @example 'application/pdf' */
  content_type: string;

  /**
   * Bytes.
   * @example 81920
   */
  @ApiProperty({ type: 'integer' })
  size: number;

  /**
   * The hash of the bytes. Uploads with the same bytes are stored once.
   * @example '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae'
   */
  sha256: string;

  /** @example '2030-01-01T07:55:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /**
   * Until then, triggers may attach it. Occurrences that carry it keep its bytes until they are deleted.
   * @example '2030-01-08T07:55:00.000Z'
   */
  @ApiProperty({ format: 'date-time' })
  expires_at: string;

  static from({ id, filename, contentType, createdAt, expiresAt, file }: UploadRow): UploadDto {
    return {
      id,
      filename,
      content_type: contentType,
      size: file.size,
      sha256: Buffer.from(file.sha256 ?? []).toString('hex'),
      created_at: createdAt.toISOString(),
      expires_at: expiresAt.toISOString(),
    };
  }
}
