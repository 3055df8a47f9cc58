import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import { NAME_MAX_LENGTH } from '../../platform/field/slug.js';
import { lengthOf } from '../../platform/field/text-length.js';
import type { ProjectOwner } from '../project/project.write.js';
import { put } from '../resource/put.js';
import type { Put } from '../resource/put.js';
import type { UpdateDistributionListDto } from './distribution-list.dto.js';
import { listKey } from './list-key.js';

/** Users see all of them on one page. */
const MAX_OPEN = 200;

/** Creates or changes a distribution list of a project. Lists have no slug: a file finds one by its name, in upper or lower case. */
export async function putDistributionList(
  tx: Transaction,
  { organizationId, projectId }: ProjectOwner,
  identity: { id: number } | { name: string },
  { open, description, ...fields }: UpdateDistributionListDto,
): Promise<Put> {
  const name = (fields.name ?? ('name' in identity ? identity.name : undefined))?.trim();
  if (name === '') return { errors: { name: [BLANK] } };
  if (name !== undefined && lengthOf(name) > NAME_MAX_LENGTH) return { errors: { name: [TOO_LONG] } };
  const key = 'id' in identity ? identity : { nameKey: listKey(identity.name) };
  const columns = { name, nameKey: name === undefined ? undefined : listKey(name), open, description };
  const written = await put(tx.distributionList, { organizationId, projectId }, key, columns);
  return open && (await hasTooMany(tx, organizationId)) ? { errors: { open: [TOO_MANY_OPEN] } } : written;
}

/** Two requests cannot both open the last one: the lock makes one of them wait. */
async function hasTooMany(tx: Transaction, organizationId: number): Promise<boolean> {
  await lockRows(tx, 'organizations', [organizationId], 'no key update');
  return (await tx.distributionList.count({ where: { organizationId, open: true } })) > MAX_OPEN;
}

const BLANK = fieldError('blank', 'must not be blank');
const TOO_MANY_OPEN = fieldError('too_many', `cannot be true: the organization already has ${MAX_OPEN} open lists`);
const TOO_LONG = fieldError('too_long', `must be shorter than or equal to ${NAME_MAX_LENGTH} characters`);
