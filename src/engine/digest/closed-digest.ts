import { isExpired } from '../../rules/ruleset/message.js';
import type { Digest } from '../../rules/ruleset/message.js';
import type { CategoryDigest } from '../../rules/frequency/category-digests.js';
import type { MessageLimit, Rule } from '../../rules/ruleset/rule.js';
import { DEFAULT_MAX_ITEMS } from './gather.sql.js';

/** A locked digest whose time has come. */
export interface DueDigest {
  id: string;
  userId: number;
  settings: {
    digest: Rule['digest'] | CategoryDigest | null;
    rule_limit: Rule['limit'] | null;
    limit_key: string;
    organization_limit: MessageLimit | null;
  };
}

/** A delivery that waits in a digest. */
export interface DigestItem {
  id: string;
  digest: string;
  occurrence: string;
  createdAt: Date;
  expiresAt: string | null;
  /** The length of its context. */
  bytes: number;
}

/** A digest is above a limit: it waits until a time, or, without one, its items are dropped. */
interface Above {
  until: Date | null;
  by: { of: 'notification' | 'organization'; count: number; per: string; since: Date };
}

/** The limit that a digest is above, or the periods in which it takes its places. */
export interface DigestScope {
  above: Above | null;
  rule_since: Date | null;
  organization_since: Date | null;
}

export const NO_PLACES: DigestScope = { above: null, rule_since: null, organization_since: null };

/** What becomes of a digest and its items. */
interface ClosedDigest {
  digest: string;
  /** The id of the occurrence that carries the items. */
  occurrence: string;
  /** The last item that is carried; null: nothing is sent. */
  last: string | null;
  carried: string[];
  expired: string[];
  capped: string[];
  /** The limit that keeps them back. */
  capped_by: Above['by'] | null;
  limit_key: string;
  rule_since: Date | null;
  organization_since: Date | null;
  /** Occurrences whose contexts the templates see. */
  shown: string[];
  facts: Omit<Digest, 'items'> | null;
  /** When the items that are left are sent; null: after another window. */
  until: Date | null;
}

/** As many as templates see, and their contexts together: a digest is stored like a trigger. */
export const MAX_SHOWN = 100;
export const MAX_SHOWN_BYTES = 256 * 1024;

export function closedDigest(
  { id, settings }: DueDigest,
  items: DigestItem[],
  { above, rule_since, organization_since }: DigestScope,
  occurrence: string,
  now: Date,
): ClosedDigest {
  const isLate = ({ expiresAt }: DigestItem) => isExpired(expiresAt === null ? null : new Date(expiresAt), now);
  const expired = idsOf(items.filter(isLate));
  const nothing = {
    digest: id,
    occurrence,
    last: null,
    carried: [],
    expired,
    capped: [],
    capped_by: null,
    limit_key: settings.limit_key,
    rule_since,
    organization_since,
    shown: [],
    facts: null,
    until: null,
  };
  const live = items.filter((item) => !isLate(item));
  if (above?.until) return { ...nothing, until: above.until };
  if (above) return { ...nothing, capped: idsOf(live), capped_by: above.by };
  const carried = live.slice(0, maxItemsOf(settings) ?? DEFAULT_MAX_ITEMS);
  const [first] = carried;
  const last = carried.at(-1);
  if (!first || !last) return nothing;
  const shown = shownOf(carried);
  const count = carried.length;
  const facts = {
    count,
    more: count - shown.length,
    first_at: first.createdAt.toISOString(),
    last_at: last.createdAt.toISOString(),
    ...(settings.digest && 'frequency' in settings.digest && { frequency: settings.digest.frequency }),
  };
  return { ...nothing, last: last.id, carried: idsOf(carried), shown: shown.map((item) => item.occurrence), facts };
}

const maxItemsOf = ({ digest }: DueDigest['settings']) =>
  digest && 'max_items' in digest ? digest.max_items : undefined;

const idsOf = (items: DigestItem[]) => items.map(({ id }) => id);

/** At least one, and then as many as fit. */
function shownOf(items: DigestItem[]): DigestItem[] {
  let bytes = 0;
  return items.slice(0, MAX_SHOWN).filter((item, i) => {
    bytes += item.bytes;
    return i === 0 || bytes <= MAX_SHOWN_BYTES;
  });
}
