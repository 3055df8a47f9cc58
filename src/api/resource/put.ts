import { putRow } from '../../platform/database/put-row.js';
import type { Difference, PutRow } from '../../platform/database/put-row.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';

/** What each `putX` returns: the row that it wrote, or the errors of each field. After errors the caller rolls back. */
export type Put = PutRow | { errors: FieldErrors };

/** HTTP finds a row by its id, a file by its slug. */
export type BySlug = { id: number } | { slug: string };

/** The part of a Prisma model that `put` uses. Prisma itself checks the columns: its types differ for each model. */
interface Table {
  findFirst(args: { where: never }): PromiseLike<{ id: number } | null>;
  findFirstOrThrow(args: { where: never }): PromiseLike<{ id: number }>;
  create(args: { data: never }): PromiseLike<{ id: number }>;
  update(args: { where: { id: number }; data: never }): PromiseLike<unknown>;
}

/**
 * Creates or updates the row of `owner` that `identity` names. Undefined columns keep their values. A row with an id must exist. `stored`
 * gives values the form that Prisma needs.
 */
export async function put<Columns extends object>(
  table: Table,
  owner: object,
  identity: object,
  columns: Columns,
  stored = (data: Partial<Columns>): object => data,
): Promise<PutRow> {
  const where = { ...owner, ...identity };
  const row = await ('id' in identity ? table.findFirstOrThrow : table.findFirst).call(table, {
    where: where as never,
  });
  const create = () => table.create({ data: { ...stored(columns), ...where } as never });
  return putRow(row, columns, create, (changed) =>
    table.update({ where: { id: row!.id }, data: stored(changed) as never }),
  );
}

/** Shows references to other rows by slug: the difference of `category_id` becomes one of `category`. */
export async function withSlugs(
  table: { findMany(args: { where: { id: { in: number[] } } }): PromiseLike<{ id: number; slug: string }[]> },
  differences: Difference[],
  field: string,
): Promise<Difference[]> {
  const found = differences.find((difference) => difference.field === `${field}_id`);
  if (!found) return differences;
  const ids = [found.before, found.after].filter((id) => typeof id === 'number');
  const rows = await table.findMany({ where: { id: { in: ids } } });
  const slugOf = (id: unknown) => rows.find((row) => row.id === id)?.slug ?? null;
  const named = { field, before: slugOf(found.before), after: slugOf(found.after) };
  return differences.map((difference) => (difference === found ? named : difference));
}
