import { ApiProperty } from '@nestjs/swagger';
import { TEMPLATE_PARTS } from '../../rules/template/template.js';
import type { JsonSchema } from '../../rules/template/context-schema.js';

/** A condition or a template part that uses a field. */
export class UsedByDto {
  /**
   * The name of the notification. It belongs to another event, if this one ends the steps of that event (`resolves_event`): then `part` is `thread`.
   * @example 'Tell the staff'
   */
  notification: string;

  /**
   * The slug of the template's channel; null for the condition, `to` and `thread`.
   * @example 'mail'
   */
  @ApiProperty({ type: String, nullable: true })
  channel: string | null;

  /** @example 'subject' */
  @ApiProperty({ enum: ['when', 'to', 'thread', ...TEMPLATE_PARTS] })
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

  /** The fields that are used, nested. `x-used-by` lists the parts of notifications that use a field. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { order: FIELD_EXAMPLE } })
  properties?: Record<string, JsonSchema>;

  /**
   * The fields that every context must have.
   * @example ['order']
   */
  required?: string[];

  /** Template parts with too many names to analyse. They are not part of this schema. */
  @ApiProperty({ example: [{ notification: 'Tell the staff', channel: 'mail', part: 'html' }] })
  'x-not-checked'?: UsedByDto[];
}
