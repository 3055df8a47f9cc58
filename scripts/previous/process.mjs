// A process of one of the two releases.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const START_MS = 120_000;

const environment = (databaseUrl) => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  DATABASE_URL: databaseUrl,
  OUTBOUND_ALLOW: '127.0.0.0/8',
  LOG_FORMAT: 'json',
  PORT: '0',
});

const program = (home) => join(home, 'dist', 'main.js');

/** Runs one command to its end, and returns its output. */
export async function carillon(home, databaseUrl, args, input = '') {
  const running = promisify(execFile)(process.execPath, [program(home), ...args], {
    cwd: home,
    env: environment(databaseUrl),
  });
  running.child.stdin.end(input);
  return (await running).stdout;
}

export class Process {
  output = '';

  constructor(name, child) {
    this.name = name;
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (this.output += chunk));
  }

  /** Starts one that serves requests and sends messages, and waits until it listens. */
  static async start(name, home, databaseUrl) {
    const child = spawn(process.execPath, [program(home), 'start'], { cwd: home, env: environment(databaseUrl) });
    const started = new Process(name, child);
    for (const deadline = Date.now() + START_MS; ; await sleep(20)) {
      started.url = /"message":"listening","url":"([^"]+)"/.exec(started.output)?.[1];
      if (started.url) return started;
      if (child.exitCode !== null || Date.now() > deadline) {
        child.kill('SIGKILL');
        throw new Error(`the ${name} release did not start: ${started.output}`);
      }
    }
  }

  get isRunning() {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Ends it as a deployment does. */
  async stop(signal = 'SIGTERM') {
    if (!this.isRunning) return;
    const closed = once(this.child, 'close');
    this.child.kill(signal);
    await closed;
  }
}
