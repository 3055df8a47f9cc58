import type { HttpAnswer } from '../answer/http-answer.js';
import { outcomeOf, retryOf, type StatusFaults } from '../answer/http-outcome.js';
import { retryAfterSeconds } from '../answer/retry-after.js';
import type { Fault, Outcome } from '../dispatcher.js';

const TRANSIENT = [
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
];

const CREDENTIALS = [
  'access_denied',
  'account_inactive',
  'ekm_access_denied',
  'enterprise_is_restricted',
  'invalid_auth',
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
  'not_authed',
  'org_login_required',
  'team_access_not_granted',
  'token_expired',
  'token_revoked',
  'two_factor_setup_required',
];

/** The faults of the channel, if its bot posts to one room; of the message, if it writes to each user. */
const ROOM = ['channel_not_found', 'is_archived', 'not_in_channel', 'restricted_action'];

const FAULTS: StatusFaults = { 401: 'channel', 403: 'channel', 404: 'channel', 410: 'channel' };

/** The outcome of a post to an incoming webhook: 403 is a wrong token or a forbidden post, 404 and 410 a room or webhook that is gone. */
export const outcomeOfWebhook = (answer: HttpAnswer, secrets: readonly string[], now: Date): Outcome =>
  outcomeOf(answer, secrets, now, FAULTS);

/** The outcome of a call to Slack's API. Most failures have status 200 too; the error is in the JSON. */
export function outcomeOfCall(answer: HttpAnswer, secrets: readonly string[], now: Date, isRoom: boolean): Outcome {
  const outcome = outcomeOf(answer, secrets, now);
  if (outcome.kind !== 'sent') return outcome;
  // Read by patterns, because a long answer is cut and then is not valid JSON. Slack also repeats the message, but quotes in the
  // message are escaped, so they do not match.
  if (/"ok"\s*:\s*(\w+)/.exec(answer.text)?.[1] === 'true') return outcome;
  const error = /"error"\s*:\s*"([^"]+)"/.exec(answer.text)?.[1];
  if (error !== undefined && !TRANSIENT.includes(error)) {
    const isOfChannel = CREDENTIALS.includes(error) || (isRoom && ROOM.includes(error));
    const fault: Fault = isOfChannel ? 'channel' : 'message';
    return { kind: 'rejected', answer: outcome.answer, fault };
  }
  // An answer without an error did not come from Slack but from a proxy on the way.
  const afterSeconds = retryAfterSeconds(answer.headers['retry-after'], now);
  return retryOf(outcome.answer, afterSeconds, /^rate_?limited$/.test(error ?? ''));
}
