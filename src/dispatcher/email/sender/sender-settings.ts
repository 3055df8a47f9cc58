import type { ConfigField } from '../../dispatcher.js';
import { domainOf, parseDomain, parseMailbox, type Mailbox } from '../address.js';

/** Who sends the mails of a channel. */
export interface SenderSettings {
  from: Mailbox;
  replyTo: Mailbox | null;
  /** The domains that a template may send from. */
  fromDomains: readonly string[];
}

const plain = { kind: 'string', required: false, secret: false } as const;

/** The settings of every channel that sends mail. */
export const SENDER_FIELDS: readonly ConfigField[] = [
  { ...plain, key: 'from', label: 'From', required: true, max: 500, help: 'Acme <no-reply@acme.test>' },
  { ...plain, key: 'reply_to', label: 'Reply to', max: 500 },
  {
    ...plain,
    key: 'from_domains',
    label: 'More domains to send from',
    problem: (value) => {
      const wrong = domainsIn(value).find((domain) => parseDomain(domain) === null);
      return wrong === undefined ? null : `must be domains separated by commas, and "${wrong}" is not a domain`;
    },
    help: 'shop.acme.test, acme.example. Templates may send from these domains and from the domain of From; not from their subdomains',
  },
];

/** Reads who sends, or returns the problem. */
export function readSender(config: Readonly<Record<string, unknown>>): SenderSettings | { problem: string } {
  const text = (key: string): string => String(config[key] ?? '');
  const from = parseMailbox(text('from'));
  if (from === null) return { problem: 'the channel’s "from" is not an e-mail address' };
  const replyTo = text('reply_to') === '' ? null : parseMailbox(text('reply_to'));
  if (replyTo === null && text('reply_to') !== '') {
    return { problem: 'the channel’s "reply_to" is not an e-mail address' };
  }
  const listed = domainsIn(text('from_domains')).flatMap((domain) => parseDomain(domain) ?? []);
  return { from, replyTo, fromDomains: [...new Set([domainOf(from.address), ...listed])] };
}

const domainsIn = (text: string): string[] =>
  text
    .split(',')
    .map((domain) => domain.trim())
    .filter(Boolean);
