import { CHOICE_COLUMNS } from './choices.js';
import type { Choices, Variant } from './choices.js';
import { CHOICE_GATES, CLOCK, CLOCK_OF_ROOM, GATHERING, choiceFrom } from './choices.sql.js';
import { ROOM } from './rule.js';

/** The parameters $1 to $8 of `judgedUsers`. */
export interface UserQuery {
  organizationId: number;
  channelId: number;
  /** The kind of address that the channel needs, if any. */
  addressKind: string | null;
  lists: number[];
  /** The first `limit` users with an id above `after`; null: all of them. */
  after: number;
  limit: number | null;
  /** Only these users; null: everyone. */
  only: number[] | null;
  /** What these users may choose; null: nothing. */
  choices: Choices | null;
}

export function userQueryValues(query: UserQuery): unknown[] {
  const { organizationId, channelId, addressKind, lists, after, limit, only, choices } = query;
  return [organizationId, channelId, addressKind, lists, after, limit, only, choices && JSON.stringify(choices)];
}

/**
 * The users of a list with an id above `after`. Written as a range over list and user, and to be ordered by both: with a plain
 * "list_id = list.id" PostgreSQL may walk the index of users instead, through the members of all other lists.
 */
export const membersAfter = (after: string) => `
        select distinct m.list_id, m.user_id from members m where (m.list_id, m.user_id) > (list.id, ${after}) and m.list_id <= list.id`;

/** Makes the text of a statement about users, from the SQL of the rule's audience, if it has one. */
export type UserQueryText = (audience: string | null, variant: Variant) => string;

/** The first parameter that `judgedUsers` leaves free. */
export const FIRST_FREE_PARAMETER = 9;

/**
 * The next users of one rule over one channel, ordered by id, as the table expressions `recipients` and `judged`. A row of `judged` has
 * the user's address and the gate that keeps the user back, if any; with choices, the user's clock too. Expand, explain and simulate
 * all use this text.
 */
export function judgedUsers(audience: string | null, { choose, gather }: Variant): string {
  return `
  recipients as (
    select user_id, bool_or(by_audience) by_audience
    from (
      select m.user_id, false by_audience
      from unnest($4::int[]) list(id), lateral (
        ${membersAfter('$5')} and (m.channel_id is null or m.channel_id = $2)
          and ($7::int[] is null or m.user_id = any($7))
        order by m.list_id, m.user_id limit $6
      ) m
      ${audience === null ? '' : `union all (${audienceUsers(audience)})`}
    ) candidates
    group by user_id order by user_id limit $6
  ), judged as (
    select p.user_id, a.id address_id, ${gate({ choose })} gate${choose ? `, ${CLOCK}` : ''}${gather ? `, ${GATHERING}` : ''}
    ${judgedFrom(choose ? `recipients p cross join jsonb_to_record($8::jsonb) t(${CHOICE_COLUMNS})` : `recipients p cross join (select $8::jsonb) no_choices`, { organization: '$1', channel: '$2', addressKind: '$3', lists: '$4' }, { choose })}
  )`;
}

/**
 * The room of a target as the only row of `recipients` and `judged`, with the same parameters. Those that only users need stand here too:
 * PostgreSQL must know their types.
 */
export const judgedRoom = ({ choose }: Pick<Variant, 'choose'>) => `
  recipients as (
    select ${ROOM} user_id from (select $3::text, $4::int[], $7::int[], $8::jsonb) of_users
  ), judged as (
    select user_id, null::int address_id, null::gate gate${choose ? `, ${CLOCK_OF_ROOM}` : ''}
    from recipients${choose ? ` cross join jsonb_to_record($8::jsonb) t(${CHOICE_COLUMNS})` : ''}
  )`;

/** Which address of a kind is used: that of the device that was seen last, else the oldest one. */
export const FIRST_ADDRESS = 'seen_at desc nulls last, id';

/** SQL for the target whose users are judged. */
interface TargetSql {
  organization: string;
  channel: string;
  addressKind: string;
  lists: string;
}

/** The gate that keeps back a user, if any. For the tables of `judgedFrom`. */
export const gate = ({ choose }: Pick<Variant, 'choose'>) => `
           case when not (p.by_audience or coalesce(m.active, false)) then 'inactive'
                when u.locked then 'locked'
                when needs_address and a.id is null then 'no_address'${choose ? CHOICE_GATES : ''} end::gate`;

/**
 * The user `u`, the memberships `m` and the address `a` of each user `p`, who is a row of `recipients`. `offset 0` keeps PostgreSQL from
 * reading all users of the installation, or of the organization, to join them with a few users. `choose`: whether `recipients` has a target `t`
 * with the columns of `Choices`.
 */
export const judgedFrom = (
  users: string,
  { organization, channel, addressKind, lists }: TargetSql,
  { choose }: Pick<Variant, 'choose'>,
) => `
    from ${users}
    join lateral (select * from users where id = p.user_id offset 0) u on u.organization_id = ${organization}
    cross join lateral (select ${addressKind}::text is not null needs_address) k
    left join lateral (
      select bool_or(active) active, array_agg(address_id) addresses from members
      where list_id = any(${lists}) and user_id = p.user_id and (channel_id is null or channel_id = ${channel})
    ) m on true
    left join lateral (
      select id, value from addresses where user_id = p.user_id and name = ${addressKind}
      order by coalesce(id = any(m.addresses), false) desc, ${FIRST_ADDRESS} limit 1
    ) a on true
    ${choose ? choiceFrom({ organization, user: 'p.user_id', addressKind, address: 'a.value' }) : ''}`;

/** The users whom no gate keeps back, and the last user that was read, or null when there are no more after that user. */
export const reachedUsers: UserQueryText = (audience, variant) => `
  with ${judgedUsers(audience, variant)}
  select (select max(user_id) from recipients having count(*) = $6) last, array(select user_id from judged where gate is null) reached`;

const audienceUsers = (condition: string) => `
  select u.id, true from users u
  where u.organization_id = $1 and u.id > $5 and ($7::int[] is null or u.id = any($7)) and (${condition})
  order by u.id limit $6`;
