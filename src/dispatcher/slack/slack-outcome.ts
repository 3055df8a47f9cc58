import type { HttpAnswer } from '../answer/http-answer.js';
import { outcomeOf } from '../answer/http-outcome.js';
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

/** What a call of Slack's API came to: a failure, too, is mostly a 200, whose JSON tells. */
export function outcomeOfCall(answer: HttpAnswer, secrets: readonly string[], now: Date): Outcome {
  const outcome = outcomeOf(answer, secrets, now);
  if (outcome.kind !== 'sent') return outcome;
  // Not parsed, for a long answer is cut. Quotes in the message that it repeats are escaped and look different.
  if (/"ok"\s*:\s*(\w+)/.exec(answer.text)?.[1] === 'true') return outcome;
  const error = /"error"\s*:\s*"([^"]+)"/.exec(answer.text)?.[1];
  if (error !== undefined && !TRANSIENT.includes(error)) return { kind: 'rejected', answer: outcome.answer };
  // Without an error it was not Slack that answered, but something on the way.
  const afterSeconds = retryAfterSeconds(answer.headers['retry-after'], now);
  return { kind: 'retry', answer: outcome.answer, ...(afterSeconds === undefined ? {} : { afterSeconds }) };
}
