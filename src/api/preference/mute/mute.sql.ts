/** The most threads that a user mutes at a time. */
export const MAX_MUTED_THREADS = 200;

const DAYS = 90;

/** What a user has muted, the newest first. $1 user, $2 project, $3 application, or null: all. */
export const MUTED_THREADS = `
  select x.id, p.slug || '/' || a.slug application, a.name "applicationName", x.field thread, x.value,
         x.chosen_at "chosenAt", x.chosen_by::text "chosenBy", x.ends_at "endsAt"
  from muted_threads x join applications a on a.id = x.application_id join projects p on p.id = a.project_id
  where x.user_id = $1 and x.ends_at > now() and ($2::int is null or p.id = $2) and ($3::int is null or a.id = $3)
  order by x.chosen_at desc, x.id desc limit ${MAX_MUTED_THREADS}`;

/** Applications by their path. $1 organization, $2 paths. They cannot be deleted before the transaction ends. */
export const FIND_APPLICATIONS = `
  select a.id, p.slug || '/' || a.slug path
  from projects p join applications a on a.project_id = p.id
  where p.organization_id = $1 and p.slug || '/' || a.slug = any($2::text[]) order by 2 for key share of a`;

/** The columns of threads: $3 applications, $4 fields, $5 values. */
const THREADS = 'unnest($3::int[], $4::text[], $5::text[]) t(application, field, value)';

/** To mute again counts from now. $1 organization, $2 user, then THREADS, $6 who chose. */
export const MUTE_THREADS = `
  insert into muted_threads (organization_id, user_id, application_id, field, value, chosen_by, ends_at)
  select $1::int, $2::int, t.application, t.field, t.value, $6::chosen_by, now() + interval '${DAYS} days' from ${THREADS}
  on conflict (user_id, application_id, field, value)
  do update set chosen_by = excluded.chosen_by, chosen_at = now(), ends_at = excluded.ends_at`;

/** The oldest above the most that are stored, and those that have ended. $1 user. */
export const FORGET_OLDEST = `
  delete from muted_threads where user_id = $1::int and id not in (
    select id from muted_threads where user_id = $1 and ends_at > now() order by chosen_at desc, id desc limit ${MAX_MUTED_THREADS})`;

/** $1 organization, $2 user, then THREADS. */
export const UNMUTE_THREADS = `
  delete from muted_threads x using ${THREADS}
  where x.organization_id = $1::int and x.user_id = $2::int and x.application_id = t.application and x.field = t.field and x.value = t.value`;

/** $1 organization, $2 user, $3 ids. */
export const UNMUTE_IDS = `delete from muted_threads where organization_id = $1 and user_id = $2 and id = any($3::int[])`;
