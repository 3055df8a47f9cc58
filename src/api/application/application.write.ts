import { toColumns } from '../../platform/database/columns.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { ProjectOwner } from '../project/project.write.js';
import { put } from '../resource/put.js';
import type { BySlug } from '../resource/put.js';
import type { UpdateApplicationDto } from './application.dto.js';

/** Creates or updates an application of a project. */
export const putApplication = (
  tx: Transaction,
  { organizationId, projectId }: ProjectOwner,
  identity: BySlug,
  fields: UpdateApplicationDto,
) => put(tx.application, { organizationId, projectId }, identity, toColumns(fields));
