/** In the order of ids: two processes that write at the same time must not wait for each other. $1: organizations, $2: bytes. */
export const ADD_STORED_BYTES = `
  insert into organization_usage as u (organization_id, stored_bytes)
  select o.id, a.bytes from unnest($1::int[], $2::bigint[]) a(id, bytes) join organizations o using (id) order by o.id
  on conflict (organization_id) do update set stored_bytes = u.stored_bytes + excluded.stored_bytes`;

/** The usage of one organization $1. It reads only rows of the organization, by index. */
export const GET_USAGE = `
  select o.quotas, coalesce(u.stored_bytes, 0)::float8 "storedBytes", u.measured_at "measuredAt",
         (select count(*)::int from schedules s where s.organization_id = o.id) schedules,
         (select coalesce(sum(f.size), 0)::float8 from files f where f.organization_id = o.id) "fileBytes",
         (select count(*)::int from layouts l where l.organization_id = o.id)
         + (select count(*)::int from partials l where l.organization_id = o.id) layouts,
         coalesce(max(e.notifications), 0)::int notifications, coalesce(max(e.bytes), 0)::float8 "rulesetBytes"
  from organizations o
  left join organization_usage u on u.organization_id = o.id
  left join lateral (
    select cardinality(r.versions) notifications,
           (select sum(v.bytes) from rule_versions v where v.id = any(r.versions)) bytes
    from projects p
    join applications a on a.project_id = p.id
    join events e on e.application_id = a.id
    join rulesets r on r.id = e.ruleset_id
    where p.organization_id = o.id
  ) e on true
  where o.id = $1
  group by o.id, u.organization_id`;

/** Every organization with its own quotas and stored bytes, those that store most first. $1: slug of one, or null. */
export const LIST_USAGE = `
  select o.slug, o.quotas, coalesce(u.stored_bytes, 0)::float8 "storedBytes", u.measured_at "measuredAt"
  from organizations o left join organization_usage u on u.organization_id = o.id
  where $1::text is null or o.slug = $1
  order by u.stored_bytes desc nulls last, o.slug`;

interface MeasuredTable {
  table: string;
  bytes: string;
  /** The organization of a row. */
  owner?: string;
}

/** A look-up for each row. With a join, PostgreSQL might read all deliveries. */
const OF_DELIVERY = '(select d.organization_id from deliveries d where d.id = t.delivery_id)';

/**
 * The tables that hold most of the data, with the bytes of a row: values as they are stored, and some more for the row and its indexes.
 * `pg_column_size` does not read large values.
 */
export const MEASURED_TABLES: MeasuredTable[] = [
  {
    table: 'occurrences',
    bytes: `pg_column_size(t.context) + pg_column_size(t.options) + coalesce(pg_column_size(t.decisions), 0) + 200`,
  },
  { table: 'deliveries', bytes: `coalesce(pg_column_size(t.reason), 0) + 200` },
  { table: 'attempts', bytes: `pg_column_size(t.answer) + 80`, owner: OF_DELIVERY },
  {
    table: 'messages',
    bytes: `pg_column_size(t.recipient) + pg_column_size(t.subject) + pg_column_size(t.text) + pg_column_size(t.html)
            + coalesce(pg_column_size(t.sender), 0) + coalesce(pg_column_size(t.rich), 0) + 60`,
    owner: OF_DELIVERY,
  },
  {
    table: 'inbox_messages',
    bytes: `pg_column_size(t.subject) + pg_column_size(t.text) + pg_column_size(t.html) + coalesce(pg_column_size(t.rich), 0) + 150`,
  },
  { table: 'delivery_reports', bytes: `pg_column_size(t.event) + pg_column_size(t.detail) + 120`, owner: OF_DELIVERY },
  { table: 'rule_versions', bytes: `pg_column_size(t.rule) + 120` },
  {
    table: 'templates',
    bytes: `coalesce(pg_column_size(t.subject), 0) + coalesce(pg_column_size(t.text), 0) + coalesce(pg_column_size(t.html), 0)
            + coalesce(pg_column_size(t.markdown), 0) + coalesce(pg_column_size(t.send_from), 0) + coalesce(pg_column_size(t.reply_to), 0)
            + coalesce(pg_column_size(t.headers), 0) + coalesce(pg_column_size(t.translations), 0) + coalesce(pg_column_size(t.mjml), 0)
            + coalesce(pg_column_size(t.rich), 0) + 100`,
  },
  { table: 'drafts', bytes: `pg_column_size(t.notification) + coalesce(pg_column_size(t.base), 0) + 150` },
  {
    table: 'layouts',
    bytes: `coalesce(pg_column_size(t.html), 0) + coalesce(pg_column_size(t.text), 0) + coalesce(pg_column_size(t.mjml), 0) + 200`,
  },
  { table: 'partials', bytes: `coalesce(pg_column_size(t.html), 0) + coalesce(pg_column_size(t.text), 0) + 200` },
  { table: 'users', bytes: `pg_column_size(t.custom_fields) + pg_column_size(t.email) + 250` },
  { table: 'members', bytes: `150` },
  { table: 'file_chunks', bytes: `pg_column_size(t.bytes) + 100` },
  { table: 'suppressions', bytes: `2 * pg_column_size(t.value) + pg_column_size(t.evidence) + 250` },
  { table: 'audit_entries', bytes: `coalesce(pg_column_size(t.changes), 0) + 150` },
];

/** Pages of a table, without its large values. $1: table. */
export const TABLE_PAGES = `select greatest(1, pg_relation_size($1::regclass) / 8192)::int pages`;

/** The bytes of each organization in a random part of a table. $1: percent of its pages. */
export const sampleTable = ({ table, bytes, owner = 't.organization_id' }: MeasuredTable) => `
  select owner "organizationId", sum(bytes)::float8 bytes
  from (select ${owner} owner, ${bytes} bytes from ${table} t tablesample system ($1)) t
  where owner is not null group by owner`;

/** Stores what was measured; 0 for organizations without data. Returns those near their quota. $1: organizations, $2: bytes, $3: the default of `stored_mb`. */
export const STORE_USAGE = `
  with measured as (
    select o.id, o.slug, coalesce(m.bytes, 0)::bigint bytes,
           coalesce(m.bytes, 0) >= 0.8 * 1048576 * coalesce((o.quotas->>'stored_mb')::float8, $3) near
    from organizations o left join unnest($1::int[], $2::float8[]) m(id, bytes) using (id)
  ), stored as (
    insert into organization_usage as u (organization_id, stored_bytes, measured_at, is_near_quota)
    select id, bytes, now(), near from measured order by id
    on conflict (organization_id) do update
      set stored_bytes = excluded.stored_bytes, measured_at = excluded.measured_at, is_near_quota = excluded.is_near_quota
  )
  select slug from measured where near order by bytes desc limit 20`;
