import { ApiProperty } from '@nestjs/swagger';
import { fieldsOf } from '../../dispatcher/config-fields.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { isPush } from '../../dispatcher/is-push.js';
import type { MessageLimits } from '../../dispatcher/message-limits.js';

/** One setting of a channel. */
class ConfigFieldDto {
  /** @example 'host' */
  key: string;

  /** @example 'Server' */
  label: string;

  /** @example 'choice' */
  @ApiProperty({ enum: ['string', 'integer', 'boolean', 'url', 'choice', 'certificates', 'private_key', 'text'] })
  kind: string;

  /** @example true */
  required: boolean;

  /**
   * Encrypted at rest and masked when read.
   * @example false
   */
  secret: boolean;

  /**
   * For a secret: the settings that decide who gets it. When one of them changes (of a URL, its origin), the secret must be sent again.
   * @example ['host', 'port']
   */
  @ApiProperty({ type: [String] })
  goes_to?: readonly string[];

  /**
   * The allowed values of a `choice`.
   * @example ['none', 'starttls', 'tls']
   */
  @ApiProperty({ type: [String] })
  choices?: readonly string[];

  /**
   * The smallest number, or the minimum length of a string.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  min?: number;

  /**
   * The largest number, or the maximum length of a string.
   * @example 65535
   */
  @ApiProperty({ type: 'integer' })
  max?: number;

  /** @example 'As the provider names it' */
  help?: string;
}

/** How a provider is told to report what became of messages. */
class ReportSetupDto {
  /**
   * The value of the setting `report_service`; null: the type has one provider.
   * @example 'postmark'
   */
  @ApiProperty({ type: String, nullable: true })
  service: string | null;

  /**
   * What to set up at the provider. The URL is `/reports/{org}/{channel}`, or `/reports/{org}/{prj}/{channel}` for a channel of a project.
   * @example 'Create a webhook with the URL and the header X-Report-Key.'
   */
  steps: string;
}

/** What a provider takes of a message. Null: no limit is known. */
class MessageLimitsDto {
  /**
   * The most characters of the subject, in UTF-16 units; a longer one is cut.
   * @example 200
   */
  @ApiProperty({ type: 'integer', nullable: true })
  subject: number | null;

  /**
   * The same for the text.
   * @example 2000
   */
  @ApiProperty({ type: 'integer', nullable: true })
  text: number | null;

  /**
   * The most bytes of a whole message as it is sent to the provider.
   * @example 4096
   */
  @ApiProperty({ type: 'integer', nullable: true })
  bytes: number | null;

  /**
   * The most bytes of `data` as JSON.
   * @example 3400
   */
  @ApiProperty({ type: 'integer', nullable: true })
  data_bytes: number | null;

  /**
   * Keys that `data` cannot have at its top. One that ends with `*` means all that begin so.
   * @example ['event', 'occurrence']
   */
  reserved_data: string[];

  static from({ subject, text, bytes, dataBytes, reservedData = [] }: MessageLimits): MessageLimitsDto {
    return {
      ...{ subject: finite(subject), text: finite(text), bytes: finite(bytes), data_bytes: finite(dataBytes) },
      reserved_data: [...reservedData],
    };
  }
}

const finite = (limit = Infinity): number | null => (Number.isFinite(limit) ? limit : null);

/** A channel type and its settings. */
export class DispatcherDto {
  /** @example 'email' */
  type: string;

  /** @example 'E-mail (SMTP)' */
  label: string;

  /**
   * The kind of address that a recipient needs; null: none, or the settings decide.
   * @example 'email'
   */
  @ApiProperty({ type: String, nullable: true })
  address_kind: string | null;

  /**
   * Whether a channel of this type is one room or one URL for everyone: it gets one post for each occurrence and notification. A channel whose settings
   * make it reach each user is no room (`slack` with a bot and no `channel`).
   * @example false
   */
  room: boolean;

  /**
   * The parts of a message that it sends. Only with those after `html` among them, templates may have these fields.
   * @example ['subject', 'text', 'html', 'from', 'reply_to', 'headers']
   */
  @ApiProperty({
    enum: [
      ...['subject', 'text', 'html', 'from', 'reply_to', 'headers'],
      ...['url', 'image', 'actions', 'data', 'template'],
    ],
    isArray: true,
  })
  parts: readonly string[];

  limits: MessageLimitsDto;

  /**
   * Whether phones and browsers show its messages among their notifications.
   * @example false
   */
  push: boolean;

  /** @example [{ "key": "host", "label": "Server", "kind": "string", "required": true, "secret": false }] */
  fields: ConfigFieldDto[];

  /**
   * The providers that report what became of messages; empty: none does.
   * @example [{ "service": null, "steps": "Enter the URL as the status callback." }]
   */
  report_setups: ReportSetupDto[];

  /**
   * Whether the settings of its channels can be checked without a message (`POST /api/o/{org}/c/{channel}/check/`); null: they cannot. `charged`: the
   * provider may charge for it.
   * @example 'free'
   */
  @ApiProperty({ enum: ['free', 'charged'], nullable: true })
  settings_check: 'free' | 'charged' | null;

  static from(dispatcher: Dispatcher): DispatcherDto {
    const { type, label, addressKind, isRoom = false, parts, messageLimits = {}, reportSetups = [] } = dispatcher;
    return {
      type,
      label,
      address_kind: addressKind,
      room: isRoom,
      parts,
      limits: MessageLimitsDto.from(messageLimits),
      push: isPush(dispatcher),
      fields: fieldsOf(dispatcher).map(({ goesTo, ...field }) => ({ ...field, problem: undefined, goes_to: goesTo })),
      report_setups: [...reportSetups],
      settings_check: dispatcher.checkSettings ? (dispatcher.isCheckCharged ? 'charged' : 'free') : null,
    };
  }
}
