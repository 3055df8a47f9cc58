import type { Gate, OccurrenceStatus } from '../../platform/database/generated/prisma/enums.js';
import type { Decision } from '../../rules/ruleset/decide.js';
import { gatesOf } from './counts.js';
import type { DeliveryGroup } from './counts.js';

export const OCCURRENCE_WARNINGS = ['unknown_users', 'nobody', 'nothing_ended'] as const;

/** Something about an occurrence that is probably a mistake. */
interface OccurrenceWarning {
  kind: (typeof OCCURRENCE_WARNINGS)[number];
  detail: string;
}

interface Warned {
  status: OccurrenceStatus;
  decisions: Decision[] | null;
  groups: DeliveryGroup[];
  /** The first names of its options that are not users now. */
  unknownUsers: string[];
  /** The threads whose steps the trigger ended. */
  ended: object[];
  nothingEnded: string | null;
}

/** A message that was skipped for one of these reasons was on its way. */
const LATER: readonly Gate[] = ['digested', 'expired', 'canceled'];

export function warningsOf({
  status,
  decisions,
  groups,
  unknownUsers,
  ended,
  nothingEnded,
}: Warned): OccurrenceWarning[] {
  const warnings: OccurrenceWarning[] = [];
  if (unknownUsers.length > 0)
    warnings.push({ kind: 'unknown_users', detail: `Not users: ${unknownUsers.join(', ')}.` });
  const isReached = groups.some((group) => group.status !== 'skipped' || (group.gate && LATER.includes(group.gate)));
  if (nothingEnded !== null) warnings.push({ kind: 'nothing_ended', detail: nothingEnded });
  // To end steps is enough: such an event needs no notifications.
  const isForSteps = (ended.length > 0 || nothingEnded !== null) && (decisions ?? []).length === 0;
  if (status === 'expanded' && !isReached && !isForSteps)
    warnings.push({ kind: 'nobody', detail: `The trigger reached nobody: ${whyNobody(decisions ?? [], groups)}.` });
  return warnings;
}

function whyNobody(decisions: Decision[], groups: DeliveryGroup[]): string {
  if (decisions.length === 0) return 'the event had no notifications';
  if (groups.length > 0) {
    const gates = Object.entries(gatesOf(groups)).map(([gate, count]) => `${gate} ${count}`);
    return `all deliveries were skipped (${gates.join(', ')})`;
  }
  const applies = decisions.some(({ verdict }) => verdict === 'matched');
  return applies ? 'the notifications that apply had no recipients' : 'no notification applied';
}
