import { compileAudience } from '../../rules/condition/audience.js';
import type { Audience } from '../../rules/condition/audience.js';
import type { SqlTransaction } from '../../platform/database/transaction.js';

/** Whether a user belongs to each of some audiences, with one statement. */
export async function belongsTo(
  client: Pick<SqlTransaction, '$queryRawUnsafe'>,
  userId: number,
  audiences: readonly Audience[],
): Promise<boolean[]> {
  if (audiences.length === 0) return [];
  const values: unknown[] = [userId];
  const conditions = audiences.map((audience) => {
    const compiled = compileAudience(audience, values.length + 1);
    values.push(...compiled.values);
    return `(${compiled.sql})`;
  });
  const text = `select array[${conditions.join(', ')}] matches from users u where u.id = $1`;
  const [found] = await client.$queryRawUnsafe<{ matches: boolean[] }[]>(text, ...values);
  return found?.matches ?? audiences.map(() => false);
}
