import { sqlArray } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldError } from '../../platform/field/error/field-error.js';
import { FIND_CATEGORIES, FIND_EVENTS } from './preference.sql.js';
import type { Wish } from './read-choices.js';

/** What a choice is about. Both null: everything over a channel type. */
export interface PreferenceSubject {
  categoryId: number | null;
  eventId: number | null;
  /** Of a category: how often users may get its messages in one. */
  frequencies?: readonly string[];
  /** Why nobody can choose about it, if so. */
  refusal?: string;
}

interface Named {
  id: number;
  /** The whole name: `shop/news` or `shop/web/order-paid`. */
  name: string;
  /** Null for an event without a category. */
  isRequired: boolean | null;
  category?: string | null;
  frequencies?: readonly string[];
}

export type FindSubject = (wish: Pick<Wish, 'about' | 'name'>) => PreferenceSubject | { problem: FieldError };

/**
 * Looks up all categories and events that these wishes name. A name may leave out its beginning, if only one thing of the organization then
 * fits: `news` for `shop/news`.
 */
export async function findSubjects(
  tx: Transaction,
  organizationId: number,
  wishes: readonly Pick<Wish, 'about' | 'name'>[],
): Promise<FindSubject> {
  const slugsOf = (about: Wish['about']) =>
    new Set(wishes.flatMap(({ about: each, name }) => (each === about && isName(name) ? name.split('/').at(-1)! : [])));
  const find = async (sql: string, slugs: Set<string>) =>
    slugs.size === 0 ? [] : tx.$queryRawUnsafe<Named[]>(sql, organizationId, sqlArray([...slugs]));
  const categories = bySlug(await find(FIND_CATEGORIES, slugsOf('category')));
  const events = bySlug(await find(FIND_EVENTS, slugsOf('event')));
  return ({ about, name }) => {
    if (about === 'channel') return { categoryId: null, eventId: null };
    const found = only(about === 'category' ? categories : events, about, name);
    if ('problem' in found) return found;
    return about === 'category'
      ? {
          ...{ categoryId: found.id, eventId: null, frequencies: found.frequencies },
          ...(found.isRequired && { refusal: REQUIRED }),
        }
      : { categoryId: null, eventId: found.id, ...refusalOf(found) };
  };
}

const REQUIRED = 'cannot be chosen: the category is required';

function refusalOf({ isRequired, category }: Named): { refusal?: string } {
  if (isRequired === null) return { refusal: 'cannot be chosen: the event has no category, so it is always sent' };
  return isRequired ? { refusal: `cannot be chosen: its category ${category} is required` } : {};
}

/** PostgreSQL accepts no NUL. */
const isName = (name: string) => !name.includes('\u0000');

function bySlug(rows: Named[]): Map<string, Named[]> {
  const all = new Map<string, Named[]>();
  for (const row of rows) {
    const slug = row.name.split('/').at(-1)!;
    all.set(slug, [...(all.get(slug) ?? []), row]);
  }
  return all;
}

const MAX_NAMED = 5;

function only(rows: Map<string, Named[]>, noun: string, name: string): Named | { problem: FieldError } {
  const sameSlug = rows.get(name.split('/').at(-1)!) ?? [];
  const fitting = sameSlug.filter((row) => row.name === name || row.name.endsWith(`/${name}`));
  if (fitting.length === 1) return fitting[0]!;
  if (fitting.length === 0)
    return { problem: fieldError('not_found', `is not the name of ${noun === 'event' ? 'an' : 'a'} ${noun}`) };
  const names = fitting.slice(0, MAX_NAMED).map((row) => row.name);
  const more = fitting.length - names.length;
  const sentence = `may mean ${names.join(' or ')}${more > 0 ? ` or ${more} more` : ''}: use the whole name`;
  return { problem: fieldError('ambiguous', sentence) };
}
