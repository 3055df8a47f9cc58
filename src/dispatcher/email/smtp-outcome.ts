import type { Outcome } from '../dispatcher.js';
import { OutboundRefused } from '../outbound/outbound-error.js';
import type { SmtpFailure } from './smtp-session.js';

// Wrong order, not logged in, not encrypted: said about our session, whatever command it is said to.
const ABOUT_THE_SESSION = new Set([503, 530, 534, 535, 538]);
// Too large: said about the message, also when it is said to MAIL FROM.
const TOO_LARGE = 552;

/**
 * What a failure means for this message. A 5xx is final when it is about the person or the message. When it is about
 * the channel (a greeting of 554, a wrong password, a sender that may not send) nobody's address is at fault: the
 * message waits, and goes out once the channel is mended.
 */
export function kindOfFailure(error: unknown): Exclude<Outcome['kind'], 'sent'> {
  if (error instanceof OutboundRefused) return 'rejected';
  const { code, command, responseCode } = error as SmtpFailure;
  if (responseCode === undefined) {
    // nodemailer's own verdict: larger than the server takes, or an envelope that cannot be sent.
    return code === 'EMESSAGE' || code === 'EENVELOPE' ? 'rejected' : 'retry';
  }
  if (responseCode < 500 || ABOUT_THE_SESSION.has(responseCode)) return 'retry';
  if (responseCode === TOO_LARGE) return 'rejected';
  return command === 'RCPT TO' || command === 'DATA' ? 'rejected' : 'retry';
}
