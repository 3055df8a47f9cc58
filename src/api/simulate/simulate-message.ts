import { dataProblem } from '../../dispatcher/message-limits.js';
import type { Chunk } from '../../engine/deliver/chunk.js';
import type { WaitsFor } from '../../platform/database/generated/prisma/enums.js';
import type { RenderResult } from '../../rules/render/render-result.js';
import type { Frequency } from '../../rules/frequency/category-digests.js';
import { decideMessage, messageFor, richFor } from '../../rules/ruleset/message.js';
import type { MessageRecipient } from '../../rules/ruleset/message.js';
import { shownParts } from '../delivery/rendered-rich.dto.js';
import { shownLanguage } from '../delivery/used-language.dto.js';
import type { SimulatedMessageDto } from './simulate.dto.js';

/** A user, and what the message to them would wait for. */
export interface SimulatedUser extends MessageRecipient {
  until?: Date | null;
  waitsFor?: WaitsFor | null;
  /** Of the digest that it would go into, if the user wants the messages of the category so often. */
  frequency?: Frequency | null;
}

/** The rule and channel of a message. */
export type Origin = Pick<SimulatedMessageDto, 'notification' | 'channel'>;

/** The message that a dispatcher would get; null when a gate stops it at the last moment. */
export function simulatedMessage(
  origin: Origin,
  chunk: Chunk,
  user: SimulatedUser,
  result: RenderResult,
  now: Date,
): SimulatedMessageDto | null {
  const fate = decideMessage(user, chunk, result, now);
  if ('gate' in fate) return null;
  if ('problem' in fate) return unsendable(origin, user, fate.problem);
  const { to: recipient, subject, text, html, sender = {} } = messageFor(chunk.subject, user, fate.rendered);
  const rich = richFor(chunk.dispatcher, fate.rendered);
  const problem = dataProblem(rich, chunk.dispatcher.messageLimits ?? {});
  if (problem !== null) return unsendable(origin, user, problem);
  const [wrong] = chunk.dispatcher.checkSender?.(sender, chunk.config) ?? [];
  if (wrong) return unsendable(origin, user, `the template’s ${wrong.part} ${wrong.sentence}`);
  const waits = {
    waits_for: user.waitsFor ?? null,
    until: user.until?.toISOString() ?? null,
    frequency: user.frequency ?? null,
  };
  return {
    ...origin,
    user: user.email,
    recipient,
    subject,
    text,
    html,
    ...shownParts({ sender, rich }),
    language: shownLanguage(fate.rendered.language),
    problem: null,
    ...waits,
  };
}

const AT_ONCE = { waits_for: null, until: null, frequency: null };

export function unsendable(origin: Origin, { email, address }: MessageRecipient, problem: string): SimulatedMessageDto {
  const nothing = { subject: '', text: '', html: '', ...shownParts({}), language: null };
  return { ...origin, user: email, recipient: address ?? '', ...nothing, problem, ...AT_ONCE };
}
