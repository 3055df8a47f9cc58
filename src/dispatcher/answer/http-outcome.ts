import type { Fault, Outcome } from '../dispatcher.js';
import { OutboundLost, OutboundRefused, OutboundTimeout, reasonOf } from '../outbound/outbound-error.js';
import { answerOf } from './answer.js';
import type { HttpAnswer } from './http-answer.js';
import { retryAfterSeconds } from './retry-after.js';

/** Whose fault a final status is, where it is not the message's. */
type StatusFaults = Readonly<Record<number, Fault>>;

/** Nothing else is certain of a server that we do not know: it may answer 403 or 404 for one message. */
const FAULTS: StatusFaults = { 401: 'channel' };

/** The outcome of a request that got no answer. One to a forbidden address is dead at once, so that its owner sees it. */
export function failureOf(error: unknown, secrets: readonly string[] = []): Outcome {
  const answer = answerOf(reasonOf(error), secrets);
  if (error instanceof OutboundRefused) return { kind: 'rejected', answer, fault: 'message' };
  const mayHaveArrived = error instanceof OutboundTimeout || error instanceof OutboundLost;
  return { kind: 'retry', answer, ...(mayHaveArrived ? { mayHaveArrived } : {}) };
}

/** The outcome that follows from an answer's status. */
export function outcomeOf(
  { status, headers, text }: HttpAnswer,
  secrets: readonly string[],
  now: Date,
  faults: StatusFaults = FAULTS,
): Outcome {
  if (status >= 300 && status < 400) {
    return { kind: 'rejected', answer: `${status}: redirects are not followed`, fault: 'channel' };
  }
  const quoted = secrets.flatMap((secret) => [secret, secret.replace(/^whsec_/, '')]);
  const answer = answerOf(`${status} ${text}`, quoted);
  if (status < 300) return { kind: 'sent', answer };
  // 408, 425, 429 and 5xx may pass: the receiver was late, not ready, busy or broken. Any other 4xx is final.
  if (status < 500 && ![408, 425, 429].includes(status)) {
    return { kind: 'rejected', answer, fault: faults[status] ?? 'message' };
  }
  const afterSeconds = retryAfterSeconds(headers['retry-after'], now);
  const isSlowDown = status === 429 || (status === 503 && afterSeconds !== undefined);
  return retryOf(answer, afterSeconds, isSlowDown);
}

export function retryOf(answer: string, afterSeconds: number | undefined, isSlowDown: boolean): Outcome {
  return {
    kind: 'retry',
    answer,
    ...(afterSeconds === undefined ? {} : { afterSeconds }),
    ...(isSlowDown ? { isSlowDown } : {}),
  };
}
