import { fieldError } from '../../../platform/field/error/field-error.js';
import type { FieldErrorCode } from '../../../platform/field/error/field-error.js';
import type { MessageSender, SenderProblem } from '../../dispatcher.js';
import { domainOf, parseMailbox } from '../address.js';
import { problemWithHeaderName } from './header-name.js';

const MAX_HEADERS = 20;

/** The longest line of a mail. */
const MAX_VALUE_LENGTH = 998;

/** How much of a wrong mailbox is shown. */
const MAX_SHOWN = 100;

/** The problems of a sender, the first one of each part. `fromDomains`: those it may send from; null: they are not known yet. */
export function checkSender(
  { from, reply_to: replyTo, headers }: MessageSender,
  fromDomains: readonly string[] | null,
): SenderProblem[] {
  const problems: SenderProblem[] = [];
  const add = (part: SenderProblem['part'], code: FieldErrorCode, sentence: string) =>
    problems.push({ part, ...fieldError(code, sentence) });
  if (from) {
    const mailbox = parseMailbox(from);
    if (mailbox === null) add('from', 'invalid_format', notOneAddress(from));
    else if (fromDomains?.includes(domainOf(mailbox.address)) === false)
      add('from', 'not_allowed', notListed(domainOf(mailbox.address), fromDomains));
  }
  if (replyTo && parseMailbox(replyTo) === null) add('reply_to', 'invalid_format', notOneAddress(replyTo));
  for (const [name, value] of Object.entries(headers ?? {})) {
    const part = `headers.${name}` as const;
    const problem = problemWithHeaderName(name);
    if (problem !== null) add(part, 'not_allowed', problem);
    else if (value.length > MAX_VALUE_LENGTH)
      add(part, 'too_long', `must have at most ${MAX_VALUE_LENGTH} characters, not ${value.length}`);
  }
  return [...problems, ...checkNames(Object.keys(headers ?? {}))];
}

function checkNames(names: string[]): SenderProblem[] {
  if (names.length > MAX_HEADERS)
    return [{ part: 'headers', ...fieldError('too_many', `must have at most ${MAX_HEADERS} names`) }];
  const lower = names.map((name) => name.toLowerCase());
  return names
    .filter((_, i) => lower.indexOf(lower[i]!) < i)
    .map((name) => ({ part: `headers.${name}`, ...fieldError('duplicate', 'is listed twice: case does not count') }));
}

const notOneAddress = (text: string) =>
  `must be one e-mail address, such as Acme <shop@acme.test>, not "${text.slice(0, MAX_SHOWN)}"`;

const notListed = (domain: string, allowed: readonly string[]) =>
  `must be an address of ${allowed.join(' or ')}, not of ${domain}: the from_domains of the channel list more domains`;
