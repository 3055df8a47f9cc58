import { generate } from '../generate.mjs';
import { compare } from '../measure/closed-loop.mjs';
import { BODY, createCrowd, createKey } from '../world/crowd.mjs';
import { READS } from './read.mjs';
import { checkStored } from './trigger.mjs';

const CONNECTIONS = 16;
const FLOOR_IS = 'on a small database';
const DIFFERENT_USERS = 1000;

export const growth = {
  name: 'growth',
  about: 'The same operations on a small database and on one that has grown.',
  async run(world) {
    const { size, progress } = world;
    const large = await sideOf(world, 'large', (database) => {
      progress.step('rows are generated');
      return generate(database, size.growth, (done, total) => progress.count(done, total, 'deliveries'));
    });
    const small = await sideOf(world, 'small', () => undefined);
    const compared = async (what, target) => {
      const sides = { service: target(large), floor: target(small) };
      return compare(world, { what, connections: CONNECTIONS, ...sides, floorIs: FLOOR_IS });
    };
    const rows = [];
    for (const { what, people, path } of READS) rows.push((await compared(what, readOf(people, path))).row);
    rows.push((await compared(`one user, ${DIFFERENT_USERS.toLocaleString('en')} in turn`, readInTurn)).row);
    const { row, answered } = await compared('trigger', triggerOf);
    await drain(world, large, answered.service);
    await drain(world, small, answered.floor);
    return { rows: [...rows, row], notes: [notesOn(size.growth)] };
  },
};

async function sideOf(world, name, fill) {
  const database = await world.database(name);
  await fill(database);
  const crowds = {};
  for (const people of new Set(READS.map((each) => each.people))) {
    crowds[people] = await createCrowd(world, database, { slug: `org-${people}`, people });
  }
  const operator = await createKey(world, database, '--operator');
  // Of whom there are: here and there in the large database, all from one organization in the small one.
  const users = await database.query(
    `select concat('/api/o/', o.slug, '/u/', u.email, '/') path from users u join organizations o on o.id = u.organization_id
     order by random() limit $1`,
    [DIFFERENT_USERS],
  );
  return { database, crowds, operator, users: users.map(({ path }) => path), api: await world.api(database) };
}

const readOf =
  (people, path) =>
  ({ api, crowds: { [people]: crowd } }) => ({
    url: api.url + crowd.paths[path],
    headers: crowd.headers,
    processes: [api],
  });

const readInTurn = ({ api, users, operator }) => ({ url: api.url, paths: users, headers: operator, processes: [api] });

function triggerOf({ api, crowds: { 100: crowd } }) {
  const { headers, paths } = crowd;
  return { url: api.url + paths.untold, method: 'POST', headers, body: BODY, status: 201, processes: [api] };
}

async function drain(world, { database, crowds }, answered) {
  world.progress.step('a worker expands what was triggered');
  await world.worker(database);
  await database.drained();
  await checkStored(database, crowds[100], answered, 'expanded');
}

const notesOn = ({ organizations, users, deliveries }) =>
  `The large one holds ${organizations.toLocaleString('en')} organizations, ${users.toLocaleString('en')} users and ` +
  `${deliveries.toLocaleString('en')} deliveries. ${CONNECTIONS} connections.`;
