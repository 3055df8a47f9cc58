import { request } from 'undici';
import { DoesNotAddUp } from '../measure/add-up.mjs';
import { compare } from '../measure/closed-loop.mjs';
import { createCrowd } from '../world/crowd.mjs';

const CONNECTIONS = 16;

/** The reads: the size of the organization, and the key of the path in `crowd.paths`. */
export const READS = [
  { what: 'one user', people: 100, path: 'user' },
  { what: 'list of 100 users', people: 100, path: 'users' },
  { what: 'list of 1,000 members', people: 1000, path: 'members' },
];

export const read = {
  name: 'read',
  about: 'One row, and whole lists, streamed.',
  async run(world) {
    const database = await world.database();
    const api = await world.api(database);
    const crowds = new Map();
    const rows = [];
    for (const { what, people, path } of READS) {
      if (!crowds.has(people))
        crowds.set(people, await createCrowd(world, database, { slug: `org-${people}`, people }));
      const crowd = crowds.get(people);
      const floor = await world.floor('query', { databaseUrl: database.url, ...crowd });
      const service = { url: api.url + crowd.paths[path], headers: crowd.headers, processes: [api] };
      const bare = { url: `${floor.facts.url}/${path}`, processes: [floor] };
      await checkBytes(what, service, bare);
      const floorIs = 'node:http, the same query with pg';
      rows.push((await compare(world, { what, connections: CONNECTIONS, service, floor: bare, floorIs })).row);
    }
    return { rows, notes: [`${CONNECTIONS} connections. Lists are read completely, without a page size.`] };
  },
};

async function checkBytes(what, ...targets) {
  const [ours, bare] = await Promise.all(
    targets.map(async ({ url, headers }) => (await request(url, { headers })).body.text()),
  );
  if (ours !== bare) throw new DoesNotAddUp(`${what}: the floor and the service answer different bytes`);
}
