import { Client as Session } from 'pg';
import { Client } from '../client.mjs';

const REQUESTS = 20;

/** @type {import('../attacks.mjs').Attack} */
export const locks = {
  name: 'locks',
  about: `${REQUESTS} requests at once that wait for the lock of one row`,
  async run(target) {
    const session = new Session({ connectionString: target.databaseUrl });
    await session.connect();
    await session.query('begin');
    await session.query(`select from users where email = 'user1@attacker.test' for update`);
    const client = new Client(target);
    const answers = await client.together(REQUESTS, () => client.send(target.paths.user, { first_name: 'A' }, 'PATCH'));
    await session.end();
    return answers;
  },
};
