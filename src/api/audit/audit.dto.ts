import { ApiProperty } from '@nestjs/swagger';

export interface AuditEntryRow {
  id: string;
  at: Date;
  keyId: number | null;
  actor: string;
  requestId: string | null;
  address: string | null;
  verb: string;
  noun: string;
  name: string | null;
  count: number;
  changes: Record<string, [before: unknown, after: unknown]> | null;
}

/** One change, or many changes of the same kind. */
export class AuditEntryDto {
  /** @example 31 */
  @ApiProperty({ type: 'integer' })
  id: number;

  /** @example '2030-01-01T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  at: string;

  /**
   * Id of the API key; for a session, of the key that somebody signed in with, or of the session of an operator. Null: the change was made with the command line or in the database.
   * @example 12
   */
  @ApiProperty({ type: 'integer', nullable: true })
  key: number | null;

  /**
   * Name of the API key, of the operator who signed in, of the command, or of the database user. `unsubscribe link` and `preference page`: the recipient. `answer of a provider`: a
   * delivery.
   * @example 'ci'
   */
  actor: string;

  /**
   * The `X-Request-Id` of the request. Null: the change was not made by a request.
   * @example '0b6f1c1e-6a53-4a33-8a43-8b1a9f1c7d55'
   */
  @ApiProperty({ type: String, nullable: true })
  request_id: string | null;

  /**
   * IP address of the client. Null: the change was made with the command line or in the database; `actor` says which.
   * @example '203.0.113.9'
   */
  @ApiProperty({ type: String, nullable: true })
  address: string | null;

  /**
   * `create`, `update` or `delete`. For an occurrence, the action, such as `cancel`.
   * @example 'update'
   */
  verb: string;

  /** @example 'channel' */
  noun: string;

  /**
   * Path of the changed resource in the organization. Null if the entry stands for many resources. A deleted user appears as `[user 17]`.
   * @example 'shop/mail'
   */
  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  /**
   * Number of changed resources. More than twenty at once make one entry.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  count: number;

  /**
   * Old and new value of each changed field. The values of a secret are masked. Those of a deleted user are `[redacted]`.
   * @example { "config.host": ["mail1.example.com", "mail2.example.com"], "config.password": ["***", "***"] }
   */
  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: { type: 'array', items: {}, minItems: 2, maxItems: 2 },
  })
  changes: Record<string, unknown[]> | null;

  static from({ id, at, keyId, requestId, ...row }: AuditEntryRow): AuditEntryDto {
    const { actor, address, verb, noun, name, count, changes } = row;
    const who = { key: keyId, actor, request_id: requestId, address };
    return { id: Number(id), at: at.toISOString(), ...who, verb, noun, name, count, changes };
  }
}
