import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CommandError } from '../print/print.js';

/** The program that opens a file as a double click does. */
const OPENERS: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
};

/** Opens a file in the browser, without a shell: the name of the file is never a command. */
export async function openFile(file: string): Promise<void> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(program, [...args, file], { detached: true, stdio: 'ignore' });
  opener.unref();
  try {
    await once(opener, 'spawn');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isMissing ? `this machine has no ${program}` : (error as Error).message;
    throw new CommandError(`cannot open a browser: ${why}. Open ${file} yourself`, { cause: error });
  }
}
