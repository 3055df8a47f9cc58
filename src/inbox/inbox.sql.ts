/** A user's messages, newest first. $1: user, $2: organization, $3: highest id, $4: how many. */
export const LIST_INBOX = `
  select id, subject, text, html, created_at "createdAt", read_at "readAt"
  from inbox_messages
  where user_id = $1 and organization_id = $2 and id <= $3
  order by id desc
  limit $4`;

export const NEWEST = `select coalesce(max(id), 0) newest from inbox_messages`;

// Open transactions that have taken an id. Each holds a lock on the sequence until it ends.
export const TAKING_IDS = `
  select virtualtransaction "transaction" from pg_locks
  where locktype = 'relation' and mode = 'RowExclusiveLock'
    and relation = pg_get_serial_sequence('inbox_messages', 'id')::regclass
    and database = (select oid from pg_database where datname = current_database())`;
