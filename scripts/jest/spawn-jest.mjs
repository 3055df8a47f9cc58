import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

/** Starts Jest as a process of its own. Without `url`, its global setup starts what the tests need. */
export function spawnJest(url, args, { env = {}, ...options } = {}) {
  const bin = createRequire(import.meta.url).resolve('jest/bin/jest');
  // To compile Prisma's WebAssembly for speed as well takes longer than it saves in a short run.
  const flags = process.env.TEST_LONG === '1' ? [] : ['--liftoff-only'];
  return spawn(process.execPath, [...flags, bin, ...args], {
    ...options,
    env: { ...process.env, ...(url && { TEST_POSTGRES_URL: url }), NODE_ENV: 'test', ...env },
  });
}
