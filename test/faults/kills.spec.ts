import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { verdict } from '../../bench/kills/verdict.mjs';
import { root } from '../../src/config/root.js';
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
  return {
    accepted: new Map(ids.map((id, n) => [id, { people: occurrences[id]!.people ?? 1, dueAt: n * 1000 }])),
    canceled: new Map<string, number>(),
    kills: [500, 5000],
    calls: new Map(
      deliveries.map(({ occurrence, id }): [string, [number, number][]] => {
        return [`${occurrence}.${id}`, [[ids.indexOf(occurrence) * 1000 + 10, 200]]];
      }),
    ),
    occurrences: new Map(ids.map((id) => [id, occurrences[id]!.status ?? 'expanded'])),
    deliveries,
    duplicates: 0,
  };
}

/** Everything that is above its limit, by its name. */
const failures = (facts: ReturnType<typeof world>) =>
  Object.fromEntries(
    verdict(facts)
      .filter(({ value, most }) => most !== undefined && value > most)
      .map(({ what, value }) => [what, value]),
  );

const figure = (facts: ReturnType<typeof world>, what: string) =>
  verdict(facts).find((each) => each.what === what)?.value;

const UNFINISHED = 'occurrences lost: a person without a final delivery';

describe('the verdict after kills', () => {
  it('finds nothing if every person got one message', () => {
    expect(failures(world({ a: {}, b: { people: 3 } }))).toEqual({});
  });

  it('finds a trigger that is not in the database', () => {
    const facts = world({ a: {}, b: {} });
    facts.occurrences.delete('a');
    expect(failures(facts)).toEqual({ 'occurrences lost: not in the database': 1 });
  });

  it('finds a person without a delivery, a delivery that never ended, and an occurrence that was never expanded', () => {
    const facts = world({ a: { people: 3 }, b: { people: 2 }, c: { status: 'pending' }, d: {} });
    facts.deliveries.splice(0, 1);
    facts.calls.delete('a.1');
    facts.deliveries.find(({ occurrence }) => occurrence === 'b')!.status = 'pending';
    expect(failures(facts)).toEqual({ [UNFINISHED]: 3 });
  });

  it('finds deliveries that were given up, unless the occurrence was canceled', () => {
    const facts = world({ a: { people: 2 }, b: { people: 2, status: 'canceled' } });
    facts.deliveries.forEach((delivery) => (delivery.status = delivery.id === '1' ? 'skipped' : 'sent'));
    expect(failures(facts)).toEqual({ 'deliveries that were given up': 1 });
  });

  it('finds a sent message that never arrived, and a message without a row', () => {
    const facts = world({ a: {}, b: {} });
    facts.calls.set('a.1', [[10, 503]]);
    facts.calls.set('x.1', [[10, 200]]);
    expect(failures(facts)).toEqual({
      'messages `sent` that never arrived': 1,
      'messages without a delivery row': 1,
    });
  });

  it('finds a message that left more than two seconds after its cancel was answered', () => {
    const facts = world({ a: { status: 'canceled' }, b: { status: 'canceled' } });
    facts.canceled.set('a', -1991).set('b', -990);
    expect(failures(facts)).toEqual({ 'messages sent 2 s after their cancel': 1 });
  });

  it('counts a repeat for the first kill after the arrival, and a retry not at all', () => {
    const facts = world({ a: { people: 300 }, b: {}, c: {} });
    for (const [id, calls] of facts.calls) if (id.startsWith('a.')) calls.push([8000, 200]);
    facts.calls.get('b.1')!.splice(0, 1, [1010, 503], [6010, 200]);
    facts.calls.get('c.1')!.splice(0, 1, [2010, 503], [7010, 200], [7020, 200]);
    expect(failures(facts)).toEqual({ 'repeats per kill, most': 300 });
    expect(figure(facts, 'repeats')).toBe(301);
    expect(figure(facts, 'repeats without a kill')).toBe(1);
    expect(figure(facts, 'repeats per kill, median')).toBe(150);
    expect(figure(facts, 'calls answered with 503')).toBe(2);
  });

  it('measures how long a message stood still while later ones went on', () => {
    const facts = world({ a: {}, b: {}, c: {} });
    facts.calls.set('a.1', [[4010, 200]]);
    expect(figure(facts, 'longest standstill after a kill')).toBe(3); // the next one arrived at 1,010
  });
});

if (isLong) {
  const TEST_MS = 900_000;

  async function kills(env: Record<string, string> = {}) {
    const child = spawn(process.execPath, ['bench/kills/main.mjs', '--kills', '5'], {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '', ...env },
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, ...output };
  }

  describe('npm run kills', () => {
    it(
      'kills five processes under load, and nothing is lost',
      async () => {
        const { code, stdout, stderr } = await kills();
        expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('Nothing was lost.'), expect.anything()]);
        expect(stdout).toMatch(/repeats per kill, most +\d+ +250 +ok/);
        expect(stderr).toContain('kills: waiting until all has ended');
      },
      TEST_MS,
    );

    it(
      'exits with 1 if a message is lost on its way',
      async () => {
        const { code, stdout } = await kills({ BENCH_SINK_LOSES: '7' });
        expect([code, stdout]).toEqual([1, expect.stringMatching(/FAILED: messages `sent` that never arrived\n$/)]);
      },
      TEST_MS,
    );
  });
}
