import { ApiProperty } from '@nestjs/swagger';

export interface AuditEntryRow {
  id: string;
  at: Date;
  keyId: number | null;
  actor: string;
  requestId: string | null;
  verb: string;
  noun: string;
  name: string | null;
  count: number;
  changes: Record<string, [before: unknown, after: unknown]> | null;
}

/** One change that someone made, or many of one kind together. */
export class AuditEntryDto {
  /** @example 31 */
  @ApiProperty({ type: 'integer' })
  id: number;

  /** @example '2030-01-01T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  at: string;

  /**
   * Id of the API key; null: it was done at the machine.
   * @example 12
   */
  @ApiProperty({ type: 'integer', nullable: true })
  key: number | null;

  /**
   * The name of the key, the command, or the user of the database.
   * @example 'ci'
   */
  actor: string;

  /**
   * The `X-Request-Id` of the request, if it was one.
   * @example '0b6f1c1e-6a53-4a33-8a43-8b1a9f1c7d55'
   */
  @ApiProperty({ type: String, nullable: true })
  request_id: string | null;

  /**
   * `create`, `update` or `delete`; of an occurrence what was done to it.
   * @example 'update'
   */
  verb: string;

  /** @example 'channel' */
  noun: string;

  /**
   * Its path in the organization; null for many together.
   * @example 'shop/mail'
   */
  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  /**
   * How many were changed together: more than twenty make one entry.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  count: number;

  /**
   * By field what it was before and after. Of a secret only that it changed.
   * @example { "config.host": ["mail1.acme.test", "mail2.acme.test"], "config.password": ["***", "***"] }
   */
  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: { type: 'array', items: {}, minItems: 2, maxItems: 2 },
  })
  changes: Record<string, unknown[]> | null;

  static from({ id, at, keyId, requestId, ...row }: AuditEntryRow): AuditEntryDto {
    const { actor, verb, noun, name, count, changes } = row;
    const who = { key: keyId, actor, request_id: requestId };
    return { id: Number(id), at: at.toISOString(), ...who, verb, noun, name, count, changes };
  }
}
