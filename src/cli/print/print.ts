import { visibleLines } from '../../config/visible.js';

/** Prints JSON with `--json`, and text for people otherwise. */
export function print(json: boolean | undefined, data: unknown, text: string): void {
  const safe = visibleLines(text);
  process.stdout.write(json ? JSON.stringify(data) + '\n' : safe.endsWith('\n') ? safe : `${safe}\n`);
}

/** An error that the user can fix. Only its message is printed. */
export class CommandError extends Error {}

export function cannotRead(file: string, error: unknown): CommandError {
  return new CommandError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`, { cause: error });
}
