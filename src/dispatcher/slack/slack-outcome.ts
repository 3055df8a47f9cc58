import type { HttpAnswer } from '../answer/http-answer.js';
import { outcomeOf, retryOf } from '../answer/http-outcome.js';
import { retryAfterSeconds } from '../answer/retry-after.js';
import type { Outcome } from '../dispatcher.js';

const TRANSIENT = [
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
];

/** The outcome of a call to Slack's API. Most failures have status 200 too; the error is in the JSON. */
export function outcomeOfCall(answer: HttpAnswer, secrets: readonly string[], now: Date): Outcome {
  const outcome = outcomeOf(answer, secrets, now);
  if (outcome.kind !== 'sent') return outcome;
  // Read by patterns, because a long answer is cut and then is not valid JSON. Slack also repeats the message, but quotes in the
  // message are escaped, so they do not match.
  if (/"ok"\s*:\s*(\w+)/.exec(answer.text)?.[1] === 'true') return outcome;
  const error = /"error"\s*:\s*"([^"]+)"/.exec(answer.text)?.[1];
  if (error !== undefined && !TRANSIENT.includes(error)) return { kind: 'rejected', answer: outcome.answer };
  // An answer without an error did not come from Slack but from a proxy on the way.
  const afterSeconds = retryAfterSeconds(answer.headers['retry-after'], now);
  return retryOf(outcome.answer, afterSeconds, /^rate_?limited$/.test(error ?? ''));
}
