import { toColumns } from '../../platform/database/columns.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { put } from '../resource/put.js';
import type { BySlug } from '../resource/put.js';
import type { UpdateProjectDto } from './project.dto.js';

/** The owner of applications, channels, categories and distribution lists. */
export interface ProjectOwner {
  organizationId: number;
  projectId: number;
}

/** Creates or updates a project of an organization. */
export const putProject = (
  tx: Transaction,
  { organizationId }: { organizationId: number },
  identity: BySlug,
  fields: UpdateProjectDto,
) => put(tx.project, { organizationId }, identity, toColumns(fields));
