// For those who cannot mount a disk: PostgreSQL is told to refuse every new row and every new version of a row, with the error of a table
// that cannot grow.
const TABLES = ['occurrences', 'idempotency_keys', 'deliveries', 'attempts', 'jobs', 'audit_entries'];

const FUNCTION = `
  create or replace function torture_full_disk() returns trigger language plpgsql as $$
  begin
    raise exception using errcode = 'disk_full', message = 'could not extend file: No space left on device';
  end $$`;

const isThere = (table) =>
  `select 1 from pg_trigger where tgname = 'torture_full_disk' and tgrelid = '${table}'::regclass`;

/** @param {import('../observer.mjs').Observer} observer */
export async function refuseRows(observer) {
  await observer.query(FUNCTION);
  for (const table of TABLES)
    await observer.query(
      `create or replace trigger torture_full_disk before insert or update on ${table}
       for each statement execute function torture_full_disk()`,
    );
}

/** @param {import('../observer.mjs').Observer} observer */
export async function takeRows(observer) {
  for (const table of TABLES)
    if ((await observer.query(isThere(table))).length > 0)
      await observer.query(`drop trigger if exists torture_full_disk on ${table}`);
}
