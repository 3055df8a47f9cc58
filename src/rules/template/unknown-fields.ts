import type { Use } from '../../platform/field/expression/use.js';
import { suggest } from '../../platform/field/error/closest.js';

const NAMED = ['slug', 'name'];

/** The fields of the reserved names that a trigger cannot add to. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  user: ['email', 'username', 'first_name', 'last_name', 'custom_fields', 'locale'],
  event: NAMED,
  organization: NAMED,
};

/** A field that no message can have, so that it is always empty. */
export interface UnknownTemplateField {
  /** As `user.firstname`. */
  field: string;
  sentence: string;
}

/** The fields of `user`, `event` and `organization` that do not exist. */
export function unknownFieldsOf(uses: readonly Use[]): UnknownTemplateField[] {
  const found = new Map<string, UnknownTemplateField>();
  for (const { path } of uses) {
    const [root, name] = path;
    const known = typeof root === 'string' && Object.hasOwn(KNOWN, root) ? KNOWN[root]! : null;
    if (known === null || typeof name !== 'string' || known.includes(name)) continue;
    const field = `${String(root)}.${name}`;
    found.set(field, { field, sentence: `${field} does not exist, so it is always empty${suggest(name, known)}` });
  }
  return [...found.values()];
}
