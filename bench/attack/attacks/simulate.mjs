import { mail } from '../../world/crowd.mjs';
import { Client } from '../client.mjs';
import { textSql } from './text.sql.mjs';

const USERS = 120;
const CONDITIONS = 99;
const TOGETHER = 12;

const RULE = {
  name: 'Expensive',
  audience: {
    any: Array.from({ length: CONDITIONS }, (_, i) => ({ field: 'custom_fields.t', contains: `nothing${i}` })),
  },
  templates: [{ channel: 'out', text: 'Hi' }],
};

/** @type {import('../attacks.mjs').Attack} */
export const simulate = {
  name: 'simulate',
  about: `${TOGETHER} simulations at once over ${USERS} users with 220 KB of custom fields and ${CONDITIONS} times contains`,
  channels: () => mail(25),
  people: USERS,
  fill: (database, organizationId) =>
    database.query(
      `update users set custom_fields = jsonb_build_object('t', ${textSql(220, 'users.id')}) where organization_id = ${organizationId}`,
    ),
  async run(target) {
    const client = new Client(target);
    const event = target.paths.untold.replace('trigger/', '');
    await client.send(`${event}n/`, RULE);
    return client.together(TOGETHER, () => client.send(`${event}simulate/`, {}));
  },
};
