import type { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { Info } from 'csv-parse';
import { isObject } from '../../../platform/field/is-object.js';
import { CSV_OPTIONS, inParts, isColumn, readRecord } from '../../../rules/user-file/columns.js';
import type { Columns } from '../../../rules/user-file/columns.js';
import { ProvisioningError } from '../file.js';
import type { UserFileFormat } from './user-file-format.js';

export interface UserFileSource {
  format: UserFileFormat;
  /** The separator of CSV cells; the default is a comma. */
  delimiter?: string;
}

/** One row of a file of users, or the reason why it cannot be read. */
export type UserFileRow = { line: number; value: unknown } | { line: number; problem: string };

export const isProblem = (entry: unknown): entry is { problem: string } => isObject(entry) && 'problem' in entry;

/** Streams the rows of a file of any size. `columns` are the allowed columns of a CSV file. */
export function readUsers(
  input: Readable,
  { format, delimiter }: UserFileSource,
  columns: Columns,
): AsyncGenerator<UserFileRow> {
  return format === 'csv' ? readCsv(input, delimiter ?? ',', columns) : readNdjson(input);
}

async function* readCsv(input: Readable, delimiter: string, columns: Columns): AsyncGenerator<UserFileRow> {
  let header: string[] | undefined;
  const parser = parse({ ...CSV_OPTIONS, delimiter });
  input.on('error', (error) => parser.destroy(error));
  input.pipe(parser);
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      const line = info.lines;
      if (!header) header = checkHeader(record, columns);
      else yield { line, ...readRecord(header, record, columns) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ProvisioningError([`the file is not valid CSV: ${error.message}`]);
  }
}

function checkHeader(header: string[], columns: Columns): string[] {
  const unknown = header.filter((name) => !isColumn(name, columns));
  const { fields, nested } = columns;
  const all = [...Object.keys(fields), ...Object.keys(nested).map((prefix) => `${prefix}.NAME`)].join(', ');
  const problems = unknown.map((name) => `line 1: unknown column ${JSON.stringify(name)}: use ${all}`);
  if (!header.includes('email')) problems.push('line 1: the column email is missing');
  if (new Set(header).size < header.length) problems.push('line 1: a column is listed twice');
  const both = inParts(header);
  problems.push(...both.map((name) => `line 1: ${name} is listed as a whole and in parts: use one of them`));
  if (problems.length > 0) throw new ProvisioningError(problems);
  return header;
}

async function* readNdjson(input: Readable): AsyncGenerator<UserFileRow> {
  let line = 0;
  for await (const text of linesOf(input)) {
    line++;
    if (text.trim() === '') continue;
    try {
      yield { line, value: JSON.parse(text) as unknown };
    } catch {
      yield { line, problem: 'is not valid JSON' };
    }
  }
}

/** Node's readline also splits at U+2028, which JSON may contain. So the lines are split here. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder(); // drops a byte order mark
  let rest = '';
  for await (const chunk of input as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  yield rest + decoder.decode();
}
