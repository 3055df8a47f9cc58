import { generate } from '../generate.mjs';
import { addUp } from '../measure/add-up.mjs';
import { alternate } from '../measure/alternate.mjs';
import { arrived } from '../measure/arrived.mjs';
import { now } from '../measure/clock.mjs';
import { inTurn } from '../measure/closed-loop.mjs';
import { costOf } from '../measure/cost.mjs';
import { rowWithCpu } from '../measure/row.mjs';
import { createCrowd, trigger, webhook } from '../world/crowd.mjs';
import { findTenants } from '../world/tenants.mjs';
import { OPERATIONS } from './growth-operations.mjs';

const CONNECTIONS = 16;
const PEOPLE = 100; // in each organization, and on the list that is notified
const FLOOR_IS = 'on the small database';

export const growth = {
  name: 'growth',
  about: 'All 20 operations, and a message to every member of a list, on a small and on a large database.',
  async run(world) {
    const { large, small, requests, occurrences } = world.size.growth;
    const sink = await world.sink('http');
    const sides = {
      service: await sideOf(world, 'large', large, sink),
      floor: await sideOf(world, 'small', small, sink),
    };
    const rows = [];
    for (const operation of OPERATIONS) rows.push(await measure(world, sides, operation, requests));
    for (const side of Object.values(sides)) await settle(world, side);
    rows.push(await deliver(world, sides, sink, occurrences));
    return { rows, notes: [sizeOf('large', large), sizeOf('small', small), METHOD, ...highest(rows)] };
  },
};

async function sideOf(world, name, size, sink) {
  const database = await world.database(name);
  world.progress.step(`generating the ${name} database`);
  await generate(database, size, (done, total) => world.progress.count(done, total, 'deliveries'));
  const channel = webhook(sink.facts.url);
  const crowd = await createCrowd(world, database, { slug: 'crowd', people: PEOPLE, channel });
  const tenants = await findTenants(database, PEOPLE);
  const api = await world.api(database);
  return { database, crowd, tenants, api, before: await countRows(database), made: {} };
}

/** Measures one operation on both sides: the time per request, with one request in flight per connection. */
async function measure(world, sides, { what, makes = {}, ...operation }, amount) {
  const targets = Object.entries(sides).map(([name, side]) => [name, targetOf(side, operation)]);
  const comparison = { what, connections: CONNECTIONS, amount, ...Object.fromEntries(targets) };
  const { samples, answered } = await inTurn(world, comparison);
  for (const [name, { made }] of Object.entries(sides)) {
    for (const [table, rows] of Object.entries(makes)) made[table] = (made[table] ?? 0) + rows * answered[name];
  }
  return rowWithCpu(what, 'ms', 'ms', samples, FLOOR_IS);
}

function targetOf({ api, tenants }, { method, status, path, body }) {
  let number = 0;
  const next = () => {
    const place = tenants.place(++number);
    const text = body && JSON.stringify(body(place, number));
    return { path: path(place), headers: tenants.headers(number), ...(text && { body: text }) };
  };
  return { url: api.url, method, status, next, processes: [api] };
}

const TABLES = ['users', 'addresses', 'members', 'distribution_lists', 'occurrences'];

async function countRows(database) {
  const counts = TABLES.map((table) => `(select count(*) from ${table})::int ${table}`);
  return (await database.query(`select ${counts.join(', ')}`))[0];
}

/** Starts a worker, waits until it has expanded every occurrence, and checks the rows against the answers. */
async function settle(world, side) {
  world.progress.step('a worker expands the occurrences');
  const { database, before, made } = side;
  side.worker = await world.worker(database);
  await database.drained();
  const after = await countRows(database);
  addUp(Object.fromEntries(TABLES.map((table) => [`${table} made`, [after[table] - before[table], made[table]]])));
  const [{ open }] = await database.query(
    `select count(*)::int open from occurrences where status in ('pending', 'expanding')`,
  );
  addUp({ 'occurrences left': [open, 0] });
}

/** Measures some triggers, one after the other, until the last message has arrived. */
async function deliver(world, sides, sink, occurrences) {
  const what = `${occurrences} triggers of ${PEOPLE} messages each, per message`;
  const runs = Object.entries(sides).map(([name, side]) => [name, () => tell(world, side, sink, occurrences)]);
  world.progress.step(`${what}, warm-up`);
  for (const [, run] of runs) await run();
  return rowWithCpu(what, 'ms', 'ms', await alternate(world, what, Object.fromEntries(runs)), FLOOR_IS);
}

async function tell(world, { database, crowd, api, worker }, sink, occurrences) {
  const messages = occurrences * PEOPLE;
  await sink.ask('reset');
  const triggered = [];
  const { start, ...cost } = await costOf(world, [api, worker], messages, async () => {
    const start = now();
    for (let i = 0; i < occurrences; i++) triggered.push((await trigger(api, crowd)).occurrence);
    await arrived(world, database, sink, messages);
    await database.drained();
    return { start };
  });
  const { received, distinct, lastAt } = await sink.ask('summary');
  const [{ sent }] = await database.query(
    `select count(*)::int sent from deliveries d join attempts a on a.delivery_id = d.id join messages m on m.delivery_id = d.id
     where d.occurrence_id = any($1) and d.status = 'sent'`,
    [triggered],
  );
  addUp({
    'messages received': [received, messages],
    'different messages received': [distinct, messages],
    'deliveries sent, with their attempt and message': [sent, messages],
  });
  return { ...cost, ms: (lastAt - start) / messages };
}

const METHOD =
  `${CONNECTIONS} connections. On both databases each request uses another key or another organization than the one before, so ` +
  'that no cache helps. The time is the total time divided by the number of requests.';

const sizeOf = (name, { organizations, users, deliveries }) =>
  `The ${name} database holds ${organizations.toLocaleString('en')} organizations, ${users.toLocaleString('en')} users and ` +
  `${deliveries.toLocaleString('en')} deliveries.`;

/** Names the operation with the highest ratio. */
function highest(rows) {
  const cpuRatio = ({ cpu: { service, floor } }) =>
    (service.ownMs + service.postgresMs) / (floor.ownMs + floor.postgresMs);
  const sentence = (of, ratio) => {
    const most = rows.reduce((a, b) => (ratio(b) > ratio(a) ? b : a));
    return `The highest ratio of ${of} is ${ratio(most).toFixed(2)} (${most.what}).`;
  };
  return [sentence('times', ({ ratio }) => ratio.median), sentence('CPU, including PostgreSQL,', cpuRatio)];
}
