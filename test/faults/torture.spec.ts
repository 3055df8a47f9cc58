import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { Fault } from '../../bench/torture/faults/faults.mjs';
import { OTHERS, schedule } from '../../bench/torture/faults/schedule.mjs';
import { recoveries } from '../../bench/torture/judge/recovery.mjs';
import { tables } from '../../bench/torture/judge/table.mjs';
import { isBroken, verdict } from '../../bench/torture/judge/verdict.mjs';
import type { Accepted } from '../../bench/torture/ledger.mjs';
import { root } from '../../src/platform/config/root.js';
import { isLong } from '../support/long.js';

/** A delivery per person, each sent with one call. */
function world(occurrences: Record<string, { people?: number; status?: string }>) {
  const ids = Object.keys(occurrences);
  const deliveries = ids.flatMap((occurrence) =>
    Array.from({ length: occurrences[occurrence]!.people ?? 1 }, (_, n) => ({
      occurrence,
      id: `${n + 1}`,
      status: 'sent',
    })),
  );
  const accepted = ids.map((id, n): [string, Accepted] => {
    const { people = 1 } = occurrences[id]!;
    return [id, { organization: 't1', people, dueAt: n * 1000, acceptedAt: n * 1000 }];
  });
  return {
    ledger: {
      accepted: new Map(accepted),
      canceled: new Map<string, number>(),
      cancelTried: new Set<string>(),
      splitKeys: 0,
      unexpected: {} as Record<string, number>,
    },
    withoutAnswer: 0,
    deserters: 0,
    faults: [
      { kind: 'kill', from: 500, until: 500 },
      { kind: 'kill', from: 5000, until: 5000 },
    ] as Fault[],
    calls: new Map(
      deliveries.map(({ occurrence, id }): [string, [number, string][]] => {
        return [`${occurrence}.${id}`, [[ids.indexOf(occurrence) * 1000 + 10, 'taken']]];
      }),
    ),
    occurrences: new Map(ids.map((id) => [id, occurrences[id]!.status ?? 'expanded'])),
    deliveries,
    retries: new Map<string, number>(),
    duplicates: 0,
    jobs: 0,
  };
}

/** Every broken promise, by its name. */
const broken = (facts: ReturnType<typeof world>) =>
  Object.fromEntries(
    verdict(facts)
      .filter(isBroken)
      .map(({ what, value }) => [what, value]),
  );

const STUCK = 'stuck: occurrences, deliveries and jobs that never ended';
const PEOPLE = 'lost: an occurrence without a delivery for each user';
const MOST_REPEATS = 'repeats per kill, most';

describe('the verdict after a torture', () => {
  it('finds nothing if every person got one message', () => {
    expect(broken(world({ a: {}, b: { people: 3 } }))).toEqual({});
  });

  it('finds a trigger that is not in the database', () => {
    const facts = world({ a: {}, b: {} });
    facts.occurrences.delete('a');
    expect(broken(facts)).toEqual({ 'lost: a 201 without its occurrence': 1 });
  });

  it('finds a person without a delivery, and an occurrence that ended without any', () => {
    const facts = world({ a: { people: 3 }, b: { status: 'failed' } });
    facts.deliveries.splice(0, 1);
    facts.calls.delete('a.1');
    expect(broken(facts)).toEqual({ [PEOPLE]: 2 });
  });

  it('finds what never ended: a delivery, an occurrence, a job', () => {
    const facts = world({ a: { people: 2 }, b: { status: 'pending' } });
    facts.deliveries[0]!.status = 'pending';
    expect(broken(facts)).toEqual({ [STUCK]: 2 });
    expect(broken({ ...world({ a: {} }), jobs: 1 })).toEqual({ [STUCK]: 1 });
  });

  it('finds deliveries that were given up, unless somebody canceled', () => {
    const facts = world({ a: { people: 2 }, b: { people: 2, status: 'canceled' } });
    facts.ledger.cancelTried.add('b');
    facts.deliveries.forEach((delivery) => (delivery.status = delivery.id === '1' ? 'skipped' : 'sent'));
    expect(broken(facts)).toEqual({ 'lost: deliveries that were given up': 1 });
    facts.ledger.cancelTried.clear();
    expect(broken(facts)).toEqual({ 'lost: deliveries that were given up': 1, [PEOPLE]: 1 });
  });

  it('finds duplicate rows, a key with two occurrences, and an occurrence that nobody was told of', () => {
    const facts = { ...world({ a: {}, b: {} }), duplicates: 1 };
    facts.ledger.splitKeys = 1;
    facts.ledger.accepted.delete('b');
    expect(broken(facts)).toEqual({
      'duplicate delivery rows': 1,
      'idempotency keys with two occurrences': 1,
      'occurrences that no 201 has named': 1,
    });
  });

  it('finds a sent message that never arrived, and a message without a row', () => {
    const facts = world({ a: {}, b: {} });
    facts.calls.set('a.1', [[10, 'cut']]);
    facts.calls.set('x.1', [[10, 'taken']]);
    expect(broken(facts)).toEqual({ 'lost: `sent`, but never arrived': 1, 'messages without a delivery row': 1 });
  });

  it('finds a message that left more than two seconds after its cancel was answered, and after the faults that hid it', () => {
    const facts = world({ a: { status: 'canceled' }, b: { status: 'canceled' } });
    facts.faults = [];
    for (const [id, at] of Object.entries({ a: -1991, b: -990 })) {
      facts.ledger.canceled.set(id, at);
      facts.ledger.cancelTried.add(id);
    }
    expect(broken(facts)).toEqual({ 'messages sent 2 s after their cancel': 1 });
    facts.faults = [{ kind: 'stop', from: -1500, until: -500 }];
    expect(broken(facts)).toEqual({});
  });

  it('counts a repeat for the first fault that was not over at the arrival, and a retry not at all', () => {
    const facts = world({ a: { people: 351 }, b: {} });
    for (const [id, calls] of facts.calls) if (id.startsWith('a.')) calls.push([8000, 'taken']);
    facts.calls.set('b.1', [
      [1010, 'broken'],
      [1020, 'cut'],
      [6010, 'taken'],
    ]);
    expect(broken(facts)).toEqual({ [MOST_REPEATS]: 351 });
    facts.faults[0] = { kind: 'crash', from: 0, until: 500 };
    expect(broken(facts)).toEqual({}); // three processes had messages in flight
    facts.faults = [];
    expect(broken(facts)).toEqual({ 'repeats without a fault': 351 });
    facts.retries.set('a.1', 1); // the service got the answer too late
    expect(broken(facts)).toEqual({ 'repeats without a fault': 350 });
  });

  it('finds wrong answers, triggers that nobody answered, and processes that ended', () => {
    const facts = { ...world({ a: {} }), withoutAnswer: 2, deserters: 1 };
    facts.ledger.unexpected['trigger: 500'] = 3;
    expect(broken(facts)).toEqual({
      'triggers that were never answered': 2,
      'answers other than success and 503': 3,
      'processes that ended by themselves': 1,
    });
  });

  it('measures how long the work that a fault held up took until it went on', () => {
    const facts = world({ a: {}, b: {}, c: {} });
    facts.calls.set('a.1', [[4510, 'taken']]);
    facts.faults[1] = { kind: 'provider', from: 4000, until: 4500, organization: 't3' };
    expect(recoveries(facts, ['t1'])).toEqual([4010, 0]);
  });
});

describe('the table of a torture', () => {
  it('shows the whole in one line', () => {
    const facts = world({ a: {}, b: { status: 'pending' } });
    facts.occurrences.delete('a');
    facts.calls.set('a.1', [[1000, 'taken']]);
    facts.calls.get('b.1')!.push([6010, 'taken']);
    const [head, , line] = tables(facts, verdict(facts), [], ['t1']).split('\n');
    const cells = (row = '') => row.split('|').map((cell) => cell.trim());
    expect(Object.fromEntries(cells(head).map((name, column) => [name, cells(line)[column]]))).toMatchObject({
      operations: '2 triggers, 2 messages',
      faults: '2',
      lost: '1',
      'duplicate rows': '0',
      'repeats per kill': 'median 0.5, most 1',
      stuck: '1',
      recovery: 'median 0.3 s, longest 0.5 s',
    });
  });
});

describe('the faults of a torture', () => {
  it('are the same for the same seed, and at least one of each kind', () => {
    const options = { minutes: 1, kills: 4, seed: 7 };
    const planned = schedule(options);
    expect(schedule(options)).toEqual(planned);
    expect(schedule({ ...options, seed: 8 })).not.toEqual(planned);
    expect(planned.filter(({ kind }) => kind === 'kill')).toHaveLength(4);
    expect(new Set(planned.map(({ kind }) => kind))).toEqual(new Set(['kill', 'answer', ...Object.keys(OTHERS)]));
  });
});

if (isLong) {
  async function torture(env: Record<string, string> = {}) {
    const child = spawn(process.execPath, ['bench/torture/main.mjs', '--short'], {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '', ...env },
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, ...output };
  }

  describe('npm run torture', () => {
    it('makes faults of every kind under load, and nothing is lost', async () => {
      const { code, stdout, stderr } = await torture();
      expect([code, stdout, stderr]).toEqual([
        0,
        expect.stringMatching(/\n\d+ passed, 0 failed\n$/),
        expect.anything(),
      ]);
    });

    it('exits with 1 if a message is lost on its way', async () => {
      const { code, stdout } = await torture({ BENCH_SINK_LOSES: '7' });
      expect([code, stdout]).toEqual([1, expect.stringMatching(/FAILED: lost: `sent`, but never arrived\n/)]);
    });
  });
}
