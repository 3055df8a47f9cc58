/** A time on the clock of each user, such as `2026-12-01T09:00`. */
interface LocalTime {
  local: string;
}

/** When a trigger asks for its messages: an instant, or a time on the clock of each user. */
export type SendAt = string | LocalTime;

/** Every clock is at most so far ahead of UTC, or behind it. */
const HOURS_AHEAD = 14;
const HOURS_BEHIND = 12;
const HOUR_MS = 3_600_000;

export const localTimeOf = (sendAt: SendAt | undefined): string | null =>
  typeof sendAt === 'object' ? sendAt.local : null;

/** The time as if every clock showed UTC. */
export const sendTime = (sendAt: SendAt): number =>
  Date.parse(typeof sendAt === 'object' ? `${sendAt.local}Z` : sendAt);

/** When the time comes for the first users. */
export const firstSendTime = (sendAt: SendAt): number =>
  sendTime(sendAt) - (typeof sendAt === 'object' ? HOURS_AHEAD * HOUR_MS : 0);

/** When it has come for all users. */
export const lastSendTime = (sendAt: SendAt): number =>
  sendTime(sendAt) + (typeof sendAt === 'object' ? HOURS_BEHIND * HOUR_MS : 0);
