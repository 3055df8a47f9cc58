import type { Transaction } from '../../platform/database/transaction.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import { NAME_MAX_LENGTH } from '../../platform/field/slug.js';
import { lengthOf } from '../../platform/field/text-length.js';
import type { ProjectOwner } from '../project/project.write.js';
import { put } from '../resource/put.js';
import type { Put } from '../resource/put.js';
import { listKey } from './list-key.js';

/** Creates or renames a distribution list of a project. Lists have no slug: a file finds one by its name, in upper or lower case. */
export async function putDistributionList(
  tx: Transaction,
  { organizationId, projectId }: ProjectOwner,
  identity: { id: number } | { name: string },
  fields: { name?: string },
): Promise<Put> {
  const name = (fields.name ?? ('name' in identity ? identity.name : '')).trim();
  if (!name) return { errors: { name: [BLANK] } };
  if (lengthOf(name) > NAME_MAX_LENGTH) return { errors: { name: [TOO_LONG] } };
  const key = 'id' in identity ? identity : { nameKey: listKey(identity.name) };
  return put(tx.distributionList, { organizationId, projectId }, key, { name, nameKey: listKey(name) });
}

const BLANK = fieldError('blank', 'must not be blank');
const TOO_LONG = fieldError('too_long', `must be shorter than or equal to ${NAME_MAX_LENGTH} characters`);
