import type { Dispatcher } from '../../../dispatcher/dispatcher.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { RuleChannel } from '../../../rules/ruleset/decide.js';
import type { RuleStep } from '../../../rules/ruleset/rule.js';
import { userQuery } from '../../../rules/ruleset/user-query.js';
import { judgedUsers } from '../../../rules/ruleset/users.sql.js';
import type { UserQueryText } from '../../../rules/ruleset/users.sql.js';

/** More users are not looked at: somebody will have an address. */
const MOST_REACHED = 1000;

const STEP_REACH: UserQueryText = (audience, variant) => `
  with ${judgedUsers(audience, variant)}
  select count(*)::int users, count(*) filter (where gate is null)::int reached from judged`;

type StepReach = { users: number; reached: number };

/** Steps with the channels that they name. */
export interface ReachedSteps {
  organizationId: number;
  steps: readonly RuleStep[];
  channels: ReadonlyMap<number, RuleChannel>;
}

/** A step whose own users are nobody, or cannot be reached over one of its channels. */
export interface UnreachedStep {
  /** From 1. */
  step: number;
  channel: string;
  sentence: string;
}

type Query = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

/** Steps with users of their own that would tell nobody, as things are now. What holds during the incident is another question, so it is no error. */
export async function unreachedSteps(
  { organizationId, steps, channels }: ReachedSteps,
  dispatchers: ReadonlyMap<string, Dispatcher>,
  query: Query,
): Promise<UnreachedStep[]> {
  const unreached: UnreachedStep[] = [];
  for (const [i, { to, channels: own }] of steps.entries()) {
    if (!to) continue;
    const rule = { lists: to.lists, audience: to.audience ?? null };
    for (const channelId of own.filter((id) => channels.has(id))) {
      const users = { organizationId, rule, channelId, channels, dispatchers, only: null, choices: null };
      const { text, values } = userQuery(users, { after: 0, limit: MOST_REACHED }, STEP_REACH);
      const [reach] = await query<StepReach>(text, values);
      const { slug } = channels.get(channelId)!;
      const sentence = nobodyOf(i + 1, slug, reach!);
      if (sentence) unreached.push({ step: i + 1, channel: slug, sentence });
    }
  }
  return unreached;
}

/** Null: somebody is reached. */
function nobodyOf(step: number, slug: string, { users, reached }: StepReach): string | null {
  if (users === 0) return `nobody is meant by step ${step} over ${slug}: it has no recipients`;
  return reached === 0
    ? `nobody is reached by step ${step} over ${slug}: no recipient is active and has an address`
    : null;
}

/** The steps of a notification as it is stored. */
export async function stepsOf(tx: Pick<Transaction, 'notification'>, id: number): Promise<ReachedSteps> {
  const { organizationId, steps, templates } = await tx.notification.findUniqueOrThrow({
    where: { id },
    select: { organizationId: true, steps: true, templates: { select: { channel: true } } },
  });
  const channels = new Map(templates.map(({ channel }) => [channel.id, channel as unknown as RuleChannel]));
  return { organizationId, steps: (steps ?? []) as unknown as RuleStep[], channels };
}
