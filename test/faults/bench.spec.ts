import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';
import { itOnLinux } from '../support/linux.js';
import { isLong } from '../support/long.js';

const PEOPLE = 2000; // of a quick run
const TRIGGERS = 320; // of `single`, in a quick run

interface Result {
  rows: { service: { median: number }; floor: { median: number }; cpu: Record<string, { ownMs: number }> }[];
  counts: Record<string, number>;
}

let results: TestFolder;
/** Where the benchmark keeps what is its own while it runs. */
let temporary: TestFolder;
let group: number;

beforeAll(() => {
  results = createFolder();
  temporary = createFolder();
});
afterAll(() => {
  results.remove();
  temporary.remove();
});

afterEach(() => {
  expect(() => process.kill(-group, 0)).toThrow('ESRCH'); // none of its processes is left
  expect(readdirSync(temporary.path)).toEqual([]);
  expect(commands().filter((command) => command.includes(temporary.path))).toEqual([]); // nor its PostgreSQL
});

function commands(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => (existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''));
}

/** Runs it to its end, or until it says something that makes us interrupt it. */
async function bench(args: string[], env: Record<string, string> = {}, interruptAt?: string) {
  const child = spawn(process.execPath, ['bench/main.mjs', ...args, '--quick', '--results', results.path], {
    cwd: root,
    env: { ...process.env, TMPDIR: temporary.path, NODE_OPTIONS: '', ...env },
    detached: true,
  });
  group = child.pid!;
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    const before = output.stderr;
    output.stderr += chunk.toString();
    if (interruptAt && !before.includes(interruptAt) && output.stderr.includes(interruptAt))
      process.kill(-group, 'SIGINT');
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...output };
}

const resultOf = (scenario: string) =>
  JSON.parse(readFileSync(join(results.path, `${scenario}.json`), 'utf8')) as Result;

// The long run measures three scenarios, and has four more tests.
const SCENARIOS = isLong ? ['trigger', 'http', 'push'] : ['http'];

itOnLinux('measures the service beside its floors, and counts that nothing was lost', async () => {
  const { code, stdout, stderr } = await bench([...SCENARIOS, '--rounds', '1']);
  expect([code, stderr]).toEqual([0, expect.stringContaining('round 1 of 1')]);
  expect(stdout).toMatch(/median +range +ratio to floor +CPU per operation/);
  expect(stdout).toMatch(/2,000 messages +[\d,.]+\/s +[\d,.]+ to [\d,.]+ /);
  expect(stdout.match(/floor: .*\/s/g)).toHaveLength(SCENARIOS.length);
  for (const scenario of SCENARIOS) {
    const [row] = resultOf(scenario).rows;
    const figures = [row!.service.median, row!.floor.median, row!.cpu.service!.ownMs, row!.cpu.floor!.ownMs];
    expect(figures.filter((figure) => !(figure > 0))).toEqual([]);
  }
  // Once to warm up, once for the figure.
  expect(resultOf('http').counts).toMatchObject({
    'messages received': 2 * PEOPLE,
    'deliveries sent': 2 * PEOPLE,
    'messages of the floor': 2 * PEOPLE,
    'jobs left': 0,
  });
  if (!isLong) return;
  expect(resultOf('push').counts).toMatchObject({
    'messages received': 2 * PEOPLE,
    'messages of the floor': 2 * PEOPLE,
  });
  const { counts } = resultOf('trigger');
  expect(counts['occurrences stored']).toBe(counts['answers 201']);
  expect(stdout).toMatch(/POST \.\.\.\/trigger\/ +[\d,.]+\/s +[\d,.]+ to [\d,.]+ /);
});

if (isLong) {
  itOnLinux('leaves nothing behind when it is interrupted', async () => {
    const { code, stdout, stderr } = await bench(['http'], {}, 'http: warm-up');
    // Its parts hear the signal too: the end of one of them may be what is noticed first.
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('bench: http: ')]);
  });

  itOnLinux('measures messages to one person each, and counts each of them', async () => {
    const { code, stdout } = await bench(['single', '--rounds', '1']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('320 triggers, a list of one member')]);
    // Each side once to warm up, once for the figure: two sides trigger one by one, one all at once.
    expect(resultOf('single').counts).toMatchObject({
      'answers 201': 4 * TRIGGERS,
      'occurrences expanded': 4 * TRIGGERS + 2,
      'messages received': 4 * TRIGGERS + 2 * PEOPLE,
      'jobs left': 0,
    });
  });

  itOnLinux('grows a database, and every operation answers on it', async () => {
    const { code, stdout } = await bench(['growth', '--rounds', '1']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('The highest ratio of times is ')]);
    expect(resultOf('growth').rows).toHaveLength(21); // the operations of the contract, and a message
  });

  itOnLinux('has no number for a run in which a message was lost, not even an old one', async () => {
    const old = join(results.path, 'http.json');
    writeFileSync(old, '{}');
    const { code, stdout, stderr } = await bench(['http'], { BENCH_SINK_LOSES: '7' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('bench: http: the counts do not add up: messages received: 1999 instead of 2000');
    expect(existsSync(old)).toBe(false);
  });
}
