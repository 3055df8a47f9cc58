import type { Digest } from '../../rules/ruleset/message.js';
import type { FreshTarget } from '../deliver/send-fresh.js';
import type { LoadedOccurrence } from './batch-loader.js';
import type { BatchChannel, MadeRow } from './expand-small-rows.js';

interface Origin extends LoadedOccurrence {
  digest: Digest | null;
}

/** What is sent to the user of a delivery that was just made. More users of the same occurrence, notification and channel may join it. */
export function freshTarget(
  row: MadeRow,
  { occurrence, event, rules, digest }: Origin,
  channel: BatchChannel,
): FreshTarget {
  const isOff = event.off !== null || event.offNotifications.includes(row.notification) || !channel.enabled;
  const shared = {
    ...event,
    eventId: event.id,
    digest,
    rules,
    context: occurrence.context,
    options: occurrence.options,
    createdAt: new Date(occurrence.createdAt),
  };
  return {
    occurrence: row.occurrence,
    notification: row.notification,
    channel,
    isOff,
    shared,
    recipients: [row],
  };
}
