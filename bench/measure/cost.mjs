import { cpuMs } from './processes.mjs';

/**
 * Does the work. Returns its result, and the CPU time per operation of these processes and of PostgreSQL.
 * @template Result
 * @param {import('../world.mjs').World} world
 * @param {{ pid: number }[]} processes
 * @param {number} operations
 * @param {() => Promise<Result>} work
 */
export async function costOf(world, processes, operations, work) {
  const own = processes.map(({ pid }) => pid);
  const before = [cpuMs(own), cpuMs([world.postgresPid])];
  const result = await work();
  const after = [cpuMs(own), cpuMs([world.postgresPid])];
  const [ownMs, postgresMs] = after.map((ms, i) => (ms - before[i]) / operations);
  return { ...result, cpuMs: ownMs, postgresCpuMs: postgresMs };
}
