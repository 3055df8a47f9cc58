import { fieldsIn, reportPartsOf } from './report-parts.js';
import type { Fields } from './report-parts.js';

/** A mail that reports about another one, in the form that programs read (RFC 6522). */
export type ReportMail =
  /** RFC 3464: what became of a mail, for each of the addresses that it went to. `failed`: the addresses that Exim names in a header. */
  | { kind: 'status'; recipients: readonly Fields[]; failed: readonly string[] }
  /** RFC 5965: what a recipient thinks of it. `original` is the head of the mail. */
  | { kind: 'feedback'; feedback: Fields; original: Fields };

const STATUS = /^message\/(?:global-)?delivery-status$/;
const FEEDBACK = /^message\/feedback-report$/;
const ORIGINAL = /^(?:message\/(?:rfc822|global)|text\/rfc822-headers|message\/(?:global|rfc822)-headers)$/;

/** A mail has one recipient. It has more only if that is a list. */
const MAX_RECIPIENTS = 50;
/** With the group before them, and some to spare. */
const MAX_GROUPS = 60;

/**
 * Reads a mail, or its beginning: the returned mail comes last. Null: it is not such a report, but an automatic reply, a confirmation of
 * reading, or a bounce in words only.
 */
export function readReportMail(raw: Buffer): ReportMail | null {
  const parts = reportPartsOf(raw);
  if (!parts) return null;
  const status = parts.part(STATUS);
  if (status !== '') return { kind: 'status', recipients: recipientsIn(status), failed: failedIn(parts.head) };
  const feedback = parts.part(FEEDBACK);
  return feedback === ''
    ? null
    : { kind: 'feedback', feedback: fieldsIn(feedback), original: fieldsIn(parts.part(ORIGINAL)) };
}

const failedIn = (head: Fields): string[] =>
  (head['x-failed-recipients'] ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .slice(0, MAX_RECIPIENTS);

/** The groups of fields that are each about one recipient. The group before them, about the whole mail, has no action. */
const recipientsIn = (status: string): Fields[] =>
  status
    .split(/\n\s*\n/, MAX_GROUPS)
    .map(fieldsIn)
    .filter(({ action }) => action !== undefined)
    .slice(0, MAX_RECIPIENTS);
