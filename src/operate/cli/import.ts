import { createReadStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { visibleLines } from '../../platform/config/visible.js';
import type { ImportResult } from '../provisioning/user-files/import.service.js';
import type { UserFileFormat } from '../provisioning/user-files/user-file-format.js';
import type { ImportOwner } from './file/import-owner.js';
import { CommandError, cannotRead, print } from './print/print.js';
import { progressBar } from './print/progress-bar.js';
import { remoteService } from './remote/options.js';
import type { RemoteOptions } from './remote/options.js';

export interface ImportCommandOptions extends RemoteOptions {
  org: string;
  format?: UserFileFormat;
  delimiter: string;
  dryRun?: boolean;
  json?: boolean;
}

export interface ImportMembersOptions extends ImportCommandOptions {
  project: string;
  list: string;
}

/** Exit code if rows were refused, for scripts. */
const REFUSED_ROWS = 2;
const MAX_PRINTED = 20;

export const importUsers = (file: string, options: ImportCommandOptions): Promise<void> =>
  run(file, options, { org: options.org, list: null });

export const importMembers = (file: string, options: ImportMembersOptions): Promise<void> => {
  const { org, project, list } = options;
  return run(file, options, { org, list: { project, list } });
};

async function run(file: string, options: ImportCommandOptions, owner: ImportOwner): Promise<void> {
  const { format, delimiter, dryRun = false, json } = options;
  const source = { format: format ?? formatOf(file), delimiter, dryRun };
  const service = remoteService(options);
  const input = open(file);
  const { done, refused, refusals } = service
    ? await (await import('./file/remote-import.js')).importOverHttp(service, owner, input, source)
    : await (await import('./file/database-import.js')).importIntoDatabase(owner, input, source);
  await print({ json }, { dry_run: dryRun, done, refused, refusals }, report(done, dryRun));
  if (refused === 0) return;
  if (!json) process.stderr.write(visibleLines(refusalText(refused, refusals, dryRun)));
  process.exitCode = REFUSED_ROWS;
}

function formatOf(file: string): UserFileFormat {
  if (/\.csv$/i.test(file)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson';
  throw new CommandError(`the name of ${file} does not end with .csv or .ndjson: add --format csv or --format ndjson`);
}

function open(file: string): Readable {
  if (file === '-') return process.stdin;
  let total: number;
  try {
    total = statSync(file).size;
  } catch (error) {
    throw cannotRead(file, error);
  }
  return Readable.from(readWithProgress(file, total));
}

async function* readWithProgress(file: string, total: number): AsyncGenerator<Buffer> {
  const progress = progressBar('bytes');
  let done = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    yield chunk;
    progress((done += chunk.length), total);
  }
}

function report(done: Record<string, number>, dryRun: boolean): string {
  const counts = Object.entries(done).map(
    ([what, count]) => `${count.toLocaleString('en')} ${what.replaceAll('_', ' ')}`,
  );
  const words = counts.join(', ') || 'nothing to do';
  return dryRun ? `${words}\nnothing was changed (dry run)` : words;
}

function refusalText(refused: number, refusals: ImportResult['refusals'], dryRun: boolean): string {
  const lines = refusals.slice(0, MAX_PRINTED).map(({ line, problem }) => `line ${line}: ${problem}`);
  const more = refused > lines.length ? [`and ${(refused - lines.length).toLocaleString('en')} more`] : [];
  const rows = refused === 1 ? '1 row was' : `${refused.toLocaleString('en')} rows were`;
  return [`${rows} refused${dryRun ? '' : ', the others were imported'}:`, ...lines, ...more, ''].join('\n');
}
