import { createHash } from 'node:crypto';
import type { MessageThread } from '../../dispatcher/dispatcher.js';
import { lengthOf } from '../../platform/field/text-length.js';
import { MAX_MUTED, textIn } from '../ruleset/choices.js';
import type { Rule } from '../ruleset/rule.js';

/** What the messages of a rule are about, in one context. */
export interface Thread {
  notification: number;
  /** The value of the field. */
  value: string;
}

/**
 * Undefined: they are not grouped, or the context says nothing. Neither is a digest, unless each value of the field has a digest of its own: it would
 * take the place of messages about other things.
 */
export function threadOf(
  { id, thread, digest, limit }: Pick<Rule, 'id' | 'thread' | 'digest' | 'limit'>,
  context: unknown,
  isDigest: boolean,
): Thread | undefined {
  if (thread === undefined || (isDigest && (digest ?? limit)?.key !== thread)) return undefined;
  const value = textIn(context, thread);
  return value === '' ? undefined : { notification: id, value };
}

/** Whether a user can mute a thread: pages show its value. */
export const isMutable = (thread: Pick<Thread, 'value'> | undefined): boolean =>
  thread !== undefined && lengthOf(thread.value) <= MAX_MUTED;

/** So long a value is not put into a message, which has 4 KB: in JSON, some characters become six. */
const MAX_BYTES = 64;

const bytesInJson = (value: string): number => Buffer.byteLength(JSON.stringify(value)) - 2;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/**
 * The IDs of a thread for a provider. All notifications share the group, so that an app shows them together. `replaces` is only for messages of one
 * notification to one user: others may say something else about the same thing. `scope`: what tells applications and users apart.
 */
export const messageThread = ({ notification, value }: Thread, scope: readonly (string | null)[]): MessageThread => ({
  group: bytesInJson(value) <= MAX_BYTES ? value : hashOf(value),
  replaces: hashOf(JSON.stringify([...scope, notification, value])),
});
