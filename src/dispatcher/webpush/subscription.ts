import type { PushSubscription } from 'web-push';
import { isObject } from '../../platform/field/is-object.js';

/** Parses a browser's subscription from JSON; null when it is not a subscription. */
export function parseSubscription(text: string): PushSubscription | null {
  const value = parseJson(text);
  if (!isObject(value) || !isObject(value.keys)) return null;
  const { endpoint } = value;
  const { p256dh, auth } = value.keys;
  if (typeof endpoint !== 'string' || typeof p256dh !== 'string' || typeof auth !== 'string') return null;
  return { endpoint, keys: { p256dh, auth } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
