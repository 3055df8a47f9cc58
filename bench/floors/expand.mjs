// One INSERT .. SELECT of the rows that an expansion creates. Needs no separate process: all of the work happens in PostgreSQL.
import { now } from '../measure/clock.mjs';
import { uuidV7 } from '../../dist/platform/field/uuid-v7.js';
import { judgedUsers, userQueryValues } from '../../dist/rules/ruleset/users.sql.js';

// The service's own query for the recipients, for all of them at once.
const EXPAND = `
  with ${judgedUsers(null, { choose: false, gather: false })}
  insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, address_id, gate, status)
  select $9::uuid, $1, $10::int, $2, user_id, address_id, gate, 'pending' from judged`;

/**
 * @param {import('../world/database.mjs').Database} database
 * @param {Awaited<ReturnType<typeof import('../world/crowd.mjs').createCrowd>>} crowd
 */
export async function expandAtOnce(database, { organizationId, eventId, notificationId, channelId, listId }) {
  const id = uuidV7();
  await database.query(
    `insert into occurrences (id, organization_id, event_id, context, options) values ($1, $2, $3, '{}', '{}')`,
    [...[id, organizationId, eventId]],
  );
  const query = {
    organizationId,
    channelId,
    addressKind: null,
    lists: [listId],
    after: 0,
    limit: null,
    only: null,
    choices: null,
  };
  const start = now();
  await database.query(EXPAND, [...userQueryValues(query), id, notificationId]);
  return now() - start;
}
