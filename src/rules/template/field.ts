import { EACH, SOME } from '../../platform/field/expression/use.js';
import type { Use } from '../../platform/field/expression/use.js';
import { isObject } from '../../platform/field/is-object.js';

/** The parts of a value that are read: the fields of an object, the items of a list. */
export interface Field<User> {
  /** Whether it must be present in the object that it is a field of. */
  needed: boolean;
  /** Templates and conditions that read it. */
  users: User[];
  fields: Map<string, Field<User>>;
  items: Field<User> | null;
}

export function newField<User>(): Field<User> {
  return { needed: false, users: [], fields: new Map(), items: null };
}

export function addUse<User>(root: Field<User>, { path, needed }: Use, user: User): void {
  const from = path.lastIndexOf(EACH);
  let field = root;
  let isNeeded = needed;
  for (const [i, step] of path.entries()) {
    if (step === EACH || step === SOME) {
      field = field.items ??= newField();
      isNeeded &&= step !== SOME;
    } else {
      field = childOf(field, step);
      field.needed ||= isNeeded && i > from;
    }
  }
  field.users.push(user);
}

function childOf<User>(field: Field<User>, name: string): Field<User> {
  const known = field.fields.get(name);
  if (known) return known;
  const fresh = newField<User>();
  field.fields.set(name, fresh);
  return fresh;
}

/** Paths that are missing in a value. */
export interface Lacking {
  needed: string[];
  optional: string[];
}

/** The most paths that are listed, of each kind. */
const MAX_LISTED = 100;

/** The most fields that are looked up, about 5 ms: a context may have many thousand items. */
const MAX_LOOKUPS = 100_000;

/** The paths of a field that a value does not have. Null counts as missing: a template renders it as nothing. */
export function lackingIn(root: Field<unknown>, value: unknown): Lacking {
  const found = { needed: new Set<string>(), optional: new Set<string>() };
  let lookups = 0;
  for (const absent of absences(root, value, '')) {
    if (++lookups > MAX_LOOKUPS) break;
    if (!absent) continue;
    const names = absent.needed ? found.needed : found.optional;
    if (names.size < MAX_LISTED) names.add(absent.path);
  }
  return { needed: [...found.needed], optional: [...found.optional] };
}

type Absence = { path: string; needed: boolean };

/** Yields null for each field that is present, so that the caller can end a long search. */
function* absences(field: Field<unknown>, value: unknown, at: string): Generator<Absence | null> {
  for (const [name, child] of field.fields) {
    const path = at === '' ? name : `${at}.${name}`;
    const own = isObject(value) && Object.hasOwn(value, name) ? value[name] : null;
    yield null;
    if (own === null || own === undefined) yield* leaves(child, path);
    else yield* absences(child, own, path);
  }
  if (!field.items || !Array.isArray(value)) return;
  for (const [i, item] of value.entries()) {
    yield null;
    yield* absences(field.items, item, `${at}[${i}]`);
  }
}

/** The paths to fill in for a missing field: its inner fields if it has any, else the field itself. */
function* leaves(field: Field<unknown>, path: string): Generator<Absence> {
  const { needed } = field;
  const inner = [...field.fields].filter(([, child]) => child.needed === needed);
  if (inner.length === 0) yield { path, needed };
  for (const [name, child] of inner) yield* leaves(child, `${path}.${name}`);
}
