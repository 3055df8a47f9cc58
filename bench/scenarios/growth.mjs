import { compare } from '../closed-loop.mjs';
import { BODY, createCrowd } from '../crowd.mjs';
import { generate } from '../generate.mjs';
import { READS } from './read.mjs';
import { checkStored } from './trigger.mjs';

const CONNECTIONS = 16;
const FLOOR_IS = 'on a small database';

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
    const rows = [];
    for (const { what, people, path } of READS) {
      const target = ({ api, crowds }) => ({
        url: api.url + crowds[people].paths[path],
        headers: crowds[people].headers,
        processes: [api],
      });
      rows.push((await comparison(world, what, target, large, small)).row);
    }
    const { row, answered } = await comparison(world, 'trigger', triggerTarget, large, small);
    for (const [side, count] of [
      [large, answered.service],
      [small, answered.floor],
    ])
      await drain(world, side, count);
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
  return { database, crowds, api: await world.api(database) };
}

function comparison(world, what, target, large, small) {
  const sides = { service: target(large), floor: target(small) };
  return compare(world, { what, connections: CONNECTIONS, ...sides, floorIs: FLOOR_IS });
}

function triggerTarget({ api, crowds: { 100: crowd } }) {
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
