import type { Counts, OccurrenceDetail } from '@carillon/client';
import { text } from '../../../text/text';

export type Verb = 'approve' | 'cancel' | 'retry' | 'replay';

export interface Offer {
  verb: Verb;
  title: string;
  /** What happens then. */
  consequence: string;
  /** The label of the button that does it. */
  label: string;
  isDanger?: boolean;
  isFirst?: boolean;
}

export interface Outcome {
  text: string;
  /** The occurrence that a replay made. */
  occurrence?: string;
}

/** What can be done with an occurrence as it is now. */
export function offersOf({ status, done, priority }: OccurrenceDetail, counts: Counts, mayCritical: boolean): Offer[] {
  const { steer } = text;
  const offers: Offer[] = [];
  const isHeld = status === 'held';
  if (isHeld)
    offers.push({
      verb: 'approve',
      title: steer.approveTitle,
      consequence: steer.approveText,
      label: steer.approveDo,
      isFirst: true,
    });
  if (!done && status !== 'canceled') {
    const numbers = steer.cancelText(steer.some(counts.pending), steer.some(counts.sent));
    const consequence = isHeld ? steer.cancelHeld : counts.total === 0 ? steer.cancelEarly : numbers;
    offers.push({ verb: 'cancel', title: steer.cancelTitle, consequence, label: steer.cancelDo, isDanger: true });
  }
  if (status === 'failed' || (counts.dead > 0 && status !== 'canceled')) {
    const consequence = status === 'failed' ? steer.retryFailed : steer.retryText(steer.some(counts.dead));
    offers.push({ verb: 'retry', title: steer.retryTitle, consequence, label: steer.retryDo });
  }
  if (priority !== 'critical' || mayCritical) {
    const consequence = steer.replayText(steer.some(counts.sent));
    offers.push({ verb: 'replay', title: steer.replayTitle, consequence, label: steer.replayDo });
  }
  return offers;
}
