import type { Outcome } from '../dispatcher.js';
import { OutboundRefused } from '../outbound/outbound-error.js';
import type { SmtpFailure } from './smtp-session.js';

// Wrong order, not logged in, not encrypted: these codes are about our session, whichever command they answer.
const ABOUT_THE_SESSION = new Set([503, 530, 534, 535, 538]);
// Too large: this code is about the message, even when it answers MAIL FROM.
const TOO_LARGE = 552;

/**
 * Decides whether a failed message is retried. A 5xx is final when it is about the person or the message. When it is about
 * the channel (a greeting of 554, a wrong password, a sender that may not send), the message waits and is sent once the
 * channel is corrected.
 */
export function kindOfFailure(error: unknown): Exclude<Outcome['kind'], 'sent'> {
  if (error instanceof OutboundRefused) return 'rejected';
  const { code, command, responseCode } = error as SmtpFailure;
  if (responseCode === undefined) {
    // nodemailer itself refused: the message is larger than the server takes, or the envelope cannot be sent.
    return code === 'EMESSAGE' || code === 'EENVELOPE' ? 'rejected' : 'retry';
  }
  if (responseCode < 500 || ABOUT_THE_SESSION.has(responseCode)) return 'retry';
  if (responseCode === TOO_LARGE) return 'rejected';
  return command === 'RCPT TO' || command === 'DATA' ? 'rejected' : 'retry';
}
