import { encodedLength } from '../../dispatcher/base64-lines.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { isInvitation } from '../../dispatcher/email/file/compose-with-files.js';
import type { StoredAttachment } from '../../platform/queue/trigger-options.js';

/** A channel with its settings as they are stored. */
export interface SizedChannel {
  slug: string;
  type: string;
  config: Record<string, unknown>;
}

type Sized = Pick<StoredAttachment, 'size' | 'content_type'>;

const MB = 1024 * 1024;

/** The problem with files that are too large for a channel, after the words "the files"; null: they fit. */
export function channelSizeProblem(
  files: Sized[],
  channels: Iterable<SizedChannel>,
  dispatchers: ReadonlyMap<string, Dispatcher>,
): string | null {
  // A mail carries an invitation twice.
  const invitation = files.find(({ content_type }) => isInvitation(content_type));
  const sent = invitation ? [...files, invitation] : files;
  const bytes = sent.reduce((sum, { size = 0 }) => sum + encodedLength(size), 0);
  for (const { slug, type, config } of channels) {
    const most = dispatchers.get(type)?.maxMessageBytes?.(config) ?? Infinity;
    if (bytes > most)
      return `have ${(bytes / MB).toFixed(1)} MB as base64, and the channel ${slug} sends messages of at most ${most / MB} MB (its setting max_message_mb)`;
  }
  return null;
}
