import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Allow, IsArray, IsObject, IsString } from 'class-validator';
import { CHECK_LEVELS } from '../../rules/check/check-message.js';
import type { CheckLevel } from '../../rules/check/check-message.js';
import { MAX_FILENAME } from '../../engine/file/file-fields.js';
import { CarriedFileDto, MAX_ATTACHMENTS, MAX_CID } from '../attachment/attachment.dto.js';
import { RenderedRichDto } from '../delivery/rendered-rich.dto.js';
import { UsedLanguageDto } from '../delivery/used-language.dto.js';
import { ProviderTemplateDto, TemplateActionDto, TranslationDto } from '../notification/notification.dto.js';
import { IsOneOf } from '../../platform/field/one-of.js';
import { Optional } from '../../platform/field/optional.decorator.js';
import { PutFragmentDto } from '../layout/layout.dto.js';
import { Per } from '../../platform/database/generated/prisma/enums.js';

/** A file that a message would carry. Its bytes are not needed. */
export class NamedFileDto {
  /** @example 'invoice.pdf' */
  @ApiProperty({ minLength: 1, maxLength: MAX_FILENAME })
  filename: string;

  /**
   * Left out: `application/octet-stream`.
   * @example 'application/pdf'
   */
  content_type?: string;

  /**
   * With it, the file is an inline image.
   * @example 'photo'
   */
  @ApiProperty({ minLength: 1, maxLength: MAX_CID })
  cid?: string;
}

/** A draft of a template, and the channel, user and context to render it with. */
export class PreviewDto {
  /**
   * A Liquid template, like the other parts. The rendered subject is one line.
   * @example 'Order {{ order }} paid'
   */
  @Optional()
  @IsString()
  subject?: string;

  /**
   * Left out: derived from the HTML.
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
   * Markdown, instead of `html`.
   * @example 'Hi **{{ user.first_name }}**'
   */
  @Optional()
  @IsString()
  markdown?: string;

  /**
   * A whole mail in MJML, instead of `html`.
   * @example '<mjml><mj-body><mj-section><mj-column><mj-text>Hi</mj-text></mj-column></mj-section></mj-body></mjml>'
   */
  @Optional()
  @IsString()
  mjml?: string;

  /**
   * The sender of a mail.
   * @example 'Acme Shop <shop@acme.test>'
   */
  @Optional()
  @IsString()
  from?: string;

  /**
   * Who gets the answers to a mail.
   * @example 'orders+{{ order }}@acme.test'
   */
  @Optional()
  @IsString()
  reply_to?: string;

  /**
   * More headers of a mail.
   * @example { "X-Campaign": "{{ campaign }}" }
   */
  @Optional()
  @IsObject()
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  headers?: Record<string, string>;

  /**
   * Where a click on a message in an inbox, or on a push message, leads.
   * @example '/orders/{{ order }}'
   */
  @Optional()
  @IsString()
  url?: string;

  /**
   * The https URL of a picture.
   * @example 'https://acme.test/{{ order }}.png'
   */
  @Optional()
  @IsString()
  image?: string;

  /** Links that the message offers as buttons, at most two. */
  @Allow()
  @ApiProperty({
    type: [TemplateActionDto],
    required: false,
    maxItems: 2,
    example: [{ label: 'Pay', url: '/orders/{{ order }}/pay' }],
  })
  actions?: TemplateActionDto[];

  /**
   * A JSON object for the app that shows the message.
   * @example { "order": "{{ order }}" }
   */
  @Optional()
  @IsObject()
  @ApiProperty({ type: 'object', additionalProperties: true })
  data?: Record<string, unknown>;

  /**
   * The template of WhatsApp that is sent in place of the text.
   * @example { "name": "order_paid", "language": "en_US", "parameters": { "body": ["{{ order }}"] } }
   */
  @Optional()
  @IsObject()
  @ApiProperty({ type: ProviderTemplateDto, required: false })
  template?: ProviderTemplateDto;

  /**
   * The texts in other languages, as on a template of a notification.
   * @example { "de": { "subject": "Bestellung {{ order }} bezahlt" } }
   */
  @Optional()
  @IsObject()
  @ApiProperty({ type: 'object', additionalProperties: { $ref: getSchemaPath(TranslationDto) } })
  translations?: Record<string, TranslationDto>;

  /**
   * Renders it for this locale, as `options.locale` of a trigger does. Left out: the locale of the user, else of the organization.
   * @example 'de-AT'
   */
  @Optional()
  @IsString()
  locale?: string;

  /**
   * The slug of a layout of the project or the organization, or `default`. Left out: none.
   * @example 'default'
   */
  @Optional()
  @IsString()
  layout?: string;

  /** A draft that takes the place of the layout. */
  @Optional()
  @IsObject()
  @ApiProperty({ type: PutFragmentDto, example: { html: '<main>{{ content }}</main>' } })
  layout_draft?: PutFragmentDto;

  /** Drafts that take the place of partials, by slug. */
  @Optional()
  @IsObject()
  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(PutFragmentDto) },
    example: { footer: { html: '<p>{{ organization.name }}</p>' } },
  })
  partial_drafts?: Record<string, PutFragmentDto>;

  /**
   * The slug of a channel of the project or the organization. Left out: a sample channel,
   * `{ slug: 'sample', name: 'Sample', type: 'inbox' }`.
   * @example 'mail'
   */
  @Optional()
  @IsString()
  channel?: string;

  /**
   * As on a template of a notification. `room`: one post for everyone, which has no user. `person`: one message for each recipient.
   * Left out: `room` if the channel is a room.
   * @example 'person'
   */
  @Optional()
  @IsOneOf(Object.values(Per))
  @ApiProperty({ enum: Per })
  per?: Per;

  /**
   * The username of a user. This also requires the permission `user:read`. Left out: a sample user, Sam Sample <sam@example.com>, without
   * custom fields. A post to a room has no user.
   * @example 'ann@example.com'
   */
  @Optional()
  @IsString()
  user?: string;

  /**
   * The context, as in a trigger.
   * @example { "order": "A-17", "total": 120 }
   */
  @Optional()
  @IsObject()
  context?: Record<string, unknown>;

  /**
   * The id of an occurrence of the event, instead of `context`: its context, locale, digest and files are used. This also requires the
   * permission `occurrence:read`.
   * @example '0198c5a7-3a1e-7b0e-8a53-0d5a5f9b2c11'
   */
  @Optional()
  @IsString()
  @ApiProperty({ format: 'uuid' })
  occurrence?: string;

  /** Files that a trigger would attach: templates see them as `occurrence.attachments`. Not together with `occurrence`, and not in a test message. */
  @Optional()
  @IsArray()
  @ApiProperty({
    type: [NamedFileDto],
    maxItems: MAX_ATTACHMENTS,
    example: [{ filename: 'invoice.pdf', content_type: 'application/pdf' }],
  })
  attachments?: NamedFileDto[];
}

/** Something about a message that its author should look at. */
class MessageCheckDto {
  /** @example 'no_alt' */
  id: string;

  /**
   * `error`: recipients get something that is broken. `warning`: some of them do, or it looks bad. `hint`: good to know.
   * @example 'warning'
   */
  @ApiProperty({ enum: CHECK_LEVELS })
  level: CheckLevel;

  /**
   * What is wrong, and what to do.
   * @example 'Use https instead of http for “http://acme.test”.'
   */
  sentence: string;
}

/** The message that would be sent. */
export class PreviewedDto extends RenderedRichDto {
  /** @example 'Order A-17 paid' */
  subject: string;

  /** @example 'Hi Ann, 120 EUR.' */
  text: string;

  /** @example '<p>Hi Ann</p>' */
  html: string;

  /**
   * Fields that the template needs and that have no value; null when the template has too many names to analyse.
   * @example ['order.total', 'items[1].price']
   */
  @ApiProperty({ type: 'array', items: { type: 'string' }, nullable: true })
  missing: string[] | null;

  /**
   * Fields without a value that the template can do without: it only tests them, has a `default` for them or uses them inside a
   * condition. Null when the template has too many names to analyse.
   * @example ['user.custom_fields.team']
   */
  @ApiProperty({ type: 'array', items: { type: 'string' }, nullable: true })
  optional: string[] | null;

  /**
   * The headers of the mail that matter to its reader, with those that the channel adds: `From`, `To`, `Reply-To`, `List-Unsubscribe`. Links
   * in them do not work. Null: the channel does not send mails.
   * @example { "From": "Acme <no-reply@acme.test>", "To": "ann@example.com" }
   */
  @ApiProperty({ type: 'object', nullable: true, additionalProperties: { type: 'string' } })
  head: Record<string, string> | null;

  /**
   * The size of the HTML. Gmail cuts it after 102 KB.
   * @example 11
   */
  @ApiProperty({ type: 'integer' })
  html_bytes: number;

  /** The files of `occurrence`, or those that the body names. */
  @ApiProperty({ type: [CarriedFileDto], example: [] })
  attachments: CarriedFileDto[];

  /** What a mail tool would say about the message. Empty: nothing. */
  @ApiProperty({ type: [MessageCheckDto], example: [] })
  checks: MessageCheckDto[];

  /** Its language, and why; null: the template has no translations. */
  @ApiProperty({ type: UsedLanguageDto, nullable: true, example: null })
  language: UsedLanguageDto | null;
}
