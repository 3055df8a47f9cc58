import type { Dispatcher } from '../../../dispatcher/dispatcher.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { RuleChannel } from '../../../rules/ruleset/decide.js';
import type { RuleStep } from '../../../rules/ruleset/rule.js';
import { userQuery } from '../../../rules/ruleset/user-query.js';
import { judgedUsers } from '../../../rules/ruleset/users.sql.js';
import type { UserQueryText } from '../../../rules/ruleset/users.sql.js';

/** More users are not looked at: somebody will have an address. */
export const MOST_REACHED = 1000;

export const STEP_REACH: UserQueryText = (audience, variant) => `
  with ${judgedUsers(audience, variant)}
  select count(*)::int users, count(*) filter (where gate is null)::int reached from judged`;

export type StepReach = { users: number; reached: number };

/** Null: somebody is reached. */
export function nobodyOf(step: number, slug: string, { users, reached }: StepReach): string | null {
  if (users === 0) return `nobody is meant by step ${step} over ${slug}: it has no recipients`;
  return reached === 0
    ? `nobody is reached by step ${step} over ${slug}: no recipient is active and has an address`
    : null;
}

/** Warns of steps whose own users are nobody, or cannot be reached. What holds during the incident is another question, so it is no error. */
export async function warningsOfSteps(
  tx: Transaction,
  dispatchers: ReadonlyMap<string, Dispatcher>,
  id: number,
): Promise<{ field: string; sentence: string }[]> {
  const { organizationId, steps, templates } = await tx.notification.findUniqueOrThrow({
    where: { id },
    select: { organizationId: true, steps: true, templates: { select: { channel: true } } },
  });
  const channels = new Map(templates.map(({ channel }) => [channel.id, channel as unknown as RuleChannel]));
  const warnings: { field: string; sentence: string }[] = [];
  for (const [i, { to, channels: own }] of ((steps ?? []) as unknown as RuleStep[]).entries()) {
    if (!to) continue;
    const field = `steps[${i}].to`;
    const rule = { lists: to.lists, audience: to.audience ?? null };
    for (const channelId of own) {
      const users = { organizationId, rule, channelId, channels, dispatchers, only: null, choices: null };
      const { text, values } = userQuery(users, { after: 0, limit: MOST_REACHED }, STEP_REACH);
      const [reach] = await tx.$queryRawUnsafe<StepReach[]>(text, ...values);
      const sentence = nobodyOf(i + 1, channels.get(channelId)!.slug, reach!);
      if (sentence) warnings.push({ field, sentence });
    }
  }
  return warnings;
}
