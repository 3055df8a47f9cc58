import { ApiProperty } from '@nestjs/swagger';
import type { JsonSchema } from '../template/context-schema.js';

/** What looks at a field. */
export class UsedByDto {
  /**
   * The name of the notification.
   * @example 'Tell the staff'
   */
  notification: string;

  /**
   * The slug of the channel whose template it is; null when it is the condition.
   * @example 'mail'
   */
  @ApiProperty({ type: String, nullable: true })
  channel: string | null;

  /** @example 'subject' */
  @ApiProperty({ enum: ['when', 'subject', 'text', 'html', 'markdown'] })
  part: string;
}

const USED_BY = [{ notification: 'Tell the staff', channel: 'mail', part: 'subject' }];
const FIELD_EXAMPLE = { type: ['array', 'boolean', 'number', 'object', 'string'], 'x-used-by': USED_BY };

/** A JSON Schema (draft 2020-12) of a trigger's context. */
export class ContextSchemaDto {
  /** @example 'https://json-schema.org/draft/2020-12/schema' */
  $schema?: string;

  /** @example 'object' */
  @ApiProperty({ type: String })
  type?: JsonSchema['type'];

  /** The fields that are looked at, nested; `x-used-by` of each lists what looks at it. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { order: FIELD_EXAMPLE } })
  properties?: Record<string, JsonSchema>;

  /**
   * Those of them that no context may lack.
   * @example ['order']
   */
  required?: string[];

  /** Parts of templates that name too much for them to be looked through. */
  @ApiProperty({ example: [{ notification: 'Tell the staff', channel: 'mail', part: 'html' }] })
  'x-not-checked'?: UsedByDto[];
}
