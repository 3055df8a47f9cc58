import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { ATTACKS } from '../../bench/attack/attacks.mjs';
import { textTable } from '../../bench/attack/table.mjs';
import { brokenPromises, isBusy } from '../../bench/attack/verdict.mjs';
import type { Result } from '../../bench/attack/verdict.mjs';
import { root } from '../../src/platform/config/root.js';
import { isLong } from '../support/long.js';

const calm = { triggers: { p50: 10, p99: 20 }, reads: { p50: 3, p99: 6 } };

const result = (under: Partial<typeof calm> = {}, peak = 200): Result => ({
  name: 'flood',
  memory: { before: 160, peak },
  quiet: { before: calm, under: { ...calm, ...under } },
  answers: { 201: 7499 },
});

describe('the verdict on an attack', () => {
  it('is good while the other tenant is served within a second and memory stays bounded', () => {
    expect(brokenPromises(result({ reads: { p50: 3, p99: 999 } }, 500))).toEqual([]);
    expect(brokenPromises(result({}, NaN))).toEqual([]); // not Linux
  });

  it('names each promise that did not hold', () => {
    const late = { triggers: { p50: 10, p99: 1000 }, reads: { p50: 3, p99: Infinity } };
    expect(brokenPromises(result(late, 1903))).toEqual(['p99 of triggers', 'p99 of reads', 'memory']);
    expect(textTable([result(late, 1903)])).toMatch(
      /20 → 1,000 ms .* 6 → lost ms .* 160 → 1,903 MB {2}FAILED {2}7,499 × 201$/,
    );
  });

  it('is not given when the machine was slow before the attack', () => {
    const slow = { ...result(), quiet: { before: { ...calm, triggers: { p50: 100, p99: 250 } }, under: calm } };
    expect([isBusy(result()), isBusy(slow)]).toEqual([false, true]);
    expect(textTable([slow])).toContain('BUSY');
  });

  it('is given on attacks that have different names', () => {
    expect(new Set(ATTACKS.map(({ name }) => name)).size).toBe(ATTACKS.length);
  });
});

if (isLong) {
  it('a tenant that floods the service with critical triggers for a silent provider leaves the other tenant alone', async () => {
    const args = ['bench/attack/main.mjs', 'critical', '--seconds', '5'];
    const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, NODE_OPTIONS: '' } });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect([code, stdout]).toEqual([0, expect.stringContaining('ok')]);
  });
}
