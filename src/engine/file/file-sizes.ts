import { encodedLength } from '../../dispatcher/base64-lines.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';

/** A channel with its settings as they are stored. */
export interface SizedChannel {
  slug: string;
  type: string;
  config: Record<string, unknown>;
}

const MB = 1024 * 1024;

/** The problem with files that are too large for a channel, after the words "the files"; null: they fit. */
export function channelSizeProblem(
  sizes: number[],
  channels: Iterable<SizedChannel>,
  dispatchers: ReadonlyMap<string, Dispatcher>,
): string | null {
  const bytes = sizes.reduce((sum, size) => sum + encodedLength(size), 0);
  for (const { slug, type, config } of channels) {
    const most = dispatchers.get(type)?.maxMessageBytes?.(config) ?? Infinity;
    if (bytes > most)
      return `have ${(bytes / MB).toFixed(1)} MB as base64, and the channel ${slug} sends messages of at most ${most / MB} MB (its setting max_message_mb)`;
  }
  return null;
}
