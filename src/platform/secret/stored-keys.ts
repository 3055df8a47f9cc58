import type { ClientBase, Pool } from 'pg';
import type { SecretBox } from './secret-box.js';

/** Every stored secret begins with `v1.` and the id of its key. $1: how many rows of each table, the newest first, or null: all. */
const KEYS = `
  select split_part(sealed, '.', 2) id, count(*)::int secrets from (
    select field.value->>'sealed' sealed from (select config from channels order by id desc limit $1) c cross join lateral jsonb_each(c.config) field
    where jsonb_typeof(c.config) = 'object' and jsonb_typeof(field.value) = 'object' and field.value ? 'sealed'
    union all (select secret from status_webhooks order by application_id desc limit $1)
    union all (select secret from signing_secrets order by id desc limit $1)
  ) stored group by 1`;

/** Enough to tell whether the key is that of the database. A start must not read whole tables. */
export const SOME_SECRETS = 50;

interface StoredKeys {
  /** Stored secrets that SECRET_KEY or SECRET_KEY_PREVIOUS opens. */
  opened: number;
  /** Those that neither opens. */
  lost: number;
  /** What is wrong; null: nothing. */
  problem: string | null;
}

/** Compares the keys of stored secrets with those that this process has: of all, or of the newest rows of each table. */
export async function readStoredKeys(
  db: Pick<Pool | ClientBase, 'query'>,
  box: SecretBox,
  limit: number | null = null,
): Promise<StoredKeys> {
  const { rows } = await db.query<{ id: string; secrets: number }>(KEYS, [limit]);
  const isOpened = ({ id }: { id: string }) => box.hasKey(id);
  const sum = (some: typeof rows) => some.reduce((total, { secrets }) => total + secrets, 0);
  const others = rows.filter((row) => !isOpened(row));
  const [opened, lost] = [sum(rows.filter(isOpened)), sum(others)];
  const ids = others.map(({ id }) => id).join(', ');
  const whole = `SECRET_KEY (id ${box.keyId}) is not the key of this database (id ${ids}): it opens none of the ${lost} stored secrets`;
  const part = `SECRET_KEY (id ${box.keyId}) does not open ${lost} of ${opened + lost} stored secrets, which were encrypted with another key (id ${ids})`;
  return { opened, lost, problem: lost === 0 ? null : opened === 0 ? whole : part };
}

export const SECRET_KEY_ADVICE =
  'set SECRET_KEY to the key that the database was used with, or SECRET_KEY_PREVIOUS to it and run `npx carillon reseal`; if it is lost, enter the secrets again';
