import type { Database } from '../../platform/database/database.js';
import { ROOM } from '../../rules/ruleset/rule.js';
import type { PartDelivery } from '../deliver/send-group.js';
import { COUNT_UNREAD } from './unread.sql.js';

/** Notes for each reader of a page how many messages are unread in the inbox, in one statement. */
export async function countUnread(database: Database, page: PartDelivery[]): Promise<void> {
  const readers = page.filter(({ recipient }) => recipient.userId !== ROOM);
  if (readers.length === 0) return;
  const asked = readers.map(({ part: { chunk }, recipient }) => ({
    organization: chunk.organizationId,
    occurrence: chunk.subject.occurrence,
    notification: chunk.notificationId,
    reader: recipient.userId,
  }));
  const { rows } = await database.query<{ place: number; unread: number }>('count-unread', COUNT_UNREAD, [
    JSON.stringify(asked),
  ]);
  for (const { place, unread } of rows) readers[place - 1]!.recipient.unread = unread;
}
