import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { CommandError, cannotRead } from '../print/print.js';

export const JSON_INPUT = 'JSON, @file, or - for standard input';

/** The value of an option that takes JSON, `@` and the name of a file, or `-` for standard input. */
export async function readJson(option: string, given: string): Promise<unknown> {
  const source = await sourceOf(given);
  try {
    return JSON.parse(source) as unknown;
  } catch (error) {
    throw new CommandError(`${option} is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
}

async function sourceOf(given: string): Promise<string> {
  if (given === '-') return text(process.stdin);
  if (!given.startsWith('@')) return given;
  const file = given.slice(1);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw cannotRead(file, error);
  }
}

/** Names with commas between them, or a list as JSON. */
export async function readNames(option: string, given: string): Promise<unknown> {
  if (/^\s*[[{@]|^-$/.test(given)) return readJson(option, given);
  return given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
