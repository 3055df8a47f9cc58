import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../src/platform/config/root.js';

export interface Ran {
  command: string;
  code: number;
  output: string;
}

// What a clone has on its path.
const PRELUDE = `
npx() { if [ "$1" = carillon ]; then shift; ${process.execPath} ${join(root, 'dist', 'main.js')} "$@"; else command npx "$@"; fi; }
`;

/** Runs the commands one after the other in one shell, as a person who types them. Answers what each printed. */
export async function runInShell(folder: string, env: Record<string, string>, commands: string[]): Promise<Ran[]> {
  const mark = (n: number) => `\necho "<<<${n} $?>>>"\n`;
  const script = join(folder, 'commands.sh');
  writeFileSync(script, PRELUDE + commands.map((command, n) => command + mark(n)).join(''));
  const { PATH = '', HOME = '' } = process.env;
  const shell = spawn('bash', [script], { cwd: folder, env: { PATH, HOME, ...env }, detached: true });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(shell, 'exit');
  try {
    process.kill(-shell.pid!, 'SIGKILL'); // what it left in the background
  } catch {
    // Nothing was left.
  }
  const ends = [...output.matchAll(/<<<(\d+) (\d+)>>>\n/g)];
  return ends.map((end, i) => ({
    command: commands[Number(end[1])]!,
    code: Number(end[2]),
    output: output.slice(i === 0 ? 0 : ends[i - 1]!.index + ends[i - 1]![0].length, end.index),
  }));
}
