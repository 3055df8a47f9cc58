import { once } from 'node:events';
import { get } from 'node:http';
import { Client } from '../client.mjs';
import { textSql } from './text.sql.mjs';

const MESSAGES = 120;
const READERS = 30;
const STREAMS = 60;

/** Fills the inbox of the attacker's user with messages of 1 MB. */
export const fillInbox = (database, organizationId) =>
  database.query(
    `with big as materialized (select ${textSql(512)} t)
     insert into inbox_messages (organization_id, user_id, subject, text, html)
     select organization_id, id, 'large', t, t from users, big, generate_series(1, ${MESSAGES}) where organization_id = ${organizationId}`,
  );

/** Asks for an answer and never reads it. */
async function ignore(target, client, path) {
  const headers = { ...target.headers, 'last-event-id': '0' };
  const request = get(target.url + path, { agent: false, headers });
  try {
    const [response] = await once(request, 'response');
    client.note(response.statusCode);
    if (response.statusCode !== 200) response.resume();
    await once(response, 'close');
  } catch (error) {
    client.note(error.code ?? error.message);
  }
}

const attack = (readers, path) => ({
  fill: fillInbox,
  run(target) {
    const client = new Client(target);
    return client.together(readers, () => ignore(target, client, target.paths.user + path));
  },
});

/** @type {import('../attacks.mjs').Attack} */
export const slowInbox = {
  name: 'slow-inbox',
  about: `${READERS} clients that ask for an inbox with ${MESSAGES} messages of 1 MB and do not read it`,
  ...attack(READERS, 'inbox/'),
};

/** @type {import('../attacks.mjs').Attack} */
export const slowStream = {
  name: 'slow-stream',
  about: `${STREAMS} clients that ask for the stream of the same inbox and do not read it`,
  ...attack(STREAMS, 'inbox/stream/'),
};
