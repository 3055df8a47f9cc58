import { checkSender } from '../../dispatcher/email/sender/sender.js';
import type { Dispatcher, MessageSender, SenderProblem } from '../../dispatcher/dispatcher.js';
import { reservedIn } from '../../dispatcher/message-limits.js';
import type { MessageLimits } from '../../dispatcher/message-limits.js';
import type { Per } from '../../platform/database/generated/prisma/enums.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { RICH_PARTS } from '../template/rich/rich.js';
import type { TemplatePart, TemplateParts } from '../template/template.js';
import { isRoom } from './decide.js';
import type { RuleChannel } from './decide.js';

/**
 * How a template is sent over its channel, and the errors of a template that cannot be sent so. Left out, `per` is `room` if the channel is a
 * room. `userParts`: the parts of the template that use `user`.
 */
export function templateMode(
  channel: Pick<RuleChannel, 'type' | 'config'>,
  given: Per | undefined,
  userParts: readonly TemplatePart[],
  dispatchers: ReadonlyMap<string, Dispatcher>,
): { per: Per; errors: FieldErrors } {
  const canBeRoom = isRoom(channel, dispatchers);
  const per = given ?? (canBeRoom ? 'room' : 'person');
  if (per === 'person') return { per, errors: {} };
  return { per, errors: canBeRoom ? checkRoomPost(userParts) : { per: [fieldError('not_allowed', NO_ROOM)] } };
}

const NO_ROOM = 'cannot be room: this channel sends to each user. Leave it out, or set it to person';

/** The errors of a template that is one post to a room. A part with too many names to analyse is accepted: it renders `user` as nothing. */
export function checkRoomPost(userParts: readonly TemplatePart[]): FieldErrors {
  return Object.fromEntries(userParts.map((part) => [part, [fieldError('not_allowed', NO_USER)]]));
}

const NO_USER = 'uses user, but one post to the room has no user: remove it, or set per to person on this template';

const SENDER_PARTS = ['from', 'reply_to', 'headers'] as const;

/** The errors of a template's sender that do not depend on its channel. */
export const checkTemplateSender = (parts: TemplateParts): FieldErrors =>
  errorsOf(checkSender(fixedSender(parts), null));

/** The errors of a template's sender and data with this channel, and of other parts that the channel does not use. */
export function checkPartsOfChannel(
  { type, config }: { type: string; config: Readonly<Record<string, unknown>> },
  parts: TemplateParts,
  dispatchers: ReadonlyMap<string, Dispatcher>,
): FieldErrors {
  const given = [...SENDER_PARTS, ...RICH_PARTS].filter((part) => parts[part]);
  const dispatcher = dispatchers.get(type);
  if (given.length === 0 || !dispatcher) return {};
  const unused = given.filter((part) => !dispatcher.parts.includes(part));
  if (unused.length === 0) {
    const hasSender = SENDER_PARTS.some((part) => parts[part]);
    return {
      ...(hasSender ? errorsOf(dispatcher.checkSender?.(fixedSender(parts), config) ?? []) : {}),
      ...(parts.data ? dataErrors(parts.data, type, dispatcher.messageLimits ?? {}) : {}),
    };
  }
  const sentence = `must be left out: a channel of the type ${type} does not use it`;
  return Object.fromEntries(unused.map((part) => [part, [fieldError('not_allowed', sentence)]]));
}

/** What a value makes too large is known only when a message is sent. */
function dataErrors(data: NonNullable<TemplateParts['data']>, type: string, limits: MessageLimits): FieldErrors {
  const [reserved] = reservedIn(data, limits);
  if (reserved !== undefined)
    return {
      data: [fieldError('not_allowed', `cannot have the key ${reserved}: channels of the type ${type} use it`)],
    };
  const { dataBytes = Infinity } = limits;
  return Buffer.byteLength(withoutLiquid(JSON.stringify(data))) > dataBytes
    ? { data: [fieldError('too_large', `must have at most ${dataBytes} bytes as JSON with the type ${type}`)] }
    : {};
}

const withoutLiquid = (source: string) => source.replace(/\{\{.*?\}\}|\{%.*?%\}/gs, '');

export const errorsOf = (problems: SenderProblem[]): FieldErrors =>
  Object.fromEntries(problems.map(({ part, code, sentence }) => [part, [fieldError(code, sentence)]]));

/** The texts that are the same in every message. Others are checked when a message is sent. */
function fixedSender({ from, reply_to, headers }: TemplateParts): MessageSender {
  const ofHeaders = Object.entries(headers ?? {}).map(([name, source]) => [name, fixed(source)]);
  return {
    from: fixed(from),
    reply_to: fixed(reply_to),
    headers: Object.fromEntries(ofHeaders) as Record<string, string>,
  };
}

const fixed = (source: string | null | undefined) => (source && !/\{[{%]/.test(source) ? source.trim() : '');
