import { ApiProperty } from '@nestjs/swagger';
import type { MessageSender } from '../../dispatcher/dispatcher.js';

/** The sender and the headers of a message, as its template has set them. */
export class RenderedSenderDto {
  /**
   * The sender that the template sets; null: the channel's `from`.
   * @example 'Acme Shop <shop@acme.test>'
   */
  @ApiProperty({ type: String, nullable: true })
  from: string | null;

  /**
   * Who gets the answers, if the template sets it; null: the channel's `reply_to`.
   * @example 'orders+A-17@acme.test'
   */
  @ApiProperty({ type: String, nullable: true })
  reply_to: string | null;

  /**
   * The headers that the template sets; null: none.
   * @example { "X-Campaign": "autumn" }
   */
  @ApiProperty({ type: 'object', nullable: true, additionalProperties: { type: 'string' } })
  headers: Readonly<Record<string, string>> | null;
}

export const shownSender = ({ from, reply_to, headers }: MessageSender): RenderedSenderDto => ({
  from: from ?? null,
  reply_to: reply_to ?? null,
  headers: headers ?? null,
});
