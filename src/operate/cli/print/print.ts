import type { Command } from 'commander';
import { visibleLines } from '../../../platform/config/visible.js';
import { writeWhole } from './write-whole.js';

/** How a command prints its result. */
export interface PrintOptions {
  json?: boolean;
  /** File to write. Undefined: standard output. */
  out?: string;
}

export const withJson = (command: Command) => command.option('--json', 'print JSON');

const withOut = (command: Command) =>
  command.option('--out <file>', 'file to write or replace (default: standard output)');

export const withPrintOptions = (command: Command) => withOut(withJson(command));

/** Prints JSON with `--json`, and readable text otherwise. */
export async function print({ json, out }: PrintOptions, data: unknown, text: string): Promise<void> {
  const safe = visibleLines(text);
  const printed = json ? JSON.stringify(data) + '\n' : safe.endsWith('\n') ? safe : `${safe}\n`;
  if (out === undefined) process.stdout.write(printed);
  else await writeWhole(out, [printed]);
}

/** Lines with aligned columns; the first line is the header. */
export function aligned(lines: string[][]): string {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** An error that the user can fix. Only its message is printed. */
export class CommandError extends Error {}

export function cannotRead(file: string, error: unknown): CommandError {
  return new CommandError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`, { cause: error });
}
