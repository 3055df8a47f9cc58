import { createHash } from 'node:crypto';
import { collapseId } from '../dispatcher.js';
import type { Message } from '../dispatcher.js';

// A browser that was closed for longer does not show the message.
const MAX_TTL_SECONDS = 7 * 24 * 60 * 60;

/** RFC 8030 allows 32 characters. */
const TOPIC_LENGTH = 32;

/** A device that saves energy gets only the more urgent messages at once. */
const URGENCY = { critical: 'high', normal: 'normal', bulk: 'low' } as const;

/** What a push service does with a message (RFC 8030, sections 5.2 to 5.4). */
export function deliveryOptions(message: Message, now: Date) {
  const { priority = 'normal', expiresAt } = message;
  const left = expiresAt ? Math.floor((expiresAt.getTime() - now.getTime()) / 1000) : MAX_TTL_SECONDS;
  return {
    TTL: Math.max(0, Math.min(left, MAX_TTL_SECONDS)),
    urgency: URGENCY[priority],
    // A message that is repeated replaces the first one, while that waits for the device, and so does a newer one of its thread.
    topic: createHash('sha256').update(collapseId(message)).digest('base64url').slice(0, TOPIC_LENGTH),
  };
}
