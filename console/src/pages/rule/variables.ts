import type { ContextSchema } from '@carillon/client';
import type { Variable } from '../../editor/variable';
import { fieldsOf } from '../event/context-schema';

/** What every template knows besides the context. The samples are those of the user whom a preview invents. */
const GIVEN: readonly Variable[] = [
  { name: 'user.first_name', sample: 'Sam', group: 'user' },
  { name: 'user.last_name', sample: 'Sample', group: 'user' },
  { name: 'user.email', sample: 'sam@example.com', group: 'user' },
  { name: 'user.locale', sample: 'en', group: 'user' },
  { name: 'user.custom_fields', sample: '', group: 'user' },
  { name: 'event.name', sample: '', group: 'about' },
  { name: 'application.name', sample: '', group: 'about' },
  { name: 'project.name', sample: '', group: 'about' },
  { name: 'organization.name', sample: '', group: 'about' },
  { name: 'channel.name', sample: '', group: 'about' },
  { name: 'occurrence.id', sample: '', group: 'about' },
  { name: 'occurrence.created_at', sample: '2026-11-18T09:30:00.000Z', group: 'about' },
  { name: 'unsubscribe_url', sample: '', group: 'about' },
  { name: 'preferences_url', sample: '', group: 'about' },
  { name: 'step.number', sample: '1', group: 'about' },
  { name: 'step.repeat', sample: '0', group: 'about' },
  { name: 'step.since', sample: '2026-11-18T09:30:00.000Z', group: 'about' },
  { name: 'acknowledge_url', sample: '', group: 'about' },
  { name: 'mute_url', sample: '', group: 'about' },
  { name: 'acknowledge_code', sample: '1234', group: 'about' },
];

/** What only layouts and partials know. */
const OF_LAYOUT: readonly Variable[] = [
  { name: 'content', sample: '', group: 'layout' },
  { name: 'message.subject', sample: '', group: 'layout' },
  { name: 'brand.logo', sample: '', group: 'layout' },
  { name: 'brand.color', sample: '#1f2328', group: 'layout' },
  { name: 'brand.address', sample: '', group: 'layout' },
  { name: 'brand.links', sample: '', group: 'layout' },
  { name: 'brand.links[].url', sample: '', group: 'layout' },
  { name: 'brand.links[].label', sample: '', group: 'layout' },
];

/** What a template's names may start with besides the fields of the context. */
export const GIVEN_ROOTS: ReadonlySet<string> = new Set([
  ...[...GIVEN, ...OF_LAYOUT].map(({ name }) => rootOf(name)),
  'digest',
]);

/** A partial has no content: it gets other values from `render`. */
export const variablesOfLayout = (kind: 'layout' | 'partial'): Variable[] => [
  ...OF_LAYOUT.filter(({ name }) => kind === 'layout' || name !== 'content'),
  ...GIVEN,
];

type Context = Record<string, unknown>;

/** The fields that the event's notifications use or that the sample has, each with its value, and what every template knows. */
export function variablesOf(schema: ContextSchema | undefined, context: Context | undefined): Variable[] {
  const samples = new Map(samplesIn(context ?? {}, ''));
  const names = new Set([...(schema ? fieldsOf(schema).map(({ name }) => name) : []), ...samples.keys()]);
  const own = [...names].sort().map((name): Variable => ({ name, sample: samples.get(name) ?? '', group: 'context' }));
  return [...own, ...GIVEN];
}

/** With the fields that the edits use and that nobody else knows. */
export function withDrafted(variables: readonly Variable[], drafted: readonly string[]): Variable[] {
  const known = new Set(variables.map(({ name }) => name));
  const more = drafted.filter((name) => !known.has(name));
  return [...more.map((name): Variable => ({ name, sample: '', group: 'context' })), ...variables];
}

/** The most fields of a context that are offered: it may hold a whole catalog. */
const MOST = 200;
const SAMPLE_LENGTH = 60;

function samplesIn(value: Context, prefix: string): [string, string][] {
  const found = Object.entries(value).flatMap(([name, child]): [string, string][] => {
    const path = prefix + name;
    if (Array.isArray(child)) {
      const [first] = child as unknown[];
      return [[path, ''], ...(isObject(first) ? samplesIn(first, `${path}[].`) : [])];
    }
    if (isObject(child)) return [[path, ''], ...samplesIn(child, `${path}.`)];
    return [[path, child === null ? '' : String(child).slice(0, SAMPLE_LENGTH)]];
  });
  return found.filter(([name]) => /^[\w.[\]-]+$/.test(name)).slice(0, MOST);
}

const isObject = (value: unknown): value is Context => typeof value === 'object' && value !== null;

/** Names that are empty for reasons of their own: this user has none, or this message is none of those that have them. */
const MAY_BE_EMPTY = /^(user\.custom_fields|unsubscribe_url|preferences_url|digest|occurrence\.attachments)\b/;

interface Lacking {
  missing: string[] | null;
  optional: string[] | null;
}

/**
 * The names that a template uses, that have no value in the preview, and that nobody else uses or has had. Of an event about which nothing is known
 * yet, every field is new.
 */
export function unknownNames(preview: Lacking | undefined, variables: readonly Variable[]): string[] {
  const known = new Set(variables.map(({ name }) => name));
  const isNew = !variables.some(({ group }) => group === 'context');
  const reserved = new Set(GIVEN.map(({ name }) => rootOf(name)));
  const lacking = [...(preview?.missing ?? []), ...(preview?.optional ?? [])];
  const names = new Set(lacking.map((name) => name.replaceAll(/\[\d+\]/g, '[]')));
  return [...names].filter(
    (name) => !known.has(name) && !MAY_BE_EMPTY.test(name) && (!isNew || reserved.has(rootOf(name))),
  );
}

function rootOf(name: string): string {
  return name.split('.')[0]!;
}
