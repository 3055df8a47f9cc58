import { setTimeout as sleep } from 'node:timers/promises';

const SETTLE_MS = 120_000;

/**
 * @typedef {object} Facts what the racing clients were told
 * @property {Map<string, number>} balance answers of 201 minus answers of 204, by `parameter name`
 * @property {{ key: string, order: string, id: string, isReplay: boolean }[]} triggers that were answered with 201
 * @property {string[]} merged fields that were merged into one user
 * @property {number} deliveries that each occurrence must have
 * @property {string} user
 */
/**
 * @typedef {object} Rows what the database says afterwards
 * @property {Record<string, string[]>} names by parameter
 * @property {{ id: string, status: string, sent: number }[]} occurrences
 * @property {Record<string, unknown>} fields of the user
 */

/**
 * The sentences that are true if rows and answers disagree.
 * @param {Facts} facts
 * @param {Rows} rows
 * @returns {string[]}
 */
export function brokenInvariants(facts, rows) {
  return [...unbalanced(facts, rows), ...badTriggers(facts, rows), ...lostFields(facts, rows)];
}

function* unbalanced({ balance }, { names }) {
  for (const [key, expected] of balance) {
    const [parameter, name] = key.split(' ');
    const count = names[parameter].filter((each) => each === name).length;
    if (count !== expected) yield `${key}: answers of 201 minus 204 are ${expected}, rows are ${count}`;
  }
}

/** One occurrence for each idempotency key, one message for each person and channel. */
function* badTriggers({ triggers, deliveries }, { occurrences }) {
  for (const key of new Set(triggers.map((each) => each.key))) {
    const of = triggers.filter((each) => each.key === key);
    const first = of.filter(({ isReplay }) => !isReplay).length;
    if (first !== 1) yield `${first} triggers with one Idempotency-Key were not replays`;
    if (new Set(of.map(({ id }) => id)).size !== 1) yield 'one Idempotency-Key got several occurrences';
    if (new Set(of.map(({ order }) => order)).size !== 1) yield 'one Idempotency-Key took two bodies';
  }
  for (const id of new Set(triggers.map((each) => each.id))) {
    const row = occurrences.find((each) => each.id === id);
    if (!row) yield 'an occurrence was answered with 201, and does not exist';
    else if (row.status !== 'expanded' || row.sent !== deliveries)
      yield `an occurrence is ${row.status} with ${row.sent} sent deliveries, not expanded with ${deliveries}`;
  }
}

function* lostFields({ merged }, { fields }) {
  const lost = merged.filter((field) => !(field in fields));
  if (lost.length > 0) yield `${lost.length} merged fields are lost`;
}

const TABLES = { prj: 'projects', app: 'applications', evt: 'events', channel: 'channels', username: 'users' };

const OPEN = `
  select count(*)::int open from occurrences o
  where o.id = any($1::uuid[]) and (o.status in ('pending', 'expanding')
    or exists (select from deliveries d where d.occurrence_id = o.id and d.status = 'pending'))`;

const OCCURRENCES = `
  select o.id, o.status::text status,
    (select count(*)::int from deliveries d where d.occurrence_id = o.id and d.status = 'sent') sent
  from occurrences o where o.id = any($1::uuid[])`;

/**
 * Reads the rows of a tenant, when the pipeline has nothing left to do for it.
 * @param {import('../../../bench/world/database.mjs').Database} database
 * @param {Facts} facts
 * @returns {Promise<Rows>}
 */
export async function readRows(database, slug, { triggers, user }) {
  const [{ id }] = await database.query('select id from organizations where slug = $1', [slug]);
  const ids = triggers.map((each) => each.id);
  for (const deadline = Date.now() + SETTLE_MS; Date.now() < deadline; await sleep(100)) {
    const [{ open }] = await database.query(OPEN, [ids]);
    if (open === 0) break;
  }
  const names = {};
  for (const [parameter, table] of Object.entries(TABLES)) {
    const column = table === 'users' ? 'email' : 'slug';
    const rows = await database.query(`select ${column} name from ${table} where organization_id = $1`, [id]);
    names[parameter] = rows.map(({ name }) => name);
  }
  const occurrences = await database.query(OCCURRENCES, [ids]);
  const [{ fields }] = await database.query(
    'select custom_fields fields from users where organization_id = $1 and email = $2',
    [id, user],
  );
  return { names, occurrences, fields };
}
