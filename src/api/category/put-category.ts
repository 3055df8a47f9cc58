import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { noSuchType } from '../../dispatcher/no-such-type.js';
import type { Category } from '../../platform/database/generated/prisma/client.js';
import type { CategoryDefault } from '../../platform/database/generated/prisma/enums.js';
import { fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { putRow } from '../../platform/database/put-row.js';
import type { PutRow } from '../../platform/database/put-row.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { ON_OFF } from './category.dto.js';
import type { OnOff } from './category.dto.js';

export interface CategoryContext {
  tx: Transaction;
  dispatchers: ReadonlyMap<string, Dispatcher>;
}

export interface ProjectOwner {
  organizationId: number;
  projectId: number;
}

export interface CategoryFields {
  name?: string;
  description?: string;
  default?: CategoryDefault;
  channels?: Record<string, OnOff>;
}

/** A user sees all of them on one page. */
const MAX_CATEGORIES = { project: 200, organization: 1000 };

/** Creates or updates a category. Returns the errors of each field. */
export async function putCategory(
  { tx, dispatchers }: CategoryContext,
  place: ProjectOwner & { slug: string },
  { name, ...rest }: CategoryFields,
): Promise<PutRow | { errors: FieldErrors }> {
  const { projectId, slug } = place;
  const row = await tx.category.findUnique({ where: { projectId_slug: { projectId, slug } } });
  const fields = { name: name?.trim(), ...rest };
  const errors = {
    ...channelErrors(dispatchers, rest.channels ?? {}),
    ...requiredErrors(row, rest),
    ...(row ? {} : await countErrors(tx, place)),
  };
  if (hasErrors(errors)) return { errors };
  const create = () => tx.category.create({ data: { ...place, ...fields, name: fields.name ?? slug } });
  return putRow(row, fields, create, (data) => tx.category.update({ where: { id: row?.id }, data }));
}

function channelErrors(dispatchers: ReadonlyMap<string, Dispatcher>, channels: Record<string, unknown>): FieldErrors {
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
function requiredErrors(row: Category | null, { default: byDefault, channels }: CategoryFields): FieldErrors {
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

/** The id of a category that an event names; null: the event has none. The category cannot be deleted before the transaction ends. */
export async function categoryIdOf(
  tx: Transaction,
  projectId: number,
  slug: string | null,
): Promise<{ id: number | null } | { problem: string }> {
  if (slug === null) return { id: null };
  const row = slug.includes('\u0000')
    ? null
    : await tx.category.findUnique({ where: { projectId_slug: { projectId, slug } }, select: { id: true } });
  const [id] = row ? await lockRows(tx, 'categories', [row.id], 'key share') : [];
  return id === undefined ? { problem: 'is not the slug of a category of the project' } : { id };
}
