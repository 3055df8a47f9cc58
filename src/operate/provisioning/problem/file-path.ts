import { isObject } from '../../../platform/field/is-object.js';
import type { YamlPath } from '../../../platform/field/yaml-path.js';

/** Leads from the root of a configuration file to a value. */
export type FilePath = YamlPath;

/** The lists of a file whose entries have a name in texts, such as `channel acme/mail`. */
export const NOUNS: Readonly<Record<string, string>> = {
  organizations: 'organization',
  channels: 'channel',
  layouts: 'layout',
  partials: 'partial',
  users: 'user',
  projects: 'project',
  categories: 'category',
  distribution_lists: 'distribution list',
  applications: 'application',
  events: 'event',
  notifications: 'notification',
};

/** The name of an entry of a list; null: it has no name. */
export function nameOf(entry: unknown): string | null {
  if (typeof entry === 'string') return entry;
  if (!isObject(entry)) return null;
  const name = entry.slug ?? entry.email ?? entry.name ?? entry.channel;
  return typeof name === 'string' ? name.trim() : null;
}

const childOf = (value: unknown, step: string | number): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[step] : undefined;

export const valueAt = (root: unknown, path: FilePath): unknown => path.reduce(childOf, root);

/** The path of this entry; empty if it is not in the file. */
export function findPath(root: unknown, entry: object): FilePath {
  return search(root, entry) ?? [];
}

function search(value: unknown, entry: object): FilePath | null {
  if (value === entry) return [];
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, child] of Object.entries(value)) {
    const path = typeof child === 'object' ? search(child, entry) : null;
    if (path) return [Array.isArray(value) ? Number(key) : key, ...path];
  }
  return null;
}

/** The path of a field inside an entry. Errors name it as `quiet_hours[0].from`, or with names: `templates.mail.text`. */
export function stepsOf(entry: unknown, field: string): FilePath {
  if (field === '') return [];
  const index = /^\[(\d+)\]\.?/.exec(field);
  if (index) return into(entry, Number(index[1]), field.slice(index[0].length));
  const isNext = (name: string) => field === name || ['.', '['].some((end) => field.startsWith(name + end));
  const rest = (name: string) => field.slice(name.length).replace(/^\./, '');
  if (Array.isArray(entry)) {
    const i = entry.findIndex((item) => isNext(nameOf(item) ?? '\0'));
    return i === -1 ? [field] : into(entry, i, rest(nameOf(entry[i])!));
  }
  // Names may hold dots: the longest one counts.
  const keys = isObject(entry) ? Object.keys(entry).filter(isNext) : [];
  const [key] = keys.sort((a, b) => b.length - a.length);
  return key === undefined ? [field] : into(entry, key, rest(key));
}

const into = (value: unknown, step: string | number, rest: string): FilePath => [
  step,
  ...stepsOf(childOf(value, step), rest),
];

/** As operators name it: `notification acme/shop/web/order-paid/Tell: templates.mail.text`. */
export function describePath(root: unknown, path: FilePath): string {
  const names: string[] = [];
  let noun = '';
  let end = 0;
  for (const [i, step] of path.entries()) {
    const list = path[i - 1];
    if (typeof step !== 'number' || typeof list !== 'string' || i !== end + 1) continue;
    const name = nameOf(valueAt(root, path.slice(0, i + 1)));
    if (name === null || !NOUNS[list]) break;
    noun = NOUNS[list];
    names.push(name);
    end = i + 1;
  }
  const owner = names.length === 0 ? '' : `${noun} ${names.join('/')}`;
  return [owner, fieldText(root, path, end)].filter(Boolean).join(': ');
}

function fieldText(root: unknown, path: FilePath, start: number): string {
  const steps = path.slice(start).map((step, i) => {
    const name = typeof step === 'number' ? nameOf(valueAt(root, path.slice(0, start + i + 1))) : step;
    return name === null ? `[${step}]` : `.${name}`;
  });
  return steps.join('').replace(/^\./, '');
}
