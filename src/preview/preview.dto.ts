import { ApiProperty } from '@nestjs/swagger';
import { IsObject, IsString } from 'class-validator';
import { Optional } from '../field/optional.decorator.js';

/** A draft of a template, and for what and whom it is rendered. */
export class PreviewDto {
  /**
   * Liquid, as are the other parts. It becomes one line.
   * @example 'Order {{ order }} paid'
   */
  @Optional()
  @IsString()
  subject?: string;

  /**
   * Left out: taken from the HTML.
   * @example 'Hi {{ user.first_name }}, {{ total }} EUR.'
   */
  @Optional()
  @IsString()
  text?: string;

  /** @example '<p>Hi {{ user.first_name }}</p>' */
  @Optional()
  @IsString()
  html?: string;

  /**
   * In place of `html`.
   * @example 'Hi **{{ user.first_name }}**'
   */
  @Optional()
  @IsString()
  markdown?: string;

  /**
   * The slug of a channel of the project or the organization. Left out: a sample, `{ slug: 'sample', name: 'Sample', type: 'log' }`.
   * @example 'mail'
   */
  @Optional()
  @IsString()
  channel?: string;

  /**
   * The username of a user, which takes the permission `user:read` too. Left out: a sample, Sam Sample <sam@example.com>, without
   * custom fields.
   * @example 'ann@acme.test'
   */
  @Optional()
  @IsString()
  user?: string;

  /**
   * As a trigger would bring it.
   * @example { "order": "A-17", "total": 120 }
   */
  @Optional()
  @IsObject()
  context?: Record<string, unknown>;
}

/** The message that would be sent. */
export class PreviewedDto {
  /** @example 'Order A-17 paid' */
  subject: string;

  /** @example 'Hi Ann, 120 EUR.' */
  text: string;

  /** @example '<p>Hi Ann</p>' */
  html: string;

  /**
   * What the template needs, and neither the context nor the user has; null when it names too much for it to be looked through.
   * @example ['order.total', 'items[1].price']
   */
  @ApiProperty({ type: 'array', items: { type: 'string' }, nullable: true })
  missing: string[] | null;

  /**
   * What is not there either, but is only tested, has a `default` or is used within a condition.
   * @example ['user.custom_fields.team']
   */
  @ApiProperty({ type: 'array', items: { type: 'string' }, nullable: true })
  optional: string[] | null;
}
