import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../../bench/kills/random.mjs';
import { USERS } from '../generate/names.mjs';

const CLIENTS = 64;
const ROUNDS = 12;
const SETTLE_MS = 120_000;
const SLUGS = ['race-1', 'race-2'];
const KEYS = ['key-1', 'key-2', 'key-3', 'key-4'];

/**
 * 64 clients create, change and delete the same few things of one tenant at the same moment. Afterwards the rows must agree with the
 * answers.
 * @param {import('./tenant.mjs').Tenant} tenant
 * @param {import('../../../bench/world/database.mjs').Database} database
 */
export async function playRace(tenant, database, seed) {
  const facts = { balance: new Map(), triggers: [], merged: new Map(), people: USERS.slice(0, 2).length };
  await Promise.all(
    Array.from({ length: CLIENTS }, (_, number) => race(tenant, number, new Random(seed + number), facts)),
  );
  await settled(tenant, database);
  const wrong = [
    ...(await unbalanced(tenant, database, facts)),
    ...(await badTriggers(tenant, database, facts)),
    ...(await lostMerges(tenant, database, facts)),
  ];
  for (const text of wrong) tenant.session.results.add({ kind: 'race', text }, { id: 'race' }, null);
  tenant.session.results.races++;
}

async function race(tenant, number, random, facts) {
  const { session, operator, names } = tenant;
  for (let round = 0; round < ROUNDS; round++) {
    const act = random.one(ACTS);
    await act({
      names,
      number,
      round,
      random,
      facts,
      call: (id, of, value, more) => session.call(id, operator, { ...names, ...of }, value, more),
    });
  }
}

/** A row exists after as many creations as deletions, and one more. */
const bothWays = (create, remove, parameter, valuesOf, bodyOf) => [
  async ({ call, random, facts }) => {
    const value = random.one(valuesOf);
    const { status } = await call(create, {}, bodyOf(value));
    if (status === 201) note(facts, parameter, value, 1);
  },
  async ({ call, random, facts }) => {
    const value = random.one(valuesOf);
    const { status } = await call(remove, { [parameter]: value });
    if (status === 204) note(facts, parameter, value, -1);
  },
];

const named = (slug) => ({ slug, name: 'Race' });
const MAILS = ['race-1@acme.test', 'race-2@acme.test'];

const ACTS = [
  ...bothWays('createProject', 'deleteProject', 'prj', SLUGS, named),
  ...bothWays('createApplication', 'deleteApplication', 'app', SLUGS, named),
  ...bothWays('createEvent', 'deleteEvent', 'evt', SLUGS, named),
  ...bothWays('createOrganizationChannel', 'deleteOrganizationChannel', 'channel', SLUGS, (slug) => ({
    ...named(slug),
    type: 'inbox',
  })),
  ...bothWays('createUser', 'deleteUser', 'username', MAILS, (email) => ({ email })),
  ({ call }) => call('addListMembers', {}, [...USERS.slice(0, 2)]),
  ({ call, random }) =>
    call('updateOrganizationChannel', { channel: random.one(SLUGS) }, { enabled: random.one([true, false]) }),
  ({ call, random }) =>
    call('createAddress', { username: random.one(MAILS) }, { name: 'phone', value: '+15550000001' }),
  ({ call, random }) => call('updateUser', { username: random.one(MAILS) }, { locked: random.one([true, false]) }),
  async ({ call, random, facts }) => {
    const [key, order] = [random.one(KEYS), random.one(['A', 'B'])];
    const { status, value, headers } = await call(
      'triggerEvent',
      {},
      { context: { order } },
      { 'idempotency-key': key },
    );
    if (status === 201)
      facts.triggers.push({ key, order, id: value.occurrence, isReplay: headers['idempotent-replayed'] === 'true' });
  },
  async ({ call, facts, number, round }) => {
    const field = `c${number}r${round}`;
    const { status } = await call('updateUser', {}, { custom_fields: { [field]: 1 }, _mode: 'MERGE' });
    if (status === 200) facts.merged.set(field, true);
  },
];

const note = ({ balance }, parameter, value, by) => {
  const key = `${parameter} ${value}`;
  balance.set(key, (balance.get(key) ?? 0) + by);
};

/** Waits until the pipeline has nothing left to do for the tenant. */
async function settled({ slug }, database) {
  const OPEN = `
    select count(*)::int open from occurrences o join organizations g on g.id = o.organization_id
    where g.slug = $1 and (o.status in ('pending', 'expanding') and not exists (select from jobs j where j.occurrence_id = o.id and j.run_at > now() + interval '1 hour')
      or exists (select from deliveries d where d.occurrence_id = o.id and d.status = 'pending'))`;
  for (const deadline = Date.now() + SETTLE_MS; Date.now() < deadline; await sleep(100)) {
    const [{ open }] = await database.query(OPEN, [slug]);
    if (open === 0) return;
  }
}

const ROWS = {
  prj: `select p.slug value from projects p join organizations o on o.id = p.organization_id where o.slug = $1`,
  app: `select a.slug value from applications a join organizations o on o.id = a.organization_id where o.slug = $1`,
  evt: `select e.slug value from events e join organizations o on o.id = e.organization_id where o.slug = $1`,
  channel: `select c.slug value from channels c join organizations o on o.id = c.organization_id where o.slug = $1`,
  username: `select u.email value from users u join organizations o on o.id = u.organization_id where o.slug = $1`,
};

async function unbalanced({ slug }, database, { balance }) {
  const wrong = [];
  for (const [key, expected] of balance) {
    const [parameter, value] = key.split(' ');
    const rows = (await database.query(ROWS[parameter], [slug])).filter((row) => row.value === value).length;
    if (rows !== expected) wrong.push(`${key}: answers of 201 minus 204 are ${expected}, rows are ${rows}`);
  }
  return wrong;
}

/** One occurrence for each idempotency key, one message for each person and channel. */
async function badTriggers({ slug }, database, { triggers, people }) {
  const wrong = [];
  for (const key of KEYS) {
    const of = triggers.filter((each) => each.key === key);
    if (of.length === 0) continue;
    const first = of.filter(({ isReplay }) => !isReplay).length;
    if (first !== 1) wrong.push(`${first} triggers with one Idempotency-Key were not replays`);
    if (new Set(of.map(({ id }) => id)).size !== 1) wrong.push('one Idempotency-Key got several occurrences');
    if (new Set(of.map(({ order }) => order)).size !== 1) wrong.push('one Idempotency-Key took two bodies');
  }
  const ids = [...new Set(triggers.map(({ id }) => id))];
  const rows = await database.query(
    `select o.id, o.status::text status, (select count(*)::int from deliveries d where d.occurrence_id = o.id and d.status = 'sent') sent
     from occurrences o join organizations g on g.id = o.organization_id where g.slug = $1 and o.id = any($2::uuid[])`,
    [slug, ids],
  );
  if (rows.length !== ids.length) wrong.push(`${ids.length} occurrences were answered with 201, ${rows.length} exist`);
  for (const { status, sent } of rows)
    if (status !== 'expanded' || sent !== people * 2)
      wrong.push(`an occurrence is ${status} with ${sent} sent deliveries, not expanded with ${people * 2}`);
  return wrong;
}

async function lostMerges({ slug }, database, { merged }) {
  const [{ fields }] = await database.query(
    `select u.custom_fields fields from users u join organizations o on o.id = u.organization_id where o.slug = $1 and u.email = $2`,
    [slug, USERS[0]],
  );
  const lost = [...merged.keys()].filter((field) => !(field in fields));
  return lost.length > 0 ? [`${lost.length} merged fields are lost`] : [];
}
