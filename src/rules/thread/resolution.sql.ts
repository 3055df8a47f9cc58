/** SQL for an occurrence, and for the value and the field of one of its threads. */
interface ThreadSql {
  occurrence: string;
  /** In hexadecimal digits: `hashOfValue`. */
  value: string;
  field: string;
}

/**
 * The triggers `r` that ended the steps of a thread: those after the occurrence in its application. The ids decide between two of the same millisecond, so
 * that neither of two triggers can end the steps of the other. Subqueries and no joins: a join that was planned while the table was empty would read all of it.
 */
export const resolutionsOf = ({ occurrence, value, field }: ThreadSql) => `
    thread_resolutions r
    where r.application_id = (select e.application_id from occurrences o join events e on e.id = o.event_id where o.id = ${occurrence})
      and r.value = decode(${value}, 'hex')
      and (r.event_id is null or (r.event_id = (select event_id from occurrences where id = ${occurrence}) and r.field = ${field}))
      and (r.at, r.occurrence_id) > (select created_at, id from occurrences where id = ${occurrence})`;

/** The first trigger that ended the steps of each of these threads of an occurrence. $1: occurrence, $2: notifications, $3: values, $4: fields. */
export const LOAD_RESOLUTIONS = `
  select t.notification, r.occurrence, r.at
  from unnest($2::int[], $3::text[], $4::text[]) t(notification, value, field)
  cross join lateral (
    select r.occurrence_id occurrence, r.at from ${resolutionsOf({ occurrence: '$1::uuid', value: 't.value', field: 't.field' })}
    order by r.at, r.occurrence_id limit 1
  ) r`;
