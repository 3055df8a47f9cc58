import { textBytes, withinBytes } from '../prisma/next-rows.js';

const COLUMNS = `id, subject, text, html, created_at "createdAt", read_at "readAt"`;
const BYTES = `${textBytes('subject', 'text', 'html')} bytes`;

// The messages of a user that a key may see: a key that is bound to a project or an application sees only those of its own branch.
// $1: user, $2: organization, $3 and $4: project and application of the key, or null.
const VISIBLE = `user_id = $1 and organization_id = $2 and ($3::int is null or application_id = any(array(
    select id from applications where project_id = $3 and ($4::int is null or id = $4))))`;

/** Newest first. $1 to $4: see above, $5: highest id, $6: how many. */
export const LIST_INBOX = withinBytes(`
  select ${COLUMNS}, ${BYTES} from inbox_messages where ${VISIBLE} and id <= $5 order by id desc limit $6`);

/** Few, because each of many streams may have to wait until its client has read them. */
const STREAM_BYTES = 64 * 1024;

/** Oldest first. $1 to $4: see above, $5: after which id, $6: highest id, $7: how many. */
export const NEXT_IN_INBOX = withinBytes(
  `
  select ${COLUMNS}, ${BYTES} from inbox_messages where ${VISIBLE} and id > $5 and id <= $6 order by id limit $7`,
  STREAM_BYTES,
);

/** Keeps the time of a message that was read before. $1 to $4: see above, $5: message. */
export const MARK_READ = `
  update inbox_messages set read_at = coalesce(read_at, now()) where ${VISIBLE} and id = $5 returning ${COLUMNS}`;

export const NEWEST = `select coalesce(max(id), 0) newest from inbox_messages`;

// Open transactions that have taken an id. Each holds a lock on the sequence until it ends.
export const TAKING_IDS = `
  select virtualtransaction "transaction" from pg_locks
  where locktype = 'relation' and mode = 'RowExclusiveLock'
    and relation = pg_get_serial_sequence('inbox_messages', 'id')::regclass
    and database = (select oid from pg_database where datname = current_database())`;
