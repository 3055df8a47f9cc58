import { textBytes, withinBytes } from '../../platform/database/next-rows.js';
import { Notice } from '../../platform/database/notice.js';
import type { InboxState, Mark } from './inbox.dto.js';

const COLUMNS = `id, subject, text, html, created_at "createdAt", seen_at "seenAt", read_at "readAt", archived_at "archivedAt"`;
const BYTES = `${textBytes('subject', 'text', 'html')} bytes`;

// The messages of a user that a key may see: a key that is bound to a project or an application sees only those of its own branch.
// $1: user, $2: organization, $3 and $4: project and application of the key, or null.
const VISIBLE = `user_id = $1 and organization_id = $2 and ($3::int is null or application_id = any(array(
    select id from applications where project_id = $3 and ($4::int is null or id = $4))))`;

// Each has an index that holds no other messages.
const IN_INBOX = 'archived_at is null';
const UNREAD = 'archived_at is null and read_at is null';
const UNSEEN = 'archived_at is null and seen_at is null';
const ARCHIVED = 'archived_at is not null';

const STATES: Record<InboxState, string> = { unread: UNREAD, unseen: UNSEEN, archived: ARCHIVED };

/** Newest first. $1 to $4: see above, $5: highest id, $6: how many. Null: those that are not archived. */
export const listInbox = (state: InboxState | null) =>
  withinBytes(`
  select ${COLUMNS}, ${BYTES} from inbox_messages where ${VISIBLE} and ${state ? STATES[state] : IN_INBOX} and id <= $5
  order by id desc limit $6`);

// The same for an organization whose ids are spans, since it has moved to a cell with lower ones. $5 and $6: the first and the last id of each
// span, in the order in which they are read, $7: how many.
const SPANS = 'unnest($5::int[], $6::int[])';
const inSpans = (columns: string, state: string, order: string, bytes?: number) =>
  withinBytes(
    `
  select m.* from ${SPANS} with ordinality s(low, high, place) cross join lateral (
    select ${columns} from inbox_messages where ${VISIBLE} and ${state} and id between s.low and s.high order by id ${order} limit $7) m
  order by s.place, m.id ${order} limit $7`,
    bytes,
  );

export const listInboxInSpans = (state: InboxState | null) =>
  inSpans(`${COLUMNS}, ${BYTES}`, state ? STATES[state] : IN_INBOX, 'desc');

/** The highest count. Both counts of 1,000 messages read 140 blocks, in 1 ms; of 100,000 messages, 14,000. */
const MAX_COUNT = 1000;

const countOf = (state: string) =>
  `(select count(*)::int from (select from inbox_messages where ${VISIBLE} and ${state} limit ${MAX_COUNT}) m)`;
const COUNTS = `${countOf(UNREAD)} unread, ${countOf(UNSEEN)} unseen`;

/** $1 to $4: see above. */
export const COUNT_INBOX = `select ${COUNTS}`;

/** The same, and how the organization looks. $1 to $4: see above. */
export const START_OF_STREAM = `
  select ${COUNTS}, o.name, o.slug, o.color, o.logo, o.page_texts "pageTexts"
  from (select) one left join organizations o on o.id = $2`;

/** Few, because each of many streams may have to wait until its client has read them. */
const STREAM_BYTES = 64 * 1024;

/** Oldest first, with the counts of this moment. $1 to $4: see above, $5: after which id, $6: highest id, $7: how many. */
export const NEXT_IN_INBOX = withinBytes(
  `
  select ${COLUMNS}, ${BYTES}, ${COUNTS} from inbox_messages where ${VISIBLE} and ${IN_INBOX} and id > $5 and id <= $6 order by id limit $7`,
  STREAM_BYTES,
);

export const NEXT_IN_INBOX_IN_SPANS = inSpans(`${COLUMNS}, ${BYTES}, ${COUNTS}`, IN_INBOX, 'asc', STREAM_BYTES);

interface MarkSql {
  set: string;
  /** The messages that it changes. */
  of: string;
  /** Those of them that `up_to` means: the ones in the list that the user sees. */
  upTo: string;
}

const MARKS: Record<Mark, MarkSql> = {
  seen: { set: 'seen_at = now()', of: 'seen_at is null', upTo: UNSEEN },
  read: { set: 'read_at = now(), seen_at = coalesce(seen_at, now())', of: 'read_at is null', upTo: UNREAD },
  unread: { set: 'read_at = null', of: 'read_at is not null', upTo: `${IN_INBOX} and read_at is not null` },
  archived: { set: 'archived_at = now()', of: IN_INBOX, upTo: IN_INBOX },
  unarchived: { set: 'archived_at = null', of: ARCHIVED, upTo: ARCHIVED },
};

// Locked in the order of the ids: two requests that mark the same messages wait for each other, and never both.
const mark = (as: Mark, which: string) => `
  with chosen as (
    select id from inbox_messages where ${VISIBLE} and ${which} for no key update
  ), marked as (
    update inbox_messages m set ${MARKS[as].set} from chosen where m.id = chosen.id returning m.id
  )
  select count(*)::int changed, max(id) last from marked`;

/** $1 to $4: see above, $5: messages. */
export const markMessages = (as: Mark) => mark(as, `${MARKS[as].of} and id = any($5::int[]) order by id`);

/** $1 to $4: see above, $5: after which id, $6: highest id, $7: how many. */
export const markUpTo = (as: Mark) => mark(as, `${MARKS[as].upTo} and id > $5 and id <= $6 order by id limit $7`);

/** $1 to $4: see above, $5 and $6: spans, $7: after which id, $8: how many. */
export const markInSpans = (as: Mark) =>
  mark(
    as,
    `${MARKS[as].upTo} and exists (select from ${SPANS} s(low, high) where id between s.low and s.high) and id > $7 order by id limit $8`,
  );

/** Keeps the times of a message that was read before. $1 to $4: see above, $5: message. */
export const MARK_READ = `
  update inbox_messages set read_at = coalesce(read_at, now()), seen_at = coalesce(seen_at, now())
  where ${VISIBLE} and id = $5 returning ${COLUMNS}`;

/** Tells the streams of all processes that a state has changed. $1: organization, $2: user. */
export const NOTIFY_OF_STATE = `select pg_notify('${Notice.Inbox}', json_build_array(json_build_array($1::int, $2::int, 0))::text)`;

/** $1: the last id that this cell gives out. An organization may have come with higher ones. */
export const NEWEST = `select coalesce(max(id), 0) newest from inbox_messages where id <= $1`;

// Open transactions that have taken an id. Each holds a lock on the sequence until it ends.
export const TAKING_IDS = `
  select virtualtransaction "transaction" from pg_locks
  where locktype = 'relation' and mode = 'RowExclusiveLock'
    and relation = pg_get_serial_sequence('inbox_messages', 'id')::regclass
    and database = (select oid from pg_database where datname = current_database())`;
