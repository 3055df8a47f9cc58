import { addUp } from '../measure/add-up.mjs';
import { compare } from '../measure/closed-loop.mjs';
import { BODY, createCrowd } from '../world/crowd.mjs';

const CONNECTIONS = 64;

export const trigger = {
  name: 'trigger',
  about: 'A 201 is answered after the occurrence and the job that expands it are on disk.',
  async run(world) {
    const database = await world.database();
    const crowd = await createCrowd(world, database, { slug: 'bench', people: 1 });
    const bare = await createCrowd(world, database, { slug: 'bare', people: 1 });
    const api = await world.api(database);
    const floor = await world.floor('insert', { databaseUrl: database.url, ...bare });
    const post = { method: 'POST', body: BODY, status: 201, headers: crowd.headers };
    const { row, answered } = await compare(world, {
      what: 'POST .../trigger/',
      connections: CONNECTIONS,
      service: { ...post, url: api.url + crowd.paths.untold, processes: [api] },
      floor: { ...post, url: floor.facts.url, processes: [floor] },
      floorIs: 'node:http, one insert with pg',
    });
    await checkStored(database, bare, answered.floor, 'pending');
    await world.worker(database);
    world.progress.step('a worker expands the occurrences');
    await database.drained();
    await checkStored(database, crowd, answered.service, 'expanded');
    return {
      rows: [row],
      notes: [`${CONNECTIONS} connections, ${BODY}, an event without rules, no worker running.`],
    };
  },
};

/** Checks that every 201 has its row, and that each row has the status. */
export async function checkStored(database, { eventId }, answered, status) {
  const [{ stored, settled }] = await database.query(
    `select count(*)::int stored, count(*) filter (where status = $2::occurrence_status)::int settled
     from occurrences where event_id = $1`,
    [eventId, status],
  );
  addUp({ 'occurrences stored': [stored, answered], [`occurrences ${status}`]: [settled, answered] });
}
