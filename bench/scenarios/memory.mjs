import { request } from 'undici';
import { addUp } from '../measure/add-up.mjs';
import { alternate } from '../measure/alternate.mjs';
import { createCrowd, webhook } from '../world/crowd.mjs';
import { fanOut } from '../measure/fan-out.mjs';
import { watchMemory } from '../measure/processes.mjs';
import { row } from '../measure/row.mjs';

const FLOOR_IS = 'before';

export const memory = {
  name: 'memory',
  about: 'Highest resident memory of ten samples a second.',
  async run(world) {
    const people = world.size.memory;
    const database = await world.database();
    const sink = await world.sink('http');
    world.progress.step(`creating ${people} people`);
    const crowd = await createCrowd(world, database, { slug: 'bench', people, channel: webhook(sink.facts.url) });
    const parts = { database, sink, api: await world.api(database), worker: await world.worker(database) };
    await readList(`${parts.api.url}${crowd.paths.members}?limit=1000`, crowd);
    const listed = await alternate(world, 'members listed', { service: () => list(parts.api, crowd) });
    const sent = await alternate(world, 'members notified', { service: () => fanOut(world, parts, crowd) }, 1);
    const count = people.toLocaleString('en');
    const rows = [
      row(`${count} members listed, api`, 'MB', 'apiMb', withFloorBefore(listed, 'apiMb', 'apiBeforeMb'), FLOOR_IS),
      row(`${count} members notified, api`, 'MB', 'apiMb', withFloorBefore(sent, 'apiMb', 'apiBeforeMb'), FLOOR_IS),
      row(
        `${count} members notified, worker`,
        'MB',
        'workerMb',
        withFloorBefore(sent, 'workerMb', 'workerBeforeMb'),
        FLOOR_IS,
      ),
    ];
    return {
      rows,
      notes: ['The whole list is read over HTTP. One worker sends one message to each member over one webhook.'],
    };
  },
};

const withFloorBefore = ({ service }, key, before) => ({
  service,
  floor: service.map((sample) => ({ [key]: sample[before] })),
});

async function list(api, crowd) {
  const watch = watchMemory({ api: api.pid });
  const members = await readList(api.url + crowd.paths.members, crowd);
  addUp({ 'members listed': [members, crowd.people] });
  const { api: resident } = watch.stop();
  return { apiMb: resident.maxMb, apiBeforeMb: resident.beforeMb };
}

/** Counts the members without keeping them. */
async function readList(url, { headers }) {
  const { statusCode, body } = await request(url, { headers, bodyTimeout: 0 });
  if (statusCode !== 200) throw new Error(`the list was answered ${statusCode}`);
  let members = 0;
  for await (const chunk of body) for (const byte of chunk) if (byte === 0x7b) members++;
  return members;
}
