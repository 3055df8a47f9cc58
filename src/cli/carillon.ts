import { CommanderError } from 'commander';
import { loadEnvFile } from '../config/config.js';
import { describeError } from '../config/describe-error.js';
import { visibleLines } from '../config/visible.js';
import { createProgram } from './command/program.js';

/** Runs a command and returns the exit code. Prints an error as one line. */
export async function carillon(args: string[]): Promise<number> {
  try {
    loadEnvFile();
    await createProgram().parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`carillon: ${visibleLines(describe(error))}\n`);
    return 1;
  }
}

function wayOut(error: unknown): string {
  const { code, port } = error as { code?: string; port?: number };
  if (code !== 'EADDRINUSE') return '';
  const setting = process.env.METRICS_PORT === String(port) ? 'METRICS_PORT' : 'PORT';
  return `. Stop the program that uses it, or choose another port, such as ${setting}=${Number(port) + 1}`;
}

function describe(error: unknown): string {
  const { stack } = error as Error;
  return process.env.LOG_LEVEL === 'debug' && stack ? stack : `${describeError(error)}${wayOut(error)}`;
}
