import { request } from 'undici';
import { compare } from '../measure/closed-loop.mjs';
import { createCrowd } from '../world/crowd.mjs';

const CONNECTIONS = 64;
/** Headers that differ in each answer, or that node:http adds itself. */
const OWN_HEADERS = ['date', 'connection', 'keep-alive', 'content-length', 'x-request-id'];

export const ping = {
  name: 'ping',
  about: 'Checks the key and answers its name: the cost of a request that does nothing else.',
  async run(world) {
    const database = await world.database();
    const { headers } = await createCrowd(world, database, { slug: 'bench', people: 1 });
    const api = await world.api(database);
    const url = `${api.url}/api/system/ping/`;
    const answer = await request(url, { headers });
    const kept = Object.entries(answer.headers).filter(([name]) => !OWN_HEADERS.includes(name));
    const floor = await world.floor('answer', { headers: Object.fromEntries(kept), body: await answer.body.text() });
    const { row } = await compare(world, {
      what: 'GET /api/system/ping/',
      connections: CONNECTIONS,
      service: { url, headers, processes: [api] },
      floor: { url: floor.facts.url, processes: [floor] },
      floorIs: 'node:http, the same bytes',
    });
    return { rows: [row], notes: [`${CONNECTIONS} connections.`] };
  },
};
