import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../../src/platform/config/root.js';
import { until } from '../until.js';

type Env = Record<string, string>;

interface StartOptions {
  home?: string;
  folder?: string;
  program?: string;
  args?: string[];
}

const PROGRAM = join('dist', 'main.js');
/** Commands of a test do not use the profiles of the developer: there are none in this folder. */
export const NO_PROFILES = { XDG_CONFIG_HOME: join(root, 'test') };
const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');

/** The built service as a process of its own, as users run it. */
export class Service {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    private readonly chunks: string[],
  ) {}

  get pid(): number {
    return this.child.pid!;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Everything it has printed so far. */
  get output(): string {
    return this.chunks.join('');
  }

  /** Starts it and waits until it says where it listens. `home`: where it is installed, `folder`: where it runs. */
  static async start(
    env: Env,
    { home = root, folder = home, program = PROGRAM, args = [] }: StartOptions = {},
  ): Promise<Service> {
    const all = { PORT: '0', LOG_FORMAT: 'json', ...env };
    const child = spawnCarillon(['start', ...args], all, home, folder, program);
    const chunks = collect(child);
    const look = () => {
      if (child.exitCode !== null) throw new Error(`it did not start: ${chunks.join('')}`);
      return /"message":"listening","url":"([^"]+)"|API +(http:\S+)\/api\//.exec(chunks.join(''));
    };
    const url = await until(60_000, look, () => `its start: ${chunks.join('')}`);
    return new Service(child, (url[1] ?? url[2])!, chunks);
  }

  /** Runs one command to its end and answers what it printed; fails as the command does. */
  static async run(args: string[], env: Env, input = '', home = root): Promise<string> {
    const { code, stdout, stderr } = await Service.try(args, env, input, home);
    if (code !== 0) throw new Error(`carillon ${args.join(' ')} exited with ${code}: ${stderr}`);
    return stdout;
  }

  static async try(
    args: string[],
    env: Env,
    input = '',
    home = root,
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    const child = spawnCarillon(args, env, home);
    let stdout = '';
    let stderr = '';
    child.stdout!.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin!.end(input);
    const [code] = (await once(child, 'close')) as [number];
    return { code, stdout, stderr };
  }

  /** Sends the signal and answers the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (!this.running) return this.child.exitCode;
    this.child.kill(signal);
    const [code] = (await once(this.child, 'close')) as [number | null];
    return code;
  }
}

export function spawnCarillon(args: string[], env: Env, home: string, folder = home, program = PROGRAM): ChildProcess {
  // Nothing of the test run's own environment leaks in, but for what programs need to run at all.
  const { PATH = '', HOME = '' } = process.env;
  return spawn(process.execPath, [join(home, program), ...args], {
    cwd: folder,
    env: { PATH, HOME, ...NO_PROFILES, SECRET_KEY, ...env },
  });
}

function collect(child: ChildProcess): string[] {
  const chunks: string[] = [];
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  return chunks;
}
