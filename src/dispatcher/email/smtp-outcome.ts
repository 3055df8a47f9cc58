import type { Outcome, Suppresses } from '../dispatcher.js';
import { OutboundRefused } from '../outbound/outbound-error.js';
import type { SmtpFailure } from './smtp-session.js';

type Blame = 'mailbox' | 'message' | 'channel';

// Replies without an enhanced code. At RCPT these are about the mailbox; 554 there is as often a missing login.
const ABOUT_THE_MAILBOX = new Set([501, 550, 551, 552, 553, 556]);
// Wrong order, not logged in, not encrypted: these are about our session, whichever command they answer.
const ABOUT_THE_SESSION = new Set([503, 530, 534, 535, 538]);
const TOO_LARGE = 552;

const ENHANCED_CODE = /^\d{3}[ -]\d\.(\d{1,3})\.(\d{1,3})\b/;
const SLOW_DOWN = /\brate\b|\btoo (?:many|much|fast|quickly)\b|throttl|slow down/i;

// By RFC 3463 and RFC 7505: no such mailbox, no such domain, an invalid address, a mailbox that has moved, a domain that takes no mail.
const NO_MAILBOX = [1, 2, 3, 6, 10];
const NO_MAIL_AT_DOMAIN = 556;
const PERSON = '(?:user|recipient|mailbox|address|account)';
const MISSING = '(?:unknown|not found|(?:does not|doesn.t) exist)';
const NO_MAILBOX_WORDS = new RegExp(`(?:no such|unknown|no) ${PERSON}\\b|\\b${PERSON}(?: is)? ${MISSING}`, 'i');

type Failed = { kind: 'rejected'; suppresses?: Suppresses } | { kind: 'retry'; isSlowDown?: true };

/** The outcome of a message that was not sent, without the words of the server. */
export function outcomeOfFailure(error: unknown): Failed {
  if (isFinal(error)) return saysNoMailbox(error) ? { kind: 'rejected', suppresses: 'hard_bounce' } : REJECTED;
  return isSlowDown(error) ? { kind: 'retry', isSlowDown: true } : RETRY;
}

const REJECTED = { kind: 'rejected' } as const satisfies Partial<Outcome>;

const RETRY = { kind: 'retry' } as const satisfies Partial<Outcome>;

/**
 * A 5xx is final when it is about the mailbox or the message. When it is about the channel (a missing login, a sender that may not send,
 * a listed address, a bad HELO name), the message waits until somebody corrects the channel. The command does not tell: Postfix
 * reports refusals of the client, its HELO name and the sender only at RCPT.
 */
function isFinal(error: unknown): boolean {
  if (error instanceof OutboundRefused) return true;
  const { code, command = '', responseCode, response = '' } = error as SmtpFailure;
  // nodemailer itself refused: the message is larger than the server takes, or the envelope cannot be sent.
  if (responseCode === undefined) return code === 'EMESSAGE' || code === 'EENVELOPE';
  if (responseCode < 500) return false;
  const blame = blameOfEnhancedCode(response) ?? blameOfCode(responseCode, command);
  // Before RCPT the only mailbox that the server knows is the sender's.
  return blame === 'message' || (blame === 'mailbox' && (command === 'RCPT TO' || command === 'DATA'));
}

/**
 * Whether a final reply says that the mailbox does not exist. A full or disabled mailbox, and a refusal by policy, may pass. Words count
 * only if the codes blame the mailbox and say no more.
 */
function saysNoMailbox(error: unknown): boolean {
  const { command = '', responseCode = 0, response = '' } = error as SmtpFailure;
  const [, subject, detail] = (ENHANCED_CODE.exec(response) ?? []).map(Number);
  if (subject === 1 && NO_MAILBOX.includes(detail!)) return true;
  if (blameOfEnhancedCode(response) !== undefined || blameOfCode(responseCode, command) !== 'mailbox') return false;
  return responseCode === NO_MAIL_AT_DOMAIN || NO_MAILBOX_WORDS.test(response);
}

/** By RFC 3463; undefined without an enhanced code, or with one that says too little. */
function blameOfEnhancedCode(response: string): Blame | undefined {
  const [, subject, detail] = (ENHANCED_CODE.exec(response) ?? []).map(Number);
  switch (subject) {
    case 1:
      if (detail === 7 || detail === 8) return 'channel'; // the sender's address
      return NO_MAILBOX.includes(detail!) ? 'mailbox' : undefined;
    case 2:
      return 'mailbox';
    case 3:
      return detail === 4 ? 'message' : 'channel'; // too large, or the server takes no mail
    case 5: // the protocol
    case 7: // security and policy
      return 'channel';
    case 6:
      return 'message';
    default:
      return undefined;
  }
}

function blameOfCode(code: number, command: string): Blame {
  if (code === TOO_LARGE && command !== 'RCPT TO') return 'message';
  if (command === 'RCPT TO') return ABOUT_THE_MAILBOX.has(code) ? 'mailbox' : 'channel';
  return command === 'DATA' && !ABOUT_THE_SESSION.has(code) ? 'message' : 'channel';
}

/** Whether the server asks us to send more slowly. Not when one mailbox gets too much mail (X.2.x): the others get theirs. */
function isSlowDown(error: unknown): boolean {
  const { responseCode = 0, response = '' } = error as SmtpFailure;
  if (responseCode < 400 || responseCode >= 500 || !SLOW_DOWN.test(response)) return false;
  return ENHANCED_CODE.exec(response)?.[1] !== '2';
}
