import { parseAddress } from '../email/address.js';
import { isNoMailbox } from '../email/refusals.js';
import type { ReportedEvent, ReportKind } from '../report/report.js';
import type { Fields } from './report-parts.js';

/** The mail that a report is about. */
interface SentMail {
  reference: string;
  /** The address that it was sent to; empty if it is not known any more. */
  recipient: string;
}

const KINDS: ReadonlyMap<string, ReportKind> = new Map([
  ['delayed', 'delayed'],
  ['delivered', 'delivered'],
  // To a server that does not report, or to the addresses of a list: our receiver has accepted it.
  ['relayed', 'delivered'],
  ['expanded', 'delivered'],
  ['failed', 'soft_bounced'],
]);

/** What a delivery status (RFC 3464) says about one recipient; null: nothing that we know. `failed`: as in `ReportMail`. */
export function statusEvent(
  fields: Fields,
  failed: readonly string[],
  { reference, recipient }: SentMail,
  now: Date,
): ReportedEvent | null {
  const action = /^[a-z]+/.exec((fields.action ?? '').toLowerCase())?.[0] ?? '';
  const usual = KINDS.get(action);
  if (usual === undefined) return null;
  const status = /^[245]\.\d{1,3}\.\d{1,3}\b/.exec(fields.status ?? '')?.[0] ?? '';
  const words = (fields['diagnostic-code'] ?? '').replace(/^[\w-]+ *; */, '');
  const other = otherRecipient(addressIn(fields['final-recipient']), failed, recipient);
  // The address behind ours is wrong, and its owner may correct that: ours exists.
  const kind = action === 'failed' && other === null && isNoMailbox(responseOf(status, words)) ? 'bounced' : usual;
  const detail = /^\d{3}\b/.test(words) ? words : `${status} ${words || action}`.trim();
  return {
    // Without an address: what is erased with a user must not stay here. A mail has few reports, so this tells them apart.
    eventId: `dsn ${kind} ${action} ${status}`,
    kind,
    at: now,
    reference,
    detail: other === null ? detail : `forwarded to ${other}: ${detail}`,
  };
}

/**
 * The address that a report is about if it is not ours: the mail was forwarded there; null: it is ours, or ours is not known. Postfix and
 * others name it as the final recipient. Exim names ours there, and the address that has failed only in a header.
 */
function otherRecipient(final: string, failed: readonly string[], ours: string): string | null {
  if (ours === '') return null;
  if (final !== '' && !isSame(final, ours)) return final;
  return failed.length === 0 || failed.some((each) => isSame(each, ours)) ? null : failed[0]!;
}

/**
 * The answer of a mail server, as the table of refusals reads it: a basic code, an enhanced one, words. The codes of the server win over
 * the status of the report: a mail that was given up has the status 5, although the server only ever said 4.
 */
function responseOf(status: string, words: string): string {
  const says = /\.0\.0$/.test(status) ? '' : status;
  const [, code, rest = ''] = /^([245]\d\d)(?:[ -]+(.*))?$/s.exec(words) ?? [];
  if (code === undefined) return `${status.charAt(0) || 5}50 ${says} ${words}`;
  const isComplete = /^[245]\.\d/.test(rest) || says.charAt(0) !== code.charAt(0);
  return isComplete ? words : `${code} ${says} ${rest}`;
}

/** The address in a field such as `rfc822; ann@acme.test`. */
const addressIn = (field = ''): string =>
  field
    .replace(/^[\w-]+ *; */, '')
    .replace(/^<(.*)>$/, '$1')
    .trim();

/** Servers write an address in upper case, with a domain in another form, or with characters escaped (RFC 3461). */
function isSame(given: string, ours: string): boolean {
  const plain = (text: string) => (parseAddress(text) ?? text).toLowerCase();
  const unescaped = given.replace(/\+([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return plain(given) === plain(ours) || plain(unescaped) === plain(ours);
}
