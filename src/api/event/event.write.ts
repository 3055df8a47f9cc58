import { toColumns } from '../../platform/database/columns.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { categoryIdOf } from '../category/category.write.js';
import type { ProjectOwner } from '../project/project.write.js';
import { put, withSlugs } from '../resource/put.js';
import type { BySlug, Put } from '../resource/put.js';
import type { UpdateEventDto } from './event.dto.js';

export interface ApplicationOwner extends ProjectOwner {
  applicationId: number;
}

/** Creates or updates an event of an application. */
export async function putEvent(
  tx: Transaction,
  { organizationId, projectId, applicationId }: ApplicationOwner,
  identity: BySlug,
  { category, ...fields }: UpdateEventDto,
): Promise<Put> {
  const categoryId = typeof category === 'string' ? await categoryIdOf(tx, projectId, category) : category;
  if (categoryId === undefined && category !== undefined) return { errors: { category: [noCategory(category!)] } };
  const columns = { ...toColumns(fields), categoryId };
  const row = await put(tx.event, { organizationId, applicationId }, identity, columns);
  return { ...row, differences: await withSlugs(tx.category, row.differences, 'category') };
}

/** The error of `resolves_event`, if there is no such event. Asked after all events are written: it may be the event itself, or come later in a file. */
export async function resolvedEventErrors(
  tx: Transaction,
  { applicationId }: Pick<ApplicationOwner, 'applicationId'>,
  { resolves_event: slug }: Pick<UpdateEventDto, 'resolves_event'>,
): Promise<{ errors: FieldErrors } | null> {
  if (typeof slug !== 'string' || (await tx.event.findFirst({ where: { applicationId, slug } }))) return null;
  return { errors: { resolves_event: [fieldError('not_found', `there is no event ${slug} in the application`)] } };
}

const noCategory = (slug: string) => fieldError('not_found', `there is no category ${slug} in the project`);
