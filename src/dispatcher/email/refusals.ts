/** How far the conversation with the server was when it refused. */
export type SmtpPhase = 'open' | 'mail' | 'rcpt' | 'data';

/**
 * Whose fault a refusal is, and for how long.
 *
 * - `no_mailbox`: the mailbox does not exist, or takes no mail any more. No message to it can arrive.
 * - `recipient`: the recipient does not get this message, but may get others: a full mailbox, a group with a list of senders.
 * - `recipient_for_now`: the recipient may get the message later.
 * - `message`: too large, spam, malformed.
 * - `channel`: the login, the sender, our address or our name; or it does not say.
 * - `channel_for_now`: the same, or the server is in trouble; it may pass.
 * - `slow_down`: the server takes fewer messages a second.
 */
export type SmtpFault =
  | 'no_mailbox'
  | 'recipient'
  | 'recipient_for_now'
  | 'message'
  | 'channel'
  | 'channel_for_now'
  | 'slow_down';

/** One row of the table. A refusal belongs to the first row whose conditions it meets all. */
interface RefusalRow {
  /** What the server means. */
  name: string;
  fault: SmtpFault;
  /** Whether the channel is at fault even if the server knows the recipient. */
  isCertain?: true;
  phases?: readonly SmtpPhase[];
  /** The basic code, such as 550. */
  code: RegExp;
  /** Subject and detail of the enhanced code, such as `1.1` of 5.1.1; empty without one. */
  enhanced?: RegExp;
  /** Without addresses and links, on one line. */
  words?: RegExp;
}

const MAILBOX = '(?:user|recipient|mailbox|address|account|e?-?mail account|addressee|customer|local.part)';
const MISSING =
  '(?:unknown|not found|not known|invalid|unavailable|(?:does not|doesn.t|do not) (?:exist|have)|no longer|not (?:a )?valid|' +
  'not available|disabled|discontinued|deactivated|inactive|suspended|closed|deleted)';
const UNKNOWN_MAILBOX = [
  `\\b(?:no such|unknown|invalid|non.?existent|no|bad destination|not a valid|not our) ${MAILBOX}\\b`,
  `\\b${MAILBOX}\\b(?:[^.]{0,60}?\\b(?:is|was|has been))?[ :-]{1,3}${MISSING}\\b`,
  `\\baccount that you tried to reach (?:does not exist|is (?:disabled|inactive))`,
  'unrouteable address',
  'no mailbox here by that name',
];

const NO_MAILBOX_WORDS = new RegExp(UNKNOWN_MAILBOX.join('|'), 'i');
const FULL_WORDS =
  /\b(?:mailbox|account|user|recipient)\b.{0,40}\b(?:full|over ?quota|quota|exceeded)\b|\bover ?quota\b|quota exceeded/i;
const REFUSED_RECIPIENT_WORDS = new RegExp(
  `\\b${MAILBOX}\\b[^.]{0,40}\\b(?:rejected|refused|denied|restricted|blocked|not (?:allowed|permitted|accept\\w*|local))\\b`,
  'i',
);
const SENDER_WORDS =
  /\bsender\b|\bmail from\b|\bfrom (?:address|domain)\b|not owned by|\bspf\b|\bdkim\b|\bdmarc\b|unauthenticated/i;
const CLIENT_WORDS =
  /client host|client was not auth|blocked using|\b(?:block|black|deny).?list|\b(?:dnsb|rb)l\b|spamhaus|reputation|\b(?:ptr|reverse dns|rdns)\b|\b(?:helo|ehlo)\b|\bIPs?\b|\byour (?:host|server|network|domain)\b|too many/i;
const RELAY_WORDS =
  /\brelay(?:ing)?\b(?! recipient)|rcpthosts|authenticat(?:e|ion)\b.{0,20}\b(?:required|first)|must (?:authenticate|issue)|not logged in|starttls/i;
const MESSAGE_WORDS =
  /\b(?:spam|virus|malware|phish\w*|unsolicited|bulk|content)\b|\bmessage\b[^.]{0,40}\b(?:rejected|refused|blocked|not (?:allowed|accepted))|\bthis message\b/i;
const POLICY_WORDS = /polic|denied|blocked|prohibit|not authori[sz]ed|unauthori[sz]ed/i;
const SLOW_DOWN_WORDS = /\brate\b|\btoo (?:many|much|fast|quickly)\b|throttl|slow down/i;
const TOO_OFTEN_WORDS = /too (?:many|much|fast|quickly)|at a rate/i;

/** The server knows the recipient. */
const KNOWS_RECIPIENT = ['rcpt', 'data'] as const;
const TEMPORARY = /^4/;
const FINAL = /^5/;

/**
 * What the refusals of mail servers mean. The phase alone does not tell: Postfix reports refusals of the client, its HELO name and the
 * sender only at RCPT. The codes alone do not tell: Outlook answers 5.5.0, which is about the protocol, for a mailbox that does not exist.
 * So words that name the sender or the client come first, then codes that say enough, then words, then codes that say little.
 */
export const REFUSALS: readonly RefusalRow[] = [
  // For now.
  {
    name: 'the mailbox gets too much at once',
    fault: 'recipient_for_now',
    phases: KNOWS_RECIPIENT,
    code: /^[45]/,
    enhanced: /^2\./,
    words: TOO_OFTEN_WORDS,
  },
  { name: 'too many messages', fault: 'slow_down', code: TEMPORARY, words: SLOW_DOWN_WORDS },
  {
    name: 'greylisting',
    fault: 'recipient_for_now',
    phases: KNOWS_RECIPIENT,
    code: TEMPORARY,
    words: /gr[ae]y.?list/i,
  },
  { name: 'the sender or the client, for now', fault: 'channel_for_now', code: TEMPORARY, words: SENDER_WORDS },
  { name: 'the client, for now', fault: 'channel_for_now', code: TEMPORARY, words: CLIENT_WORDS },
  {
    name: 'the mailbox or its domain, for now',
    fault: 'recipient_for_now',
    phases: KNOWS_RECIPIENT,
    code: TEMPORARY,
    enhanced: /^(?:1\.[0-6]|2\.\d+|4\.\d+)$/,
  },
  {
    name: 'a full mailbox, for now',
    fault: 'recipient_for_now',
    phases: KNOWS_RECIPIENT,
    code: TEMPORARY,
    words: FULL_WORDS,
  },
  { name: 'a mailbox in use', fault: 'recipient_for_now', phases: ['rcpt'], code: /^450/, enhanced: /^$/ },
  { name: 'anything else, for now', fault: 'channel_for_now', code: TEMPORARY },

  // Before the server knows the recipient.
  {
    name: 'a message that is too large',
    fault: 'message',
    phases: ['mail', 'rcpt', 'data'],
    code: FINAL,
    enhanced: /^(?:3\.4|2\.3)$/,
  },
  {
    name: 'the content, or letters beyond ASCII in an address',
    fault: 'message',
    phases: ['mail', 'rcpt', 'data'],
    code: FINAL,
    enhanced: /^(?:6\.\d+|7\.7|7\.16)$/,
  },
  { name: 'a size that is announced and too large', fault: 'message', phases: ['mail'], code: /^552/ },
  { name: 'the greeting, the login or the sender', fault: 'channel', phases: ['open', 'mail'], code: FINAL },

  // About our session, although the server knows the recipient.
  {
    name: 'a domain that Outlook.com does not accept mail from',
    fault: 'channel',
    isCertain: true,
    code: FINAL,
    enhanced: /^7\.515$/,
  },
  { name: 'a command out of order, a missing login', fault: 'channel', code: /^(?:503|530|534|535|538)/ },
  {
    name: 'a recipient with a list of senders',
    fault: 'recipient',
    phases: KNOWS_RECIPIENT,
    code: FINAL,
    enhanced: /^7\.(?:2|17|18|1[23]\d)$/,
  },
  {
    name: 'a recipient that Exchange restricts',
    fault: 'recipient',
    phases: KNOWS_RECIPIENT,
    code: FINAL,
    words: /RESOLVER\.RST/i,
  },
  { name: 'the address of the sender', fault: 'channel', code: FINAL, enhanced: /^1\.[78]$/ },
  {
    name: 'authentication of the sender or the client',
    fault: 'channel',
    code: FINAL,
    enhanced: /^7\.(?:[3-6]|[89]|1[0-4]|2\d|30|64|[567]\d\d)$/,
  },
  { name: 'the sender, in words', fault: 'channel', code: FINAL, words: SENDER_WORDS },
  { name: 'the client, in words', fault: 'channel', code: FINAL, words: CLIENT_WORDS },
  { name: 'no relay', fault: 'channel', code: FINAL, words: RELAY_WORDS },

  // Codes that say enough.
  { name: 'no such mailbox or domain', fault: 'no_mailbox', code: FINAL, enhanced: /^(?:1\.[1236]|1\.10|4\.310)$/ },
  {
    name: 'no such mailbox at Microsoft 365',
    fault: 'no_mailbox',
    code: FINAL,
    enhanced: /^4\.1$/,
    words: /recipient address rejected/i,
  },
  { name: 'a domain without mail', fault: 'no_mailbox', phases: ['rcpt'], code: /^556/ },
  { name: 'a full mailbox', fault: 'recipient', code: FINAL, enhanced: /^2\.2$/ },
  { name: 'a message that the mailbox refuses', fault: 'message', code: FINAL, enhanced: /^2\./, words: MESSAGE_WORDS },
  { name: 'a disabled mailbox', fault: 'no_mailbox', code: FINAL, enhanced: /^2\.1$/ },
  { name: 'another state of the mailbox', fault: 'recipient', code: FINAL, enhanced: /^2\./ },

  // Words.
  { name: 'a full mailbox, in words', fault: 'recipient', code: FINAL, words: FULL_WORDS },
  { name: 'no such mailbox, in words', fault: 'no_mailbox', code: FINAL, words: NO_MAILBOX_WORDS },
  { name: 'the content, in words', fault: 'message', code: FINAL, words: MESSAGE_WORDS },
  { name: 'the recipient, in words', fault: 'recipient', code: FINAL, words: REFUSED_RECIPIENT_WORDS },

  // Codes that say little.
  { name: 'the way to the recipient', fault: 'recipient', code: FINAL, enhanced: /^[14]\./ },
  { name: 'the server, the protocol or a policy', fault: 'channel', code: FINAL, enhanced: /^[357]\./ },
  { name: 'the content, without a reason', fault: 'message', phases: ['data'], code: FINAL },
  { name: 'a policy, in words', fault: 'channel', code: FINAL, words: POLICY_WORDS },
  { name: 'the mailbox, without a reason', fault: 'recipient', code: /^(?:501|550|551|552|553)/ },
  { name: 'anything else', fault: 'channel_for_now', code: /^/ },
];

// The second form is that of qmail and of Cisco's servers: `550 sorry, no mailbox here by that name. (#5.1.1)`.
const ENHANCED_CODE = /^\d{3}[ -][45]\.(\d{1,3})\.(\d{1,3})\b|#[45]\.(\d{1,3})\.(\d{1,3})\b/;
const LINE_START = /^\d{3}(?:[ -](?:[45]\.\d{1,3}\.\d{1,3}\b)?|$)/gm;
// Their words are not the server's: a recipient may be called `unknown`.
const ADDRESS_OR_LINK = /<[^<>\n]*>|\bhttps?:\/\/\S+|[^\s<>()]+@[^\s<>()]+/g;
/** No server needs more words to say whose fault it is. */
const MAX_RESPONSE = 2000;

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

/** Whether a server's answer says that there is no such mailbox. */
export const isNoMailbox = (response: string): boolean => refusalOf('rcpt', response).fault === 'no_mailbox';

/** The words of all lines of a response. */
function wordsOf(text: string): string {
  return text.replace(LINE_START, ' ').replace(ADDRESS_OR_LINK, ' ').replace(/\s+/g, ' ').trim();
}
