import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import type { Per } from '../../platform/database/generated/prisma/enums.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import type { TemplatePart } from '../template/template.js';
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
