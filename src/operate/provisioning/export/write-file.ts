import { stringify } from 'yaml';
import { isObject } from '../../../platform/field/is-object.js';
import type { ExportParts, Pages } from './export-parts.js';
import { jsonLine } from './export-users.js';

/** Writes a configuration file, part by part. */
export async function* writeFile({ head, users, projects }: ExportParts): AsyncGenerator<string> {
  yield* preface([...variablesIn([head, projects])]);
  yield 'organizations:\n' + block([head], 2);
  if (users) yield* items('users', 4, users);
  yield projects.length === 0 ? '    projects: []\n' : '    projects:\n';
  for (const project of projects) {
    yield block([project.head], 6);
    yield project.lists.length === 0 ? '        distribution_lists: []\n' : '        distribution_lists:\n';
    for (const { head, members } of project.lists) {
      yield block([head], 10);
      if (members) yield* items('members', 12, members);
    }
    yield block({ applications: project.applications }, 8);
  }
}

/** The environment variables that `apply` reads the secrets from. */
function* variablesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || Symbol.asyncIterator in value) return;
  if (isObject(value) && typeof value.env === 'string' && Object.keys(value).length === 1) yield value.env;
  else for (const child of Object.values(value)) yield* variablesIn(child);
}

function* preface(secretNames: string[]): Generator<string> {
  yield '# Written by carillon export.\n';
  if (secretNames.length === 0) return;
  yield '# It contains no secrets. carillon apply reads them from these environment variables:\n';
  for (const name of secretNames) yield `#   ${name}\n`;
}

/** Indented YAML. */
const block = (value: unknown, indent: number) =>
  stringify(value, { lineWidth: 0 })
    .split('\n')
    .map((line) => line && ' '.repeat(indent) + line)
    .join('\n');

/** A list with one entry a line. The entries are JSON, which is also YAML and faster to write. */
async function* items(key: string, indent: number, entries: Pages<unknown>): AsyncGenerator<string> {
  const margin = ' '.repeat(indent);
  let isEmpty = true;
  for await (const page of entries) {
    if (page.length === 0) break;
    yield (isEmpty ? `${margin}${key}:\n` : '') + page.map((entry) => `${margin}  - ${jsonLine(entry)}\n`).join('');
    isEmpty = false;
  }
  if (isEmpty) yield `${margin}${key}: []\n`;
}
