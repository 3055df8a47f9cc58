import { carillon } from './carillon';
import type { Author } from './edit';
import { useCan } from './session';

const SHOWN = 3;

/** Reads from the audit log who has changed a thing lately. `name` as the log has it, such as `shop/news`. */
export function useAuthors(org: string, noun: string, name: string): () => Promise<Author[]> {
  const authorsOf = useAuthorsNamed(org, noun);
  return () => authorsOf(name);
}

/** The same for a thing whose name may have changed, too. */
export function useAuthorsNamed(org: string, noun: string): (name: string) => Promise<Author[]> {
  const can = useCan();
  return async (name) => {
    if (!can('audit:read', 'organization')) return [];
    const query = { order: 'desc', noun, name, limit: 20 } as const;
    const { items } = await carillon.page('/api/o/{org}/audit/', { path: { org }, query });
    // The filter also finds longer names.
    const own = items.filter((entry) => entry.name === name || entry.name?.startsWith(`${name}/`));
    return own.slice(0, SHOWN).map(({ actor, at, changes }) => ({ actor, at, fields: Object.keys(changes ?? {}) }));
  };
}
