import type { Outcome } from '../dispatcher.js';
import type { SmtpFault, SmtpPhase } from './refusals.js';
import { refusalOf } from './refusals.js';
import type { SmtpFailure } from './smtp-session.js';

const PHASES: Record<string, SmtpPhase> = { 'MAIL FROM': 'mail', 'RCPT TO': 'rcpt', DATA: 'data' };

/** An outcome without the words of the server. */
type Failed =
  | Omit<Extract<Outcome, { kind: 'rejected' }>, 'answer'>
  | Omit<Extract<Outcome, { kind: 'retry' }>, 'answer'>;

const OUTCOMES: Record<SmtpFault, Failed> = {
  no_mailbox: { kind: 'rejected', fault: 'recipient' },
  recipient: { kind: 'rejected', fault: 'recipient', cause: 'soft_bounce' },
  recipient_for_now: { kind: 'retry', about: 'recipient' },
  message: { kind: 'rejected', fault: 'message' },
  channel: { kind: 'rejected', fault: 'channel' },
  channel_for_now: { kind: 'retry' },
  slow_down: { kind: 'retry', isSlowDown: true },
};

/** The outcome of a message that was not sent. */
export function outcomeOfFailure(error: unknown): Failed {
  const { code, command = '', responseCode, response = '' } = error as SmtpFailure;
  // nodemailer itself refused: the message is larger than the server takes, or the server cannot take such an address.
  if (responseCode === undefined) {
    return OUTCOMES[code === 'EMESSAGE' ? 'message' : code === 'EENVELOPE' ? 'recipient' : 'channel_for_now'];
  }
  const phase = PHASES[command] ?? 'open';
  const { fault, isCertain } = refusalOf(phase, response);
  // A relay may refuse one recipient for a fault of the channel and take others: what counts is how many recipients it refuses.
  const isOfOne = (fault === 'channel' || fault === 'channel_for_now') && (phase === 'rcpt' || phase === 'data');
  return isOfOne && !isCertain ? { kind: 'retry', about: 'either' } : OUTCOMES[fault];
}
