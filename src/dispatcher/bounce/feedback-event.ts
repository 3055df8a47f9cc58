import type { ReportedEvent } from '../report/report.js';
import type { BounceAddresses } from './bounce-address.js';
import type { Fields } from './report-parts.js';

/** What a recipient reports about a mail. `not-spam`, `virus`, `auth-failure` and others are not complaints. */
const COMPLAINTS = new Set(['abuse', 'fraud']);

/** What a feedback report (RFC 5965) says about a mail; null: it is not a complaint. */
export function feedbackEvent(feedback: Fields, reference: string, now: Date): ReportedEvent | null {
  const type = (feedback['feedback-type'] ?? '').toLowerCase();
  if (!COMPLAINTS.has(type)) return null;
  const by = feedback['user-agent'];
  return { eventId: `arf ${type}`, kind: 'complained', at: now, reference, detail: by ? `${type}, by ${by}` : type };
}

/**
 * The reference of the mail that a feedback report is about. Reports go to the address that was registered for them, so the envelope sender
 * in the report names the mail; null: there is none of ours in it.
 */
export function referenceInFeedback(feedback: Fields, original: Fields, addresses: BounceAddresses): string | null {
  const named = [feedback['original-mail-from'], original['return-path']];
  return named.map((text = '') => addresses.referenceIn(text.replace(/^<(.*)>$/, '$1'))).find(Boolean) ?? null;
}
