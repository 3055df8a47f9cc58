import { readFileSync, statfsSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';

const TMPFS = 0x01021994;

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** @param {import('../world/postgres.mjs').Postgres} postgres */
export async function machineOf(postgres) {
  const names = ['server_version', 'fsync', 'synchronous_commit', 'shared_buffers'];
  const [settings] = await postgres.admin(
    `select ${names.map((name) => `current_setting('${name}') ${name}`).join(', ')}`,
  );
  return {
    carillon: version,
    cores: cpus().length,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    postgresql: settings,
    loadBefore: loadavg()[0],
    disk: statfsSync(postgres.folder).type === TMPFS ? 'memory' : 'disk',
  };
}

/** Reasons to trust the figures less. */
export function warnings({ cores, loadBefore, disk }) {
  return [
    ...(loadBefore > cores / 4
      ? [`the machine is busy with other things (load ${loadBefore.toFixed(1)} on ${cores} cores)`]
      : []),
    ...(disk === 'memory' ? ['PostgreSQL writes to memory, not to a disk: set TMPDIR to a folder on a disk'] : []),
  ];
}
