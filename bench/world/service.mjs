import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const START_MS = 300_000;

/** A production environment. It takes only PATH and HOME from the benchmark's own environment. */
const environment = (databaseUrl) => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  // A fast machine triggers more than the default allows, and refused triggers measure nothing.
  QUOTA_TRIGGERS_PER_SECOND: '1000000',
  NODE_ENV: 'production',
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  DATABASE_URL: databaseUrl,
  OUTBOUND_ALLOW: '127.0.0.0/8',
});

/**
 * Starts the built service, which logs into a file, and waits until it listens.
 * @param {'all' | 'api' | 'worker'} role
 * @param {{ settings?: Record<string, string>, flags?: string[] }} more environment variables, and flags of Node
 * @param {(child: import('node:child_process').ChildProcess) => void} started called before the process is ready
 */
export async function startService(role, databaseUrl, logFile, { settings = {}, flags = [] }, started) {
  const log = openSync(logFile, 'w');
  const env = { ...environment(databaseUrl), ROLE: role, PORT: '0', ...settings };
  const child = spawn(process.execPath, [...flags, MAIN, 'start'], { env, stdio: ['ignore', log, log] });
  closeSync(log);
  started(child);
  for (const deadline = Date.now() + START_MS; ; await sleep(20)) {
    const text = readFileSync(logFile, 'utf8');
    const listening = /"message":"listening","url":"([^"]+)"/.exec(text);
    if (listening) return { pid: child.pid, url: listening[1], child, logFile };
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline)
      throw new Error(`the ${role} did not start: ${text}`);
  }
}

/** Runs one `carillon` command and returns its output. */
export function runCarillon(args, databaseUrl, { input, settings }, started) {
  return new Promise((resolve, reject) => {
    const options = { env: { ...environment(databaseUrl), ...settings }, maxBuffer: 2 ** 26 };
    const child = execFile(process.execPath, [MAIN, ...args], options, (error, stdout, stderr) => {
      if (error) reject(new Error(`carillon ${args[0]}: ${stderr || error.message}`));
      else resolve(stdout);
    });
    started(child);
    child.stdin.end(input);
  });
}
