import {
  ApiExtraModels,
  ApiProperty,
  IntersectionType,
  OmitType,
  PartialType,
  PickType,
  getSchemaPath,
} from '@nestjs/swagger';
import { Allow, ArrayMaxSize, IsArray, IsBoolean, IsObject, IsString, ValidateIf } from 'class-validator';
import { Optional } from '../../platform/field/optional.decorator.js';
import { IsName } from '../../platform/field/slug.js';
import { Per } from '../../platform/database/generated/prisma/enums.js';
import type { RuleTo } from '../../rules/ruleset/rule.js';
import type { ProviderTemplate } from '../../rules/template/rich/provider-template.js';
import { CreateWeeklyRangeDto, WeeklyRangeDto } from '../settings/settings.dto.js';
import { AcknowledgeDto, CreateAcknowledgeDto, CreateStepDto, StepDto } from './step/step.dto.js';
import { MAX_STEPS, MIN_STEPS } from './step/read-steps.js';
import {
  CreateDigestDto,
  CreateNotificationLimitDto,
  DigestDto,
  KEY_OF_CONTEXT,
  NotificationLimitDto,
} from './waiting.dto.js';

/** The largest body of a request: enough for a few templates with HTML. */
export const NOTIFICATION_LIMIT_KB = 1024;

/** The texts of a template in another language. Texts that are left out come from the next language in line, at last from the template. */
export class TranslationDto {
  /** @example 'Bestellung {{ order }} bezahlt' */
  @ApiProperty({ type: String, nullable: true, required: false })
  subject?: string | null;

  /** @example 'Hallo {{ user.first_name }}, danke.' */
  @ApiProperty({ type: String, nullable: true, required: false })
  text?: string | null;

  /**
   * Replaces the `html` or the `markdown` of the template.
   * @example '<p>Hallo {{ user.first_name }}</p>'
   */
  @ApiProperty({ type: String, nullable: true, required: false })
  html?: string | null;

  /**
   * Replaces the `html` or the `markdown` of the template.
   * @example 'Hallo **{{ user.first_name }}**'
   */
  @ApiProperty({ type: String, nullable: true, required: false })
  markdown?: string | null;

  /**
   * Replaces the `html` or the `mjml` of the template.
   * @example '<mjml><mj-body><mj-section><mj-column><mj-text>Hallo</mj-text></mj-column></mj-section></mj-body></mjml>'
   */
  @ApiProperty({ type: String, nullable: true, required: false })
  mjml?: string | null;

  /**
   * Only written, never read: that the translation fits the template as it is now, although only the template has changed. A plan that calls a
   * translation outdated says which text to write here.
   * @example '1f0c52f3a9d8'
   */
  @ApiProperty({ type: String, nullable: true, required: false })
  of?: string | null;
}

/** A link that a message offers as a button. */
export class TemplateActionDto {
  /** @example 'Pay' */
  label: string;

  /**
   * An http or https URL, or a path on the site that shows the message.
   * @example '/orders/{{ order }}/pay'
   */
  url: string;
}

/** A template that the provider has, such as one that Meta approved for WhatsApp. */
export class ProviderTemplateDto {
  /** @example 'order_paid' */
  name: string;

  /** @example 'en_US' */
  language: string;

  /**
   * The values of its parameters: `header` and `body`, each as a list by position or as a map by name, and `buttons`, a list by the position of the
   * button, with null for a button without one. Each is a Liquid text.
   * @example { "body": ["{{ order }}", "{{ total }}"], "buttons": ["orders/{{ order }}"] }
   */
  @ApiProperty({ type: 'object', nullable: true, additionalProperties: true })
  parameters?: ProviderTemplate['parameters'];
}

/** The Liquid templates of a notification for one channel: text, HTML, Markdown or MJML, or text together with one of the others. */
@ApiExtraModels(TranslationDto)
export class TemplateDto {
  /**
   * Slug of a channel of the project or the organization.
   * @example 'mail'
   */
  channel: string;

  /** @example 'Order {{ order }} paid' */
  @ApiProperty({ type: String, nullable: true })
  subject: string | null;

  /** @example 'Hi {{ user.first_name }}, thank you.' */
  @ApiProperty({ type: String, nullable: true })
  text: string | null;

  /**
   * Inserted values are escaped for HTML.
   * @example '<p>Hi {{ user.first_name }}</p>'
   */
  @ApiProperty({ type: String, nullable: true })
  html: string | null;

  /**
   * Markdown, converted to HTML. Use it instead of `html`.
   * @example 'Hi **{{ user.first_name }}**'
   */
  @ApiProperty({ type: String, nullable: true })
  markdown: string | null;

  /**
   * A whole mail in MJML, converted to HTML when it is written. Use it instead of `html`, and without a layout.
   * @example '<mjml><mj-body><mj-section><mj-column><mj-text>Hi</mj-text></mj-column></mj-section></mj-body></mjml>'
   */
  @ApiProperty({ type: String, nullable: true })
  mjml: string | null;

  /**
   * Who sends the message: one mailbox, of the domain of the channel's own `from` or of one of its `from_domains`. Only for e-mail. A message
   * whose rendered sender is of another domain is not sent. Null, or rendered as nothing: the channel's `from`.
   * @example 'Acme Shop <shop@acme.test>'
   */
  @ApiProperty({ type: String, nullable: true })
  from: string | null;

  /**
   * Who gets the answers: one mailbox of any domain. Only for e-mail. Null, or rendered as nothing: the channel's `reply_to`.
   * @example 'orders+{{ order }}@acme.test'
   */
  @ApiProperty({ type: String, nullable: true })
  reply_to: string | null;

  /**
   * More headers of a mail, at most 20: names and Liquid templates. Headers that the service or mail servers write are refused. A header that is
   * rendered as nothing is left out.
   * @example { "X-Campaign": "{{ campaign }}" }
   */
  @ApiProperty({ type: 'object', nullable: true, additionalProperties: { type: 'string' } })
  headers: Readonly<Record<string, string>> | null;

  /**
   * Where a click on the message leads: an http or https URL, or a path on the site that shows it. For inboxes and push
   * messages, as the next three. A rendered URL that is neither is left out, and the delivery says so.
   * @example '/orders/{{ order }}'
   */
  @ApiProperty({ type: String, nullable: true })
  url: string | null;

  /**
   * The https URL of a picture.
   * @example 'https://acme.test/{{ order }}.png'
   */
  @ApiProperty({ type: String, nullable: true })
  image: string | null;

  /** Links that the message offers as buttons, at most two. A label is cut after 80 characters. One without a label or a URL is left out. */
  @ApiProperty({
    type: [TemplateActionDto],
    nullable: true,
    maxItems: 2,
    example: [{ label: 'Pay', url: '/orders/{{ order }}/pay' }],
  })
  actions: readonly TemplateActionDto[] | null;

  /**
   * A JSON object for the app that shows the message, of at most 4,096 bytes, both as it is written and as it is rendered. Its texts are Liquid
   * templates. Keys have letters, digits, `_` and `-`. Push channels take less, and have names that they keep to
   * themselves (`limits` of their type).
   * @example { "order": "{{ order }}" }
   */
  @ApiProperty({ type: 'object', nullable: true, additionalProperties: true })
  data: Readonly<Record<string, unknown>> | null;

  /**
   * The template of WhatsApp that is sent in place of the text: outside 24 hours after a person's last message, WhatsApp takes nothing else. Without
   * a text, the values of its parameters take the place of the text, for lists of messages and for a fallback without a template of its own.
   */
  @ApiProperty({
    type: ProviderTemplateDto,
    nullable: true,
    example: { name: 'order_paid', language: 'en_US', parameters: { body: ['{{ order }}'] } },
  })
  template: ProviderTemplateDto | null;

  /**
   * The texts in other languages, by language tag, at most 50. A user gets the language of their locale (`pt-BR`, then `pt`), else that of the
   * organization's locale, else the texts above. Null: none.
   * @example { "de": { "subject": "Bestellung {{ order }} bezahlt", "text": "Hallo {{ user.first_name }}, danke." } }
   */
  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: { $ref: getSchemaPath(TranslationDto) },
  })
  translations: Readonly<Record<string, TranslationDto>> | null;

  /**
   * The layout around text and HTML: the slug of a layout of the project or the organization, or `default`, which always exists. Null: none.
   * @example 'default'
   */
  @ApiProperty({ type: String, nullable: true })
  layout: string | null;

  /**
   * `room`: one post for everyone. The channel must be one room or one URL, and the template cannot use `user`.
   * `person`: one message for each recipient. Default: `room` if the channel is a room.
   * @example 'person'
   */
  @ApiProperty({ enum: Per })
  per: Per;
}

/** A text of a template that a language lacks, or whose original has changed since it was translated. */
export class TranslationGapDto {
  /**
   * The channel of the template.
   * @example 'mail'
   */
  channel: string;

  /** @example 'de' */
  language: string;

  /** @example 'subject' */
  @ApiProperty({ enum: ['subject', 'text', 'html', 'markdown', 'mjml'] })
  part: string;

  /**
   * `missing`: the text of the next language in line is sent. `outdated`: it is sent as it is.
   * @example 'outdated'
   */
  @ApiProperty({ enum: ['missing', 'outdated'] })
  state: 'missing' | 'outdated';

  /**
   * What to write into `of` of the language if an outdated text still fits; null: it is missing.
   * @example '1f0c52f3a9d8'
   */
  @ApiProperty({ type: String, nullable: true })
  of: string | null;
}

class CreateTemplateDto extends IntersectionType(
  PickType(TemplateDto, ['channel']),
  PartialType(OmitType(TemplateDto, ['channel'])),
) {}

const WEEKDAYS = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' };
const DIGEST = { window: '15m', key: 'topic', max_items: 50, first: 'wait' };
const STEPS = [{ channels: ['app'] }, { after: '10m', unless: 'read', channels: ['mail'] }];
const LIMIT = { count: 3, per: 'hour', then: 'drop' };

const TEMPLATES = [
  { channel: 'mail', subject: 'Order {{ order }} paid', text: 'Hi {{ user.first_name }}, thank you.' },
];
const NO_SENDER = { from: null, reply_to: null, headers: null, translations: null };
const NO_RICH = { url: null, image: null, actions: null, data: null, template: null };
const WHEN = { type: String, nullable: true, example: 'total > `100`' } as const;
const AUDIENCE = {
  type: 'object',
  nullable: true,
  additionalProperties: true,
  example: { field: 'custom_fields.team', is: 'ops' },
} as const;

const TO_CONTEXT = {
  description: 'A JMESPath expression over the context. Its value is a username, or a list of at most 1,000 usernames.',
  type: 'string',
  example: 'customer.email',
};
const TO = {
  oneOf: [
    { type: 'string', enum: ['recipients', 'told'] },
    { type: 'object', required: ['context'], additionalProperties: false, properties: { context: TO_CONTEXT } },
  ],
  nullable: true,
  example: null,
};

/** A notification of an event: when to send which messages to whom. */
export class NotificationDto {
  /** @example 9 */
  @ApiProperty({ type: 'integer' })
  id: number;

  /** @example 'Tell the staff' */
  name: string;

  /** @example true */
  enabled: boolean;

  /** A JMESPath expression over the context; null: it always matches. */
  @ApiProperty(WHEN)
  when: string | null;

  /**
   * Names of distribution lists of the project.
   * @example ['Staff']
   */
  distribution_lists: string[];

  /** A filter over the organization's users, in addition to the lists; null: none. */
  @ApiProperty(AUDIENCE)
  audience: Record<string, unknown> | null;

  /**
   * Whom it means instead of lists and an audience. `recipients`: only the users in `options.recipients` of the trigger. `told`: those who had a message about what the trigger
   * resolves. `context`: the users that the context names. Null: its lists and audience.
   */
  @ApiProperty(TO)
  to: RuleTo | null;

  /** When its messages may be sent, by the recipient's clock; null: always. Posts to rooms do not wait. */
  @ApiProperty({ type: WeeklyRangeDto, nullable: true, example: WEEKDAYS })
  window: WeeklyRangeDto | null;

  /** How its messages to a user are gathered into one; null: each is sent. Posts to rooms are not gathered. */
  @ApiProperty({ type: DigestDto, nullable: true, example: DIGEST })
  digest: DigestDto | null;

  /** The most messages of it for a user; null: no limit. Posts to rooms are not counted. */
  @ApiProperty({ type: NotificationLimitDto, nullable: true, example: LIMIT })
  limit: NotificationLimitDto | null;

  /** Its channels by step; null: all at once. */
  @ApiProperty({ type: [StepDto], nullable: true, example: null })
  steps: StepDto[] | null;

  /** Whose acknowledgement ends its steps for a user, and when it lapses; null: anyone's, and never. */
  @ApiProperty({ type: AcknowledgeDto, nullable: true, example: null })
  acknowledge: AcknowledgeDto | null;

  /**
   * A field of the context, such as `order.id`, that says what a message is about. On a phone and in a browser, the newest message about one thing takes
   * the place of the one before, and messages with the same value are shown together. A message without the field replaces none. Null: none does.
   */
  @ApiProperty({ ...KEY_OF_CONTEXT, nullable: true, example: 'order.id' })
  thread: string | null;

  @ApiProperty({
    type: [TemplateDto],
    example: TEMPLATES.map((given) => ({
      ...given,
      html: null,
      markdown: null,
      mjml: null,
      ...NO_SENDER,
      ...NO_RICH,
      layout: null,
      per: 'person',
    })),
  })
  templates: TemplateDto[];

  /** The texts of its templates that are not translated, or not again since the original has changed. Only read. */
  @ApiProperty({ type: [TranslationGapDto], example: [] })
  translation_gaps: TranslationGapDto[];
}

// `readTo` checks to, `readWaiting` window, digest, limit and thread, `readSteps` steps, `readAcknowledge` acknowledge, as they do for a file.
export class UpdateNotificationDto {
  /**
   * Unique in the event.
   * @example 'Tell the staff'
   */
  @Optional()
  @IsName()
  name?: string;

  /** @example true */
  @Optional()
  @IsBoolean()
  enabled?: boolean;

  /** A JMESPath expression over the context; null: it always matches. */
  @ApiProperty(WHEN)
  @ValidateIf((_, value) => value !== undefined && value !== null)
  @IsString()
  when?: string | null;

  /**
   * Names of distribution lists of the project. They replace the current ones.
   * One is needed, unless there is an audience or `to`, or all templates are posts to rooms.
   * @example ['Staff']
   */
  @Optional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true, message: 'must be a list of names of distribution lists' })
  distribution_lists?: string[];

  /** A filter over the organization's users, in addition to the lists; null: none. */
  @ApiProperty(AUDIENCE)
  @ValidateIf((_, value) => value !== undefined && value !== null)
  @IsObject({ message: 'must be an object' })
  audience?: Record<string, unknown> | null;

  /**
   * Whom it means instead of lists and an audience, which must be empty then. `recipients`: only the users in `options.recipients` of the
   * trigger; a trigger without them is refused. `told`: those who had a message with steps about the thread that the trigger resolves with `resolves_event` or `resolves_thread`. `context`: the users that the context names. Null: its lists and audience.
   */
  @ApiProperty(TO)
  @Allow()
  to?: RuleTo | null;

  /** When its messages may be sent, by the recipient's clock; null: always. Posts to rooms do not wait. */
  @ApiProperty({ type: CreateWeeklyRangeDto, nullable: true, example: WEEKDAYS })
  @Allow()
  window?: CreateWeeklyRangeDto | null;

  /** How its messages to a user are gathered into one; null: each is sent. Posts to rooms are not gathered. */
  @ApiProperty({ type: CreateDigestDto, nullable: true, example: DIGEST })
  @Allow()
  digest?: CreateDigestDto | null;

  /** The most messages of it for a user; null: no limit. Posts to rooms are not counted. */
  @ApiProperty({ type: CreateNotificationLimitDto, nullable: true, example: LIMIT })
  @Allow()
  limit?: CreateNotificationLimitDto | null;

  /**
   * Its channels by step: each later step follows when nothing came of the steps before. Every channel with a template belongs to one step. Null: all
   * at once. Posts to rooms belong into the first step.
   */
  @ApiProperty({ type: [CreateStepDto], nullable: true, minItems: MIN_STEPS, maxItems: MAX_STEPS, example: STEPS })
  @Allow()
  steps?: CreateStepDto[] | null;

  /** Whose acknowledgement ends its steps for a user, and when it lapses; null: anyone's, and never. It needs steps. */
  @ApiProperty({ type: CreateAcknowledgeDto, nullable: true, example: { by: 'anyone', for: '4h' } })
  @Allow()
  acknowledge?: CreateAcknowledgeDto | null;

  /**
   * A field of the context, such as `order.id`, that says what a message is about. On a phone and in a browser, the newest message about one thing takes
   * the place of the one before, and messages with the same value are shown together. A message without the field replaces none. Null: none does.
   */
  @ApiProperty({ ...KEY_OF_CONTEXT, nullable: true, example: 'order.id' })
  @Allow()
  thread?: string | null;

  /** One for each channel. They replace the current ones. */
  @ApiProperty({ type: [CreateTemplateDto], minItems: 1, example: TEMPLATES })
  @Optional()
  @IsArray()
  templates?: CreateTemplateDto[];
}

export class CreateNotificationDto extends OmitType(UpdateNotificationDto, ['name', 'templates']) {
  /**
   * Unique in the event.
   * @example 'Tell the staff'
   */
  @IsName()
  name: string;

  /** One for each channel. */
  @ApiProperty({ type: [CreateTemplateDto], minItems: 1, example: TEMPLATES })
  @IsArray()
  templates: CreateTemplateDto[];
}

export class FlushedDto {
  /**
   * The number of digests that are sent now because of this request. Digests that are being sent already do not count.
   * @example 3
   */
  @ApiProperty({ type: 'integer' })
  digests: number;
}
