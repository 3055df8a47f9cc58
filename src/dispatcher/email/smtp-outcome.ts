import type { Outcome } from '../dispatcher.js';
import type { SmtpFault, SmtpPhase, RefusalRow } from './refusals.js';
import { REFUSALS } from './refusals.js';
import type { SmtpFailure } from './smtp-session.js';

// The second form is that of qmail and of Cisco's servers: `550 sorry, no mailbox here by that name. (#5.1.1)`.
const ENHANCED_CODE = /^\d{3}[ -][45]\.(\d{1,3})\.(\d{1,3})\b|#[45]\.(\d{1,3})\.(\d{1,3})\b/;
const LINE_START = /^\d{3}(?:[ -](?:[45]\.\d{1,3}\.\d{1,3}\b)?|$)/gm;
// Their words are not the server's: a recipient may be called `unknown`.
const ADDRESS_OR_LINK = /<[^<>\n]*>|\bhttps?:\/\/\S+|[^\s<>()]+@[^\s<>()]+/g;
/** No server needs more words to say whose fault it is. */
const MAX_RESPONSE = 2000;

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

/** The row of the table that a refusal belongs to. */
export function refusalOf(phase: SmtpPhase, response: string): RefusalRow {
  const text = response.slice(0, MAX_RESPONSE);
  const [, subject, detail, otherSubject, otherDetail] = ENHANCED_CODE.exec(text) ?? [];
  const enhanced = [subject ?? otherSubject, detail ?? otherDetail].filter((part) => part !== undefined).join('.');
  const words = wordsOf(text);
  const isOf = (row: RefusalRow): boolean =>
    (row.phases?.includes(phase) ?? true) &&
    row.code.test(text) &&
    (row.enhanced?.test(enhanced) ?? true) &&
    (row.words?.test(words) ?? true);
  return REFUSALS.find(isOf)!;
}

/** The words of all lines of a response. */
function wordsOf(text: string): string {
  return text.replace(LINE_START, ' ').replace(ADDRESS_OR_LINK, ' ').replace(/\s+/g, ' ').trim();
}
