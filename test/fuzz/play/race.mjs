import { Random } from '../../../bench/torture/random.mjs';
import { brokenInvariants, readRows } from '../check/invariants.mjs';
import { USERS } from '../generate/names.mjs';

const CLIENTS = 64;
const ROUNDS = 12;
/** Of an occurrence: two people, over two channels each. */
const DELIVERIES = 4;
const SLUGS = ['race-1', 'race-2'];
const KEYS = ['key-1', 'key-2', 'key-3', 'key-4'];

/**
 * 64 clients create, change and delete the same few things of one tenant at the same moment. Afterwards the rows must agree with the
 * answers.
 * @param {import('./tenant.mjs').Tenant} tenant
 * @param {import('../../../bench/world/database.mjs').Database} database
 */
export async function playRace(tenant, database, seed) {
  const facts = { balance: new Map(), triggers: [], merged: [], deliveries: DELIVERIES, user: USERS[0] };
  await Promise.all(
    Array.from({ length: CLIENTS }, (_, number) => race(tenant, number, new Random(seed + number), facts)),
  );
  const rows = await readRows(database, tenant.slug, facts);
  for (const text of brokenInvariants(facts, rows))
    tenant.session.results.add({ kind: 'race', text }, { id: 'race' }, null);
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
    if (status === 200) facts.merged.push(field);
  },
];

const note = ({ balance }, parameter, value, by) => {
  const key = `${parameter} ${value}`;
  balance.set(key, (balance.get(key) ?? 0) + by);
};
