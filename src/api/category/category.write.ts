import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { noSuchType } from '../../dispatcher/no-such-type.js';
import { toColumns } from '../../platform/database/columns.js';
import type { Category } from '../../platform/database/generated/prisma/client.js';
import { fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { ProjectOwner } from '../project/project.write.js';
import { put } from '../resource/put.js';
import type { BySlug, Put } from '../resource/put.js';
import { ON_OFF } from './category.dto.js';
import type { UpdateCategoryDto } from './category.dto.js';

/** The transaction, and the channel types that there are. */
export interface CategoryContext {
  tx: Transaction;
  dispatchers: ReadonlyMap<string, Dispatcher>;
}

/** A user sees all of them on one page. */
const MAX_CATEGORIES = { project: 200, organization: 1000 };

/** Creates or updates a category of a project. */
export async function putCategory(
  { tx, dispatchers }: CategoryContext,
  { organizationId, projectId }: ProjectOwner,
  identity: BySlug,
  fields: UpdateCategoryDto,
): Promise<Put> {
  const owner = { organizationId, projectId };
  const row = await tx.category.findFirst({ where: { ...owner, ...identity } });
  const errors = {
    ...channelErrors(dispatchers, fields.channels ?? {}),
    ...requiredErrors(row, fields),
    ...(row ? {} : await countErrors(tx, owner)),
  };
  return hasErrors(errors) ? { errors } : put(tx.category, owner, identity, toColumns(fields));
}

export function channelErrors(
  dispatchers: ReadonlyMap<string, Dispatcher>,
  channels: Record<string, unknown>,
): FieldErrors {
  const errors = Object.entries(channels).map(([type, value]) => {
    if (!dispatchers.has(type)) return [`channels.${type}`, [noSuchType(type, dispatchers)]] as const;
    return [
      `channels.${type}`,
      ON_OFF.some((each) => each === value) ? [] : [fieldError('unknown_value', 'must be on or off')],
    ] as const;
  });
  return Object.fromEntries(errors.filter(([, sentences]) => sentences.length > 0));
}

/** A default that does not count must not look as if it did. */
export function requiredErrors(row: Category | null, { default: byDefault, channels }: UpdateCategoryDto): FieldErrors {
  const isRequired = (byDefault ?? row?.default) === 'required';
  const hasOwn = Object.keys(channels ?? (row?.channels as object | undefined) ?? {}).length > 0;
  if (!isRequired || !hasOwn) return {};
  return { channels: [fieldError('conflict', 'must be empty: a required category is sent over every channel')] };
}

/** Two requests cannot both create the last one: the lock makes one of them wait. */
async function countErrors(tx: Transaction, { organizationId, projectId }: ProjectOwner): Promise<FieldErrors> {
  await lockRows(tx, 'organizations', [organizationId], 'no key update');
  const [ofProject, ofOrganization] = [
    await tx.category.count({ where: { projectId } }),
    await tx.category.count({ where: { project: { organizationId } } }),
  ];
  const full = (owner: keyof typeof MAX_CATEGORIES) => ({
    slug: [
      fieldError(
        'too_many',
        `cannot be added: the ${owner} already has ${MAX_CATEGORIES[owner]} categories. Delete one of them first`,
      ),
    ],
  });
  if (ofProject >= MAX_CATEGORIES.project) return full('project');
  return ofOrganization >= MAX_CATEGORIES.organization ? full('organization') : {};
}

/** The id of a category that an event names; undefined: there is none. The category cannot be deleted before the transaction ends. */
export async function categoryIdOf(tx: Transaction, projectId: number, slug: string): Promise<number | undefined> {
  if (slug.includes('\u0000')) return undefined; // PostgreSQL accepts no NUL in a parameter
  const row = await tx.category.findUnique({ where: { projectId_slug: { projectId, slug } }, select: { id: true } });
  return row ? (await lockRows(tx, 'categories', [row.id], 'key share'))[0] : undefined;
}
