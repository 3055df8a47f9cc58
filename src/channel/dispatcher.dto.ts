import { ApiProperty } from '@nestjs/swagger';
import { fieldsOf } from '../dispatcher/config-fields.js';
import type { Dispatcher } from '../dispatcher/dispatcher.js';

/** One setting of a channel. */
export class ConfigFieldDto {
  /** @example 'host' */
  key: string;

  /** @example 'Server' */
  label: string;

  /** @example 'choice' */
  @ApiProperty({ enum: ['string', 'integer', 'boolean', 'url', 'choice'] })
  kind: string;

  /** @example true */
  required: boolean;

  /**
   * Encrypted at rest and masked when read.
   * @example false
   */
  secret: boolean;

  /**
   * Of a secret: the settings that say where it goes. When one of them changes, it must be given anew.
   * @example ['host', 'port']
   */
  @ApiProperty({ type: [String] })
  goes_to?: readonly string[];

  /**
   * What a `choice` may be.
   * @example ['none', 'starttls', 'tls']
   */
  @ApiProperty({ type: [String] })
  choices?: readonly string[];

  /**
   * Of a number the least; of a string its shortest length.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  min?: number;

  /** @example 65535 */
  @ApiProperty({ type: 'integer' })
  max?: number;

  /** @example 'As the provider names it' */
  help?: string;
}

/** A type of channel, and what it may be told. */
export class DispatcherDto {
  /** @example 'email' */
  type: string;

  /** @example 'E-mail (SMTP)' */
  label: string;

  /**
   * The kind of address a person needs to be reached this way; null: none, or the settings decide.
   * @example 'email'
   */
  @ApiProperty({ type: String, nullable: true })
  address_kind: string | null;

  /**
   * Which parts of a message it uses.
   * @example ['subject', 'text', 'html']
   */
  @ApiProperty({ enum: ['subject', 'text', 'html'], isArray: true })
  parts: readonly string[];

  /** @example [{ "key": "host", "label": "Server", "kind": "string", "required": true, "secret": false }] */
  fields: ConfigFieldDto[];

  static from(dispatcher: Dispatcher): DispatcherDto {
    const { type, label, addressKind, parts } = dispatcher;
    return {
      type,
      label,
      address_kind: addressKind,
      parts,
      fields: fieldsOf(dispatcher).map(({ goesTo, ...field }) => ({ ...field, goes_to: goesTo })),
    };
  }
}
