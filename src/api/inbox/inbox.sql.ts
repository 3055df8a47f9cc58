import { jsonBytes, textBytes, withinBytes } from '../../platform/database/next-rows.js';
import { Notice } from '../../platform/database/notice.js';
import { ACKNOWLEDGE_STATE } from './inbox-acknowledge.sql.js';
import type { InboxState, Mark } from './inbox.dto.js';

const COLUMNS = `id, subject, text, html, rich, created_at "createdAt", seen_at "seenAt", read_at "readAt",
    case when snoozed_until is null then archived_at end "archivedAt", snoozed_until "snoozedUntil", occurrence_id "occurrenceId",
    (select slug from events where id = event_id) event,
    (select json_build_object('slug', slug, 'name', name) from categories where id = category_id) category,${ACKNOWLEDGE_STATE} acknowledge`;
const BYTES = `${textBytes('subject', 'text', 'html')} + ${jsonBytes('rich')} bytes`;

// The messages of a user that a key may see: a key that is bound to a project or an application sees only those of its own branch.
// $1: user, $2: organization, $3 and $4: project and application of the key, or null.
const VISIBLE = `user_id = $1 and organization_id = $2 and ($3::int is null or application_id = any(array(
    select id from applications where project_id = $3 and ($4::int is null or id = $4))))`;

// Each has an index that holds no other messages.
const IN_INBOX = 'archived_at is null';
const UNREAD = 'archived_at is null and read_at is null';
const UNSEEN = 'archived_at is null and seen_at is null';
const SNOOZED = 'snoozed_until is not null';
// A snoozed message counts as archived, so that the indexes of the inbox need not know. A user has few of them.
const ARCHIVED = `archived_at is not null and not (${SNOOZED})`;

const STATES: Record<InboxState, string> = { unread: UNREAD, unseen: UNSEEN, archived: ARCHIVED, snoozed: SNOOZED };

const inState = (state: InboxState | null) => (state ? STATES[state] : IN_INBOX);

/** Newest first. $1 to $4: see above, $5: highest id, $6: how many. Null: those that are neither archived nor snoozed. */
export const listInbox = (state: InboxState | null) =>
  withinBytes(`
  select ${COLUMNS}, ${BYTES} from inbox_messages where ${VISIBLE} and ${inState(state)} and id <= $5
  order by id desc limit $6`);

/** The messages of a category have indexes of their own. Several projects may have one with the same slug. Unseen messages are unread. */
const ofCategory = (state: InboxState | null) =>
  `${VISIBLE} and category_id = c.id and ${inState(state)}${state === 'unseen' ? ' and read_at is null' : ''}`;
const categories = (slug: string) => `(select id from categories where organization_id = $2 and slug = ${slug}) c`;

/** The same of a category. $7: its slug. */
export const listInboxOfCategory = (state: InboxState | null) =>
  withinBytes(`
  select m.* from ${categories('$7')} cross join lateral (
    select ${COLUMNS}, ${BYTES} from inbox_messages where ${ofCategory(state)} and inbox_messages.id <= $5 order by id desc limit $6) m
  order by m.id desc limit $6`);

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

export const listInboxInSpans = (state: InboxState | null) => inSpans(`${COLUMNS}, ${BYTES}`, inState(state), 'desc');

/** The same of a category. $8: its slug. */
export const listCategoryInSpans = (state: InboxState | null) =>
  withinBytes(`
  select m.* from ${SPANS} with ordinality s(low, high, place) cross join ${categories('$8')} cross join lateral (
    select ${COLUMNS}, ${BYTES} from inbox_messages
    where ${ofCategory(state)} and inbox_messages.id between s.low and s.high order by id desc limit $7) m
  order by s.place, m.id desc limit $7`);

/** No page shows more of them as tabs. */
const MAX_CATEGORIES = 100;

/** The highest count. Both counts of 1,000 messages read 140 blocks, in 1 ms; of 100,000 messages, 14,000. */
const MAX_COUNT = 1000;

const countOf = (state: string) =>
  `(select count(*)::int from (select from inbox_messages where ${VISIBLE} and ${state} limit ${MAX_COUNT}) m)`;
const COUNTS = `${countOf(UNREAD)} unread, ${countOf(UNSEEN)} unseen`;

/** $1 to $4: see above. */
export const COUNT_INBOX = `select ${COUNTS}`;

/**
 * The categories of the messages in an inbox, with the unread ones among the newest unread messages. One step in an index for each category.
 * $1 to $4: see above.
 */
export const INBOX_CATEGORIES = `
  with recursive used(category_id, place) as (
    (select category_id, 1 from inbox_messages where ${VISIBLE} and ${IN_INBOX} and category_id is not null order by category_id limit 1)
    union all
    select n.category_id, u.place + 1 from used u cross join lateral (
      select m.category_id from inbox_messages m where ${VISIBLE} and ${IN_INBOX} and m.category_id > u.category_id order by m.category_id limit 1) n
    where u.place < ${MAX_CATEGORIES}
  ), unread as (
    select category_id, count(*) unread from (
      select category_id from inbox_messages where ${VISIBLE} and ${UNREAD} order by id desc limit ${MAX_COUNT}) m group by category_id
  )
  select c.slug, min(c.name) "name", coalesce(sum(unread.unread), 0)::int unread
  from used join categories c on c.id = used.category_id left join unread on unread.category_id = c.id
  group by c.slug order by 2, 1`;

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

/** The time at which messages return. */
const UNTIL = '$6::timestamptz';

interface MarkSql {
  set: string;
  /** The messages that it changes. */
  of: string;
  /** Those of them that `up_to` means: the ones in the list that the user sees. */
  upTo: string;
}

/** Marks that leave the message in the database. */
type Kept = Exclude<Mark, 'deleted'>;

const MARKS: Record<Kept, MarkSql> = {
  seen: { set: 'seen_at = now()', of: 'seen_at is null', upTo: UNSEEN },
  read: { set: 'read_at = now(), seen_at = coalesce(seen_at, now())', of: 'read_at is null', upTo: UNREAD },
  unread: { set: 'read_at = null', of: 'read_at is not null', upTo: `${IN_INBOX} and read_at is not null` },
  archived: { set: 'archived_at = now(), snoozed_until = null', of: `(${IN_INBOX} or ${SNOOZED})`, upTo: IN_INBOX },
  unarchived: { set: 'archived_at = null', of: ARCHIVED, upTo: ARCHIVED },
  // Where the time is, `markSnoozed` puts its parameter.
  snoozed: { set: `archived_at = coalesce(archived_at, now()), snoozed_until = ${UNTIL}`, of: 'true', upTo: 'false' },
  unsnoozed: { set: 'archived_at = null, snoozed_until = null', of: SNOOZED, upTo: SNOOZED },
};

// Locked in the order of the ids: two requests that mark the same messages wait for each other, and never both.
const mark = (as: Mark, which: string) => `
  with chosen as (
    select id from inbox_messages where ${VISIBLE} and ${which} for no key update
  ), marked as (
    ${as === 'deleted' ? 'delete from inbox_messages m using chosen' : `update inbox_messages m set ${MARKS[as].set} from chosen`}
    where m.id = chosen.id returning m.id
  )
  select count(*)::int changed, max(id) last from marked`;

/** Whatever state they are in. */
const DELETED: Pick<MarkSql, 'of' | 'upTo'> = { of: 'true', upTo: IN_INBOX };
const meantBy = (as: Mark) => (as === 'deleted' ? DELETED : MARKS[as]);

/** $1 to $4: see above, $5: messages, $6 of `snoozed`: until when. */
export const markMessages = (as: Mark) => mark(as, `${meantBy(as).of} and id = any($5::int[]) order by id`);

/** $1 to $4: see above, $5: after which id, $6: highest id, $7: how many. */
export const markUpTo = (as: Mark) => mark(as, `${meantBy(as).upTo} and id > $5 and id <= $6 order by id limit $7`);

/** $1 to $4: see above, $5 and $6: spans, $7: after which id, $8: how many. */
export const markInSpans = (as: Mark) =>
  mark(
    as,
    `${meantBy(as).upTo} and exists (select from ${SPANS} s(low, high) where id between s.low and s.high) and id > $7 order by id limit $8`,
  );

/** Keeps the times of a message that was read before. $1 to $4: see above, $5: message. */
export const MARK_READ = `
  update inbox_messages set read_at = coalesce(read_at, now()), seen_at = coalesce(seen_at, now())
  where ${VISIBLE} and id = $5 returning ${COLUMNS}`;

/** What a message is about; nulls: it is from before 1.0, or its occurrence was purged. $1 to $4: see above, $5: message. */
export const ABOUT_MESSAGE = `select occurrence_id occurrence, delivery_id delivery from inbox_messages where ${VISIBLE} and id = $5`;

/** How many messages the user has snoozed, up to a limit. $1: user, $2: organization, $3: limit. */
export const COUNT_SNOOZED = `
  select count(*)::int snoozed from (
    select from inbox_messages where user_id = $1 and organization_id = $2 and ${SNOOZED} limit $3) m`;

/** $1 to $4: see above, $5: message. */
export const DELETE_MESSAGE = `delete from inbox_messages where ${VISIBLE} and id = $5`;

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
