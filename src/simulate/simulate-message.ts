import type { Chunk } from '../pipeline/deliver/chunk.js';
import type { RenderResult } from '../render/render-result.js';
import { fateOf, messageFor } from '../ruleset/message.js';
import type { Person } from '../ruleset/message.js';
import type { SimulatedMessageDto } from './simulate.dto.js';

export type SimulatedMessage = SimulatedMessageDto;

/** The rule and channel of a message. */
export type Origin = Pick<SimulatedMessage, 'notification' | 'channel'>;

/** The message that a dispatcher would get; null when a gate stops it at the last moment. */
export function simulatedMessage(
  origin: Origin,
  chunk: Chunk,
  person: Person,
  result: RenderResult,
  now: Date,
): SimulatedMessage | null {
  const fate = fateOf(person, chunk, result, now);
  if ('gate' in fate) return null;
  if ('problem' in fate) return unsendable(origin, person, fate.problem);
  const { to: recipient, subject, text, html } = messageFor(chunk.subject, person, fate.rendered);
  return { ...origin, user: person.email, recipient, subject, text, html, problem: null };
}

export function unsendable(origin: Origin, { email, address }: Person, problem: string): SimulatedMessage {
  return { ...origin, user: email, recipient: address ?? '', subject: '', text: '', html: '', problem };
}
