import { textBytes, withinBytes } from '../prisma/next-rows.js';

const COLUMNS = `id, subject, text, html, created_at "createdAt", read_at "readAt"`;
const BYTES = `${textBytes('subject', 'text', 'html')} bytes`;

/** A user's messages, newest first. $1: user, $2: organization, $3: highest id, $4: how many. */
export const LIST_INBOX = withinBytes(`
  select ${COLUMNS}, ${BYTES}
  from inbox_messages
  where user_id = $1 and organization_id = $2 and id <= $3
  order by id desc
  limit $4`);

/** Few, because each of many streams may have to wait until its client has read them. */
const STREAM_BYTES = 64 * 1024;

/** A user's messages, oldest first. $1: user, $2: organization, $3: the id to start after, $4: highest id, $5: how many. */
export const NEXT_IN_INBOX = withinBytes(
  `
  select ${COLUMNS}, ${BYTES}
  from inbox_messages
  where user_id = $1 and organization_id = $2 and id > $3 and id <= $4
  order by id
  limit $5`,
  STREAM_BYTES,
);

export const NEWEST = `select coalesce(max(id), 0) newest from inbox_messages`;

// Open transactions that have taken an id. Each holds a lock on the sequence until it ends.
export const TAKING_IDS = `
  select virtualtransaction "transaction" from pg_locks
  where locktype = 'relation' and mode = 'RowExclusiveLock'
    and relation = pg_get_serial_sequence('inbox_messages', 'id')::regclass
    and database = (select oid from pg_database where datname = current_database())`;
