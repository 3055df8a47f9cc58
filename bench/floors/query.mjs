// Bare node:http that runs the single query of an operation and answers with the same bytes.
import { createServer } from 'node:http';
import { Pool } from 'pg';
import { answerParent, options } from '../world/parent.mjs';

const { databaseUrl, organizationId, userId, listId } = options;
const pool = new Pool({ connectionString: databaseUrl, max: 10 });

const USER = `select id, email, first_name, last_name, locked from users`;

const asUser = ({ id, email, first_name, last_name, locked }) => ({
  id,
  email,
  username: email,
  first_name,
  last_name,
  locked,
});
const asMember = ({ id, address, kind, user, channel, active }) => ({
  id,
  address,
  user,
  channel: channel ?? kind,
  active,
});

const routes = {
  '/user': {
    name: 'user',
    text: `${USER} where id = $1 and organization_id = $2`,
    values: [userId, organizationId],
    show: (rows) => asUser(rows[0]),
  },
  '/users': {
    name: 'users',
    text: `${USER} where organization_id = $1 and id > 0 order by id`,
    values: [organizationId],
    show: (rows) => rows.map(asUser),
  },
  '/members': {
    name: 'members',
    text: `
      select m.id, a.value address, a.name kind, u.email "user", c.slug channel, m.active
      from members m
      join users u on u.id = m.user_id
      join addresses a on a.id = m.address_id
      left join channels c on c.id = m.channel_id
      where m.list_id = $1 and m.id > 0
      order by m.id`,
    values: [listId],
    show: (rows) => rows.map(asMember),
  },
};

const server = createServer(async (request, response) => {
  const { name, text, values, show } = routes[request.url];
  const { rows } = await pool.query({ name, text, values });
  const body = Buffer.from(JSON.stringify(show(rows)));
  response
    .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
    .end(body);
});
server.listen(0, '127.0.0.1', () => answerParent({}, { url: `http://127.0.0.1:${server.address().port}` }));
