import { createKeys } from './keys.mjs';

const MOST = 1000;
/** A prime number, so that the same pair of key and organization returns only after KEYS times the number of organizations. */
const KEYS = 97;

const ANY = `
  select o.id, o.slug, l.id list from organizations o join distribution_lists l on l.organization_id = o.id
  where o.slug like 'generated-%' and l.name = 'All'
  order by random() limit $1`;

/**
 * Picks random generated organizations. Requests go to one after the other, each time with another key: the service caches a
 * key with its path for some seconds, and would look up nothing.
 * @param {import('./database.mjs').Database} database
 * @param {number} people of each
 */
export async function findTenants(database, people) {
  const found = await database.query(ANY, [MOST]);
  const keys = await createKeys(database, Array(KEYS).fill(null));
  return {
    headers: (number) => ({ ...keys[number % KEYS] }),
    /** @returns {import('../scenarios/growth-operations.mjs').Place} */
    place: (number) => {
      const { id, slug, list } = found[number % found.length];
      const person = 1 + (Math.floor(number / found.length) % people);
      const domain = `generated${id}.test`;
      const [org, prj] = [`/api/o/${slug}/`, `/api/o/${slug}/p/p/`];
      return {
        org,
        prj,
        app: `${prj}a/a/`,
        list: `${prj}d/${list}/`,
        user: `${org}u/user${person}@${domain}/`,
        domain,
      };
    },
  };
}
