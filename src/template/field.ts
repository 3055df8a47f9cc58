import { EACH, SOME } from '../condition/use.js';
import type { Use } from '../condition/use.js';
import { isObject } from '../field/is-object.js';

/** What is looked at of a value: the fields of an object, the items of a list. */
export interface Field<User> {
  /** It must be there wherever the object that it is a field of is. */
  needed: boolean;
  /** Who looks at it. */
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

/** The paths that a value lacks. */
export interface Lacking {
  needed: string[];
  optional: string[];
}

/** Most paths that are named, of either kind. */
const MAX_NAMED = 100;

/** Most fields that are looked for, some 5 ms: a context may have many thousand items. */
const MAX_LOOKS = 100_000;

/** What a value does not have of a field. Null is as good as nothing: a template shows nothing in its place. */
export function lackingIn(root: Field<unknown>, value: unknown): Lacking {
  const found = { needed: new Set<string>(), optional: new Set<string>() };
  let looks = 0;
  for (const absent of absences(root, value, '')) {
    if (++looks > MAX_LOOKS) break;
    if (!absent) continue;
    const names = absent.needed ? found.needed : found.optional;
    if (names.size < MAX_NAMED) names.add(absent.path);
  }
  return { needed: [...found.needed], optional: [...found.optional] };
}

type Absence = { path: string; needed: boolean };

/** Also comes back, with nothing, for each field that is there: so the caller can end a search that takes long. */
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

/** What is to be filled in where a field is not there: its own fields, if it has such. */
function* leaves(field: Field<unknown>, path: string): Generator<Absence> {
  const { needed } = field;
  const inner = [...field.fields].filter(([, child]) => child.needed === needed);
  if (inner.length === 0) yield { path, needed };
  for (const [name, child] of inner) yield* leaves(child, `${path}.${name}`);
}
