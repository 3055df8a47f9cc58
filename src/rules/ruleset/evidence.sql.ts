import { CHOICE_COLUMNS } from './choices.js';
import { choiceFrom, mutedBy } from './choices.sql.js';

/** SQL for a user whose choices, or whose address, kept a message back. */
interface KeptBackSql {
  organization: string;
  user: string;
  /** The id of the address. */
  address: string;
  /** `Choices` as JSON. */
  choices: string;
}

/** Columns of `ChoiceFacts`, from the tables of `foundFrom`. */
export const FOUND_CHOICE = `
         case when p.id is not null then jsonb_build_object(
           'about', case when p.event_id is not null then 'event' when p.category_id is not null then 'category' else 'everything' end,
           'name', coalesce((select name from events where id = p.event_id), (select name from categories where id = p.category_id)),
           'channelType', p.channel_type, 'isOn', p.is_on, 'by', p.chosen_by, 'at', p.chosen_at) end`;
export const FOUND_DEFAULT = `
         case when p.id is null and g.id is not null then jsonb_build_object(
           'category', g.slug, 'name', g.name, 'default', g."default", 'channels', g.channels, 'channelType', t.channel_type) end`;
export const FOUND_SUPPRESSION = `
         case when s.id is not null then jsonb_build_object('value', s.value, 'cause', s.cause, 'since', s.created_at, 'evidence', s.evidence) end`;

/** Since when a user has muted the thread of a target `t`. */
export const foundMuted = (user: string) => `
         (select jsonb_build_object('field', x.field, 'value', x.value, 'by', x.chosen_by, 'at', x.chosen_at, 'until', x.ends_at) from ${mutedBy(user)})`;

/** The choice `p`, the category `g` and the suppression `s` that decide for a user and a target `t`. */
export const foundFrom = (user: Parameters<typeof choiceFrom>[0]) => `
    ${choiceFrom(user)}
    left join preferences p on p.id = choice.id
    left join categories g on g.id = t.category
    left join suppressions s on s.id = suppressed.id`;

/**
 * What the gate of a delivery found, to be stored with it: choices and suppressions may change later. Null for a gate that says it all. It
 * runs for the rows with such a gate only.
 */
export const evidenceOf = (gate: string, { organization, user, address, choices }: KeptBackSql) => `
           case when ${gate} in ('suppressed', 'opted_out', 'muted') then (
             select jsonb_strip_nulls(case ${gate} when 'suppressed' then jsonb_build_object('suppression', ${FOUND_SUPPRESSION})
                                        when 'muted' then jsonb_build_object('muted', ${foundMuted(user)})
                                      else jsonb_build_object('choice', ${FOUND_CHOICE}, 'default', ${FOUND_DEFAULT}) end)
             from jsonb_to_record(${choices}) t(${CHOICE_COLUMNS})
             left join addresses a on a.id = ${address}
             ${foundFrom({ organization, user, addressKind: 'a.name', address: 'a.value' })}
           ) end`;
