import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Cells } from '../../src/cell/directory/cells.js';
import { root } from '../../src/platform/config/root.js';
import { CELL_SECRET, TestCells } from '../support/app/cells.js';
import { spawnCarillon } from '../support/app/service.js';
import { sized } from '../support/long.js';
import { EventReader } from '../support/sinks/event-reader.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { createCrowd, withClient } from '../support/world/crowd.js';
import { fillInbox } from '../support/world/inbox.js';
import { differences, giveFinished } from '../support/world/moving.js';

const PEOPLE = sized(10, 200);
const HISTORY = sized(2000, 100_000);
/** A person whose inbox is read from both sides of the move. */
const READER = 'user1@crowd.test';
const PATIENCE_MS = 120_000;

let cells: TestCells;
let sink: HttpSink;
let key: string;
let trigger: string;
let organization: number;
let env: Record<string, string>;

beforeAll(async () => {
  sink = await HttpSink.start();
  cells = await TestCells.start({ ROLE: 'all' });
  const [source, target] = cells.apps;
  ({ key, trigger } = await createCrowd(source!.databaseUrl, sink.url('/in'), PEOPLE));
  organization = await withClient(source!.databaseUrl, async (client) => {
    await giveFinished(client, HISTORY);
    return (await client.query<{ id: number }>('select id from organizations')).rows[0]!.id;
  });
  await cells.directory.setCreated('crowd', organization, 0);
  await cells.settle();
  env = {
    DATABASE_URL: source!.databaseUrl,
    CELL: '0',
    CELL_URL: source!.app.get(Cells).settings.url,
    CELL_SECRET,
    DIRECTORY_URL: source!.databaseUrl,
    TARGET_DATABASE_URL: target!.databaseUrl,
    TARGET_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
});

afterAll(async () => {
  await cells.stop();
  await sink.close();
});

/** Runs the command to its end, or kills it at a point. Returns what it printed. */
async function move(args: string[], killAt?: string): Promise<string> {
  const all = ['move', 'crowd', '--to', '1', ...args, ...(killAt ? ['--pause-at', killAt] : [])];
  const child = spawnCarillon(all, env, root);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(child, 'close') as Promise<[number | null]>;
  if (killAt) {
    const isThere = () => output.includes(`paused at ${killAt}`) || child.exitCode !== null;
    await until(PATIENCE_MS, isThere, () => `${killAt}: ${output}`);
    expect(output).toContain(`paused at ${killAt}`);
    child.kill('SIGKILL');
  }
  const [code] = await closed;
  if (!killAt && code !== 0) throw new Error(`carillon ${all.join(' ')} exited with ${code}: ${output}`);
  return output;
}

const phase = async () =>
  (await cells.apps[0]!.pool.query<{ phase: string }>('select phase from moves order by started_at desc limit 1'))
    .rows[0]!.phase;

/** Triggers again and again, at both cells in turn, as a client does that tries again after a 503. */
class Load {
  readonly accepted: string[] = [];
  readonly statuses = new Set<number>();
  private isOn = true;
  private readonly running = this.run();

  async stop(): Promise<void> {
    this.isOn = false;
    await this.running;
  }

  private async run(): Promise<void> {
    for (let turn = 0; this.isOn; turn++) {
      const sendAt = turn % 5 === 0 ? { options: { send_at: new Date(Date.now() + 3000).toISOString() } } : {};
      await this.fire(cells.apps[turn % 2]!.url, sendAt);
      await sleep(50);
    }
  }

  async fire(url: string, body: object): Promise<void> {
    const headers = { authorization: `Key ${key}`, 'content-type': 'application/json' };
    const response = await fetch(url + trigger, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = (await response.json()) as { occurrence: string };
    this.statuses.add(response.status);
    if (response.status === 201) this.accepted.push(answer.occurrence);
    if (response.status === 503) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
}

it('moves under load, killed in each phase and run again: every message arrives once, and the same key works', async () => {
  // The first messages fail, so that retries wait during the move.
  const arrived: string[] = [];
  let failures = 5;
  sink.reply = ({ headers }) => {
    if (failures-- > 0) return { status: 500 };
    arrived.push(String(headers['webhook-id']));
    return { status: 200 };
  };
  const old = await fillInbox(cells.apps[0]!.pool, READER, 3);
  const load = new Load();
  await until(PATIENCE_MS, () => load.accepted.length > 5 && failures <= 0);

  const before = load.accepted.length;
  await move([], 'copying');
  expect(await phase()).toBe('copying');
  await until(PATIENCE_MS, () => load.accepted.length > before);
  await move([], 'holding');
  expect(await phase()).toBe('holding');
  await until(PATIENCE_MS, () => load.statuses.has(503));
  await move([], 'copying the rest');
  expect(await phase()).toBe('copying the rest');
  await move([], 'comparing');
  expect(await phase()).toBe('comparing');

  // It can still be undone, and works on where it was.
  await move(['--undo'], 'undoing');
  expect(await move(['--undo'])).toContain('the move of crowd is undone');
  const undone = load.accepted.length;
  await until(PATIENCE_MS, () => load.accepted.length > undone + 2);

  await move([], 'switching');
  expect([await phase(), (await cells.directory.place('crowd'))!.cell]).toEqual(['switching', 0]);
  await move([], 'switched');
  expect([await phase(), (await cells.directory.place('crowd'))!.cell]).toEqual(['switching', 1]);
  const [source, target] = cells.apps.map(({ databaseUrl }) => databaseUrl);
  expect(await differences(source!, target!, organization)).toEqual([]);
  const output = await move([]);
  expect(output).toContain('crowd has moved to cell 1');

  // The same key works at both cells, and what is triggered now is sent by the target.
  const moved = load.accepted.length;
  await until(PATIENCE_MS, () => load.accepted.length > moved + 5);
  await load.stop();
  await until(
    PATIENCE_MS,
    () => new Set(arrived).size >= load.accepted.length * PEOPLE,
    () => `${new Set(arrived).size} of ${load.accepted.length * PEOPLE} messages`,
  );
  expect([...load.statuses].sort((a, b) => a - b)).toEqual([201, 503]);
  expect(arrived).toHaveLength(load.accepted.length * PEOPLE);
  expect(new Set(arrived).size).toBe(arrived.length);

  // A reader who was at the source goes on after the last message that it saw.
  const fresh = await fillInbox(cells.apps[1]!.pool, READER, 2);
  const inbox = `${cells.apps[0]!.url}/api/o/crowd/u/${READER}/inbox/`;
  const authorization = { authorization: `Key ${key}` };
  const reader = await EventReader.open(`${inbox}stream/`, { ...authorization, 'last-event-id': String(old.at(-1)) });
  await until(PATIENCE_MS, () => reader.events.length >= fresh.length);
  reader.leave();
  expect(reader.events.map(({ id }) => Number(id))).toEqual(fresh);
  const messages = (await (await fetch(inbox, { headers: authorization })).json()) as { id: number }[];
  const read = messages.map(({ id }) => id).sort((a, b) => a - b);
  expect(read.filter((id) => id >= old[0]!)).toEqual([...old, ...fresh]);

  await move(['--finish'], 'deleting');
  expect(await phase()).toBe('deleting');
  await move(['--finish']);
  const left = `select (select count(*)::int from deliveries) deliveries, (select count(*)::int from organizations) organizations`;
  expect((await cells.apps[0]!.pool.query(left)).rows).toEqual([{ deliveries: 0, organizations: 0 }]);
  const sent = `select count(*)::int from deliveries where occurrence_id = any($1) and status = 'sent'`;
  await until(PATIENCE_MS, async () => {
    const { rows } = await cells.apps[1]!.pool.query<{ count: number }>(sent, [load.accepted]);
    return rows[0]!.count === arrived.length;
  });
  await load.fire(cells.apps[0]!.url, {});
  expect(load.accepted).toHaveLength(arrived.length / PEOPLE + 1);
});
