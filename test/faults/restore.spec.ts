import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';
import { IN_FLIGHT } from '../../src/engine/deliver/in-flight.js';
import { migrate } from '../../src/platform/database/migration/migrate.js';
import { ArchivedPostgres } from '../support/app/archived-postgres.js';
import { Service } from '../support/app/service.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';
import { sized } from '../support/long.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import type { ReceivedRequest } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { createCrowd, withClient } from '../support/world/crowd.js';

const PEOPLE = 5;
/** Triggers before the base backup, during it and until the point, and after the point. */
const TRIGGERS = sized(15, 2000);
const CLIENTS = 2;
/** Between two triggers of a client: a slow backup must not mean a huge load. */
const PAUSE_MS = sized(25, 0);
const PATIENCE_MS = sized(150_000, 600_000);
/** What a worker has in flight, and what was answered a moment ago and not yet written (docs/backups.md). */
const UNWRITTEN = IN_FLIGHT + 150;

/** Statements of docs/backups.md: the first skips the numbers given after the point, the second shows what is pending. */
const statement = (start: string) =>
  new RegExp(`${start}[^;]+;`).exec(readFileSync(join(root, 'docs/backups.md'), 'utf8'))![0];

const userOf = ({ body }: ReceivedRequest) => {
  const { data } = JSON.parse(body) as { data: { occurrence: string; user: string } };
  return `${data.occurrence} ${data.user}`;
};
const idOf = ({ headers }: ReceivedRequest) => String(headers['webhook-id']);

describe('a restore to a point in time, under load', () => {
  let folder: TestFolder;
  let sink: HttpSink;
  let first: ArchivedPostgres;
  let second: ArchivedPostgres | undefined;
  let service: Service;
  /** Occurrences of which a client has had its 201 before the point. */
  let acceptedBefore: string[];
  /** Occurrences whose trigger began after the point. */
  const acceptedAfter: string[] = [];
  /** Messages that had arrived at the point, all of the first life, and those of the second. */
  let arrivedBefore: Set<string>;
  let firstLife: ReceivedRequest[];
  let secondLife: ReceivedRequest[];
  /** Ids of the messages that the restored database knows as sent. */
  let knownAsSent: Set<string>;
  let trigger: () => Promise<string>;

  const start = (url: string) =>
    Service.start({ DATABASE_URL: url, OUTBOUND_ALLOW: '127.0.0.0/8', NODE_ENV: 'production', LOG_LEVEL: 'info' });
  const wait = (what: string, look: () => boolean | Promise<boolean>) =>
    until(PATIENCE_MS, look, () => `${what}\n${service.output.slice(-2000)}`);

  beforeAll(async () => {
    folder = createFolder();
    sink = await HttpSink.start();
    first = await ArchivedPostgres.start(join(folder.path, 'data'));
    await migrate(first.url);
    const crowd = await createCrowd(first.url, sink.url('/in'), PEOPLE, { timeout_seconds: 30 });
    service = await start(first.url);
    const headers = { authorization: `Key ${crowd.key}`, 'content-type': 'application/json' };
    trigger = async () => {
      const response = await fetch(service.url + crowd.trigger, { method: 'POST', headers, body: '{}' });
      if (response.status !== 201) throw new Error(`the trigger was answered ${response.status}`);
      return ((await response.json()) as { occurrence: string }).occurrence;
    };
    await drill();
  });

  afterAll(async () => {
    await service?.stop('SIGKILL');
    await second?.stop();
    await first?.stop();
    await sink?.close();
    folder.remove();
  });

  async function drill(): Promise<void> {
    const accepted: string[] = [];
    const load = { isOn: true, isPastThePoint: false };
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (load.isOn) {
        const lists = load.isPastThePoint ? [accepted, acceptedAfter] : [accepted];
        const occurrence = await trigger();
        for (const each of lists) each.push(occurrence);
        await pause(PAUSE_MS);
      }
    });
    const more = (count: number) => {
      const goal = accepted.length + count;
      return wait(`${goal} triggers were accepted`, () => accepted.length >= goal);
    };
    try {
      await more(TRIGGERS);
      const backup = join(folder.path, 'backup');
      await first.backUp(backup);
      await more(TRIGGERS);
      // At the point, the provider has messages that it has not answered, and others wait for their turn.
      const provider = sink.holdAfter(0);
      await wait('messages are in flight', provider.isHolding);
      await more(TRIGGERS);
      acceptedBefore = [...accepted];
      arrivedBefore = new Set(sink.requests.map(userOf));
      await first.markPoint('drill');
      load.isPastThePoint = true;
      provider.goOn();
      await wait('triggers are accepted after the point', () => acceptedAfter.length >= TRIGGERS);
      load.isOn = false;
      await Promise.all(clients);
      await wait('messages arrive after the point', () => sink.requests.length > arrivedBefore.size + PEOPLE);
      await service.stop('SIGKILL');
      await first.crash();
      firstLife = sink.requests.splice(0);
      second = await first.restore(backup, 'drill');
      await startAgain(second.url);
    } finally {
      load.isOn = false;
      await Promise.allSettled(clients);
    }
  }

  async function startAgain(url: string): Promise<void> {
    knownAsSent = await withClient(url, async (client) => {
      await client.query(statement('select setval'));
      const pending = await client.query(statement('select o.slug'));
      expect(pending.rows).toEqual([{ organization: 'crowd', channel: 'hook', count: expect.any(String) }]);
      const sent = `select occurrence_id || '.' || id id from deliveries where status = 'sent'`;
      return new Set((await client.query<{ id: string }>(sent)).rows.map(({ id }) => id));
    });
    service = await start(url);
    await withClient(url, (client) =>
      wait('no job is left', async () => (await client.query('select from jobs')).rowCount === 0),
    );
    secondLife = [...sink.requests];
  }

  it('sends everything that was accepted before the point', () => {
    const arrived = new Set([...firstLife, ...secondLife].map(userOf));
    const people = Array.from({ length: PEOPLE }, (_, n) => `user${n + 1}@crowd.test`);
    const due = acceptedBefore.flatMap((occurrence) => people.map((person) => `${occurrence} ${person}`));
    expect(due.filter((each) => !arrived.has(each))).toEqual([]);
  });

  it('sends nothing again that the restored database knows as sent', () => {
    expect(knownAsSent.size).toBeGreaterThan(0);
    expect(secondLife.map(idOf).filter((id) => knownAsSent.has(id))).toEqual([]);
  });

  it('repeats a message at most once: if it was in flight at the point, or sent later', () => {
    expect(new Set(secondLife.map(userOf)).size).toBe(secondLife.length);
    const before = new Set(firstLife.map(userOf));
    const repeats = secondLife.map(userOf).filter((each) => before.has(each));
    const ofTheFlight = repeats.filter((each) => arrivedBefore.has(each));
    expect(repeats.length).toBeGreaterThan(0);
    expect(ofTheFlight.length).toBeGreaterThan(0);
    expect(ofTheFlight.length).toBeLessThanOrEqual(UNWRITTEN);
  });

  it('gives a repeat the id that it had, if the message existed at the point', () => {
    const ids = new Map(firstLife.map((request) => [userOf(request), idOf(request)]));
    const repeats = secondLife.filter((request) => arrivedBefore.has(userOf(request)));
    expect(repeats.map(idOf)).toEqual(repeats.map((request) => ids.get(userOf(request))));
  });

  it('knows nothing of triggers that were accepted after the point', () => {
    expect(acceptedAfter.length).toBeGreaterThan(0);
    const later = new Set(acceptedAfter);
    expect(secondLife.filter((request) => later.has(userOf(request).split(' ')[0]!))).toEqual([]);
  });

  it('accepts new triggers, with ids that no message had before', async () => {
    const occurrence = await trigger();
    const isNew = (request: ReceivedRequest) => userOf(request).startsWith(occurrence);
    await wait('the new messages arrive', () => sink.requests.filter(isNew).length === PEOPLE);
    const old = new Set([...firstLife, ...secondLife].map(idOf));
    expect(sink.requests.filter(isNew).filter((request) => old.has(idOf(request)))).toEqual([]);
  });
});
