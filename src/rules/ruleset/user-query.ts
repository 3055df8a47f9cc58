import { compileAudience } from '../condition/audience.js';
import type { Audience } from '../condition/audience.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { variantOf } from './choices.js';
import type { Choices } from './choices.js';
import { addressKindOf } from './decide.js';
import type { RuleChannel } from './decide.js';
import { FIRST_FREE_PARAMETER, userQueryValues } from './users.sql.js';
import type { UserQuery, UserQueryText } from './users.sql.js';
import type { Rule } from './rule.js';

/** The users of one rule over one channel. */
export interface RuleUsers {
  organizationId: number;
  rule: Pick<Rule, 'lists' | 'audience' | 'to'>;
  channelId: number;
  channels: ReadonlyMap<number, RuleChannel>;
  dispatchers: ReadonlyMap<string, Dispatcher>;
  /** Only these users; null: everyone. Never null for a rule with `to`: it means nobody else. */
  only: number[] | null;
  choices: Choices | null;
}

/**
 * A statement about the users of a rule over a channel. The parameters are those of `UserQuery`, then `more`, then those of the audience.
 */
export function userQuery(
  { organizationId, rule, channelId, channels, dispatchers, only, choices }: RuleUsers,
  { after, limit }: Pick<UserQuery, 'after' | 'limit'>,
  textFor: UserQueryText,
  more: unknown[] = [],
): { text: string; values: unknown[] } {
  const audience = audienceOf(rule, only, FIRST_FREE_PARAMETER + more.length);
  const addressKind = addressKindOf(channels.get(channelId), dispatchers);
  const users = userQueryValues({
    organizationId,
    channelId,
    addressKind,
    lists: rule.lists,
    after,
    limit,
    only,
    choices,
  });
  return {
    text: textFor(audience?.sql ?? null, variantOf(choices)),
    values: [...users, ...more, ...(audience?.values ?? [])],
  };
}

/** The users that a rule with `to` names are all that it means: it has neither lists nor an audience. */
function audienceOf({ to, audience }: RuleUsers['rule'], only: number[] | null, firstParameter: number) {
  if (to === undefined) return audience ? compileAudience(audience as Audience, firstParameter) : null;
  if (only === null) throw new Error('a rule with `to` was asked for everyone');
  return { sql: 'true', values: [] };
}
