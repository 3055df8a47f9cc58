import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import type { Messages } from '../../rules/language/messages.js';

const TEXT = {
  oneOf: [
    { type: 'string' },
    {
      type: 'object',
      description: 'A text for each plural form of `Intl.PluralRules`: `zero`, `one`, `two`, `few`, `many`, `other`.',
      additionalProperties: { type: 'string' },
    },
  ],
};
const MESSAGES = {
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: TEXT },
  example: { de: { 'order.paid': 'Bezahlt', orders: { one: 'eine Bestellung', other: '{count} Bestellungen' } } },
};

/** Texts that the templates of a project share, for the filter `t`. */
export class MessagesDto {
  /** By language tag, then by key. */
  @ApiProperty(MESSAGES as object)
  messages: Messages;
}

export class PutMessagesDto {
  /**
   * By language tag, then by key: at most 50 languages with 2,000 messages of 2,000 characters each, and 1 MB in all. Keys may be nested:
   * `{ "order": { "paid": "Bezahlt" } }` has the key `order.paid`. `{name}` in a text stands for an argument of the filter.
   */
  @ApiProperty({
    ...MESSAGES,
    additionalProperties: { type: 'object', additionalProperties: true },
  } as object)
  @IsObject({ message: 'must be an object' })
  messages: Record<string, unknown>;
}
