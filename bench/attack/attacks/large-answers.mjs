import { mail } from '../../world/crowd.mjs';
import { Client } from '../client.mjs';
import { fillInbox } from './slow-readers.mjs';
import { textSql } from './text.sql.mjs';

const CLIENTS = 6;
const RULES = 300;
const ENTRIES = 1000;

const read = (pathOf) => (target) => {
  const client = new Client(target);
  return client.together(CLIENTS, () => client.send(pathOf(target.paths)));
};

/** @type {import('../attacks.mjs').Attack} */
export const inboxPages = {
  name: 'limit-1000',
  about: `${CLIENTS} clients that read 1,000 large messages with ?limit=1000, again and again`,
  fill: fillInbox,
  run: read(({ user }) => `${user}inbox/?limit=1000`),
};

/** @type {import('../attacks.mjs').Attack} */
export const rules = {
  name: 'large-rules',
  about: `${CLIENTS} clients that list ${RULES} notifications of 500 KB`,
  channels: () => mail(25),
  fill: (database, organizationId) =>
    database.query(
      `with big as materialized (select ${textSql(500)} t), new as (
         insert into notifications (organization_id, event_id, name)
         select organization_id, id, concat('rule ', n) from events, generate_series(1, ${RULES}) n
         where organization_id = ${organizationId} and slug = 'untold'
         returning organization_id, id
       )
       insert into templates (organization_id, notification_id, channel_id, text)
       select new.organization_id, new.id, c.id, t from new join channels c on c.organization_id = new.organization_id, big`,
    ),
  run: read(({ untold }) => untold.replace('trigger/', 'n/')),
};

/** @type {import('../attacks.mjs').Attack} */
export const audit = {
  name: 'large-audit',
  about: `${CLIENTS} clients that list ${ENTRIES} audit entries of 250 KB`,
  fill: (database, organizationId) =>
    database.query(
      `with big as materialized (select ${textSql(250)} t)
       insert into audit_entries (organization_id, actor, verb, noun, count, changes)
       select ${organizationId}, 'attacker', 'update', 'user', 1, jsonb_build_object('custom_fields', jsonb_build_array(t, null))
       from big, generate_series(1, ${ENTRIES})`,
    ),
  run: read(({ users }) => users.replace(/u\/$/, 'audit/')),
};
