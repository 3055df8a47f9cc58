import { ApiProperty } from '@nestjs/swagger';
import type { MessageSender, RichMessage } from '../../dispatcher/dispatcher.js';
import { RenderedSenderDto, shownSender } from './rendered-sender.dto.js';

/** A link that a message offers as a button. */
export class MessageActionDto {
  /** @example 'Track the parcel' */
  label: string;

  /**
   * An http or https URL, or a path on the site that shows the message.
   * @example '/orders/A-17/parcel'
   */
  url: string;
}

/** A template of the provider that is sent in place of the text. */
class RenderedTemplateDto {
  /** @example 'order_paid' */
  name: string;

  /** @example 'en_US' */
  language: string;

  /**
   * The values of its parameters, by part; null: it has none.
   * @example { "body": ["A-17", "120 EUR"], "buttons": ["orders/A-17"] }
   */
  @ApiProperty({ type: 'object', nullable: true, additionalProperties: true })
  parameters: NonNullable<RichMessage['template']>['parameters'];
}

/** What a message has besides its text, as its template has set it. */
export class RenderedRichDto extends RenderedSenderDto {
  /**
   * Where a click on the message leads; null: the template sets nothing.
   * @example '/orders/A-17'
   */
  @ApiProperty({ type: String, nullable: true })
  url: string | null;

  /**
   * The URL of a picture; null: none.
   * @example 'https://acme.test/parcel.png'
   */
  @ApiProperty({ type: String, nullable: true })
  image: string | null;

  /** Its buttons; null: none. */
  @ApiProperty({ type: [MessageActionDto], nullable: true, example: [{ label: 'Pay', url: '/orders/A-17/pay' }] })
  actions: readonly MessageActionDto[] | null;

  /**
   * For the app that shows the message; null: none.
   * @example { "order": "A-17" }
   */
  @ApiProperty({ type: 'object', nullable: true, additionalProperties: true })
  data: Readonly<Record<string, unknown>> | null;

  /** The template of the provider that is sent in place of the text; null: none. */
  @ApiProperty({
    type: RenderedTemplateDto,
    nullable: true,
    example: { name: 'order_paid', language: 'en_US', parameters: { body: ['A-17'] } },
  })
  template: RenderedTemplateDto | null;

  /**
   * What was left out of these or cut, and why. Empty: nothing.
   * @example ['url must be an http or https URL, or a path that starts with a single slash: it was left out.']
   */
  @ApiProperty({ type: [String] })
  left_out: readonly string[];
}

/** What a message has besides its text, for an answer. */
export const shownRich = (rich: RichMessage | null | undefined) => ({
  url: rich?.url ?? null,
  image: rich?.image ?? null,
  actions: rich?.actions ?? null,
  data: rich?.data ?? null,
  template: rich?.template ? { ...rich.template, parameters: rich.template.parameters ?? null } : null,
  left_out: rich?.left_out ?? [],
});

/** All that a message has besides its text, for an answer. */
export const shownParts = ({ sender, rich }: { sender?: MessageSender; rich?: RichMessage }): RenderedRichDto => ({
  ...shownSender(sender ?? {}),
  ...shownRich(rich),
});
