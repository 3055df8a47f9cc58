import { DELAYS } from './life.js';
import type { User } from './life.js';

/** A delivery, as the API shows it. */
export interface DeliveryBody {
  id: number;
  notification: string;
  channel: string;
  user: string;
  status: string;
  gate: string | null;
  fallback_of: number | null;
  next_attempt_at: string | null;
  attempts: { at: string; duration_ms: number; outcome: string }[];
}

/** One line for a delivery, so that two worlds can be compared at a glance. */
export function lineOf(seen: {
  place: string;
  status: string;
  gate: string | null;
  attempts: string[];
  calls: number;
  waits: number | null;
  fallbackOf: string | null;
}): string {
  const { place, status, gate, attempts, calls, waits, fallbackOf } = seen;
  const tried = attempts.length > 0 ? ` after ${attempts.join(', ')}` : '';
  const wait = waits === null ? '' : `, next in ${waits} s`;
  return `${place}: ${gate === null ? status : `${status}, ${gate}`}${tried}, ${calls} calls${wait}${fallbackOf === null ? '' : `, fallback of ${fallbackOf}`}`;
}

export const userOf = (email: string) => email.split('@')[0] as User;

export const placeOf = ({ notification, channel, user }: { notification: string; channel: string; user: string }) =>
  `${notification} over ${channel} to ${userOf(user)}`;

/** The wait of the schedule that the time of the next attempt fits; null when there is none, or when its time has come. */
export function waitOf({ status, attempts, next_attempt_at: next }: DeliveryBody): number | null {
  const last = attempts.at(-1);
  if (status !== 'pending' || next === null || !last) return null;
  const seconds = (Date.parse(next) - Date.parse(last.at) - last.duration_ms) / 1000;
  if (seconds < 0) return null;
  return DELAYS.find((delay) => seconds >= 0.79 * delay && seconds <= 1.21 * delay) ?? seconds;
}
