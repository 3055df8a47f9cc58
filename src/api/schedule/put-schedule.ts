import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import type { Quotas } from '../../platform/config/quota.js';
import type { Prisma } from '../../platform/database/generated/prisma/client.js';
import { putRow } from '../../platform/database/put-row.js';
import type { PutRow } from '../../platform/database/put-row.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { readTimeZone } from '../../platform/field/region/time-zone.js';
import { Problem } from '../../platform/http/problem.js';
import { readTriggerBody } from '../event/trigger-body.js';
import { channelProblems } from '../event/trigger-input.js';
import type { TriggerOptionsDto } from '../event/trigger.dto.js';
import { knownTimeZones } from '../settings/time-zones.js';
import { cronProblem } from './cron.js';
import { forgetPlanned, planNext } from './plan-schedule.js';

export interface ScheduleFields {
  cron: string;
  time_zone?: string;
  context?: Record<string, unknown>;
  options?: Record<string, unknown>;
  enabled?: boolean;
}

interface ScheduleOwner {
  organizationId: number;
  projectId: number;
  eventId: number;
}

export interface ScheduleContext {
  tx: Transaction;
  dispatchers: ReadonlyMap<string, Dispatcher>;
  quotas: Quotas;
}

interface WantedSchedule {
  cron: string;
  timeZone: string;
  enabled: boolean;
  context: Prisma.InputJsonObject;
  options: Prisma.InputJsonObject;
}

const whereOf = ({ eventId, organizationId }: Omit<ScheduleOwner, 'projectId'>) => ({
  eventId_organizationId: { eventId, organizationId },
});

export const findSchedule = (tx: Transaction, owner: Omit<ScheduleOwner, 'projectId'>) =>
  tx.schedule.findUnique({ where: whereOf(owner) });

/** Creates or replaces the schedule of an event. A result without `verb` means that nothing changed. */
export async function putSchedule(
  context: ScheduleContext,
  owner: ScheduleOwner,
  fields: ScheduleFields,
): Promise<PutRow | { errors: FieldErrors }> {
  const { tx } = context;
  const { organizationId, eventId } = owner;
  const wanted = await readSchedule(context, owner, fields);
  if ('errors' in wanted) return wanted;
  await lockRows(tx, 'events', [eventId], 'no key update');
  const stored = await findSchedule(tx, owner);
  const errors = stored ? null : await quotaErrors(context, organizationId);
  if (errors) return { errors };
  const put = await putRow(
    stored,
    wanted,
    () => tx.schedule.create({ data: { organizationId, eventId, ...wanted } }),
    (changed) => tx.schedule.update({ where: whereOf(owner), data: changed }),
  );
  const isMoved = put.differences.some(({ field }) => ['cron', 'time_zone', 'enabled'].includes(field));
  if (put.verb === 'create' || isMoved) {
    await forgetPlanned(tx, eventId);
    if (wanted.enabled) await planNext(tx, { organizationId, eventId, ...wanted }, new Date());
  }
  return put;
}

/** Returns whether there was a schedule. The history stays until the event is deleted. */
export async function removeSchedule(tx: Transaction, owner: Omit<ScheduleOwner, 'projectId'>): Promise<boolean> {
  const { organizationId, eventId } = owner;
  await forgetPlanned(tx, eventId);
  return (await tx.schedule.deleteMany({ where: { eventId, organizationId } })).count > 0;
}

async function readSchedule(
  { tx, dispatchers }: ScheduleContext,
  owner: ScheduleOwner,
  { cron, time_zone: zone = 'UTC', context = {}, options = {}, enabled = true }: ScheduleFields,
): Promise<WantedSchedule | { errors: FieldErrors }> {
  const errors: FieldErrors = triggerErrors(context, options);
  const problem = cronProblem(cron);
  if (problem) errors.cron = [problem];
  const read = readTimeZone(zone, await knownTimeZones(tx));
  if ('problem' in read) errors.time_zone = [fieldError('invalid_format', read.problem)];
  const { channels } = options as TriggerOptionsDto;
  if (channels && !errors['options.channels']) {
    const unknown = await channelProblems(tx, dispatchers, owner, channels);
    if (unknown.length > 0) errors['options.channels'] = unknown;
  }
  if (hasErrors(errors) || 'problem' in read) return { errors };
  const trigger = { context: context as Prisma.InputJsonObject, options: options as Prisma.InputJsonObject };
  return { cron, timeZone: read.timeZone, enabled, ...trigger };
}

/** A schedule triggers again and again, so an instant or a user to be created makes no sense. */
const ONCE_ONLY = fieldError('not_allowed', 'must be left out: a schedule triggers again and again');
const NAMES_ONLY = fieldError('not_allowed', 'must be usernames: a schedule creates and changes no users');

const NO_UPLOADS = fieldError(
  'not_allowed',
  'must be left out: an upload expires. A schedule may attach a url or content',
);

/** The problems that a trigger with this context and these options would have. */
function triggerErrors(context: unknown, options: unknown): FieldErrors {
  const errors: FieldErrors = {};
  try {
    const { users, options: read } = readTriggerBody({ context, options });
    if (users.length > 0) errors['options.recipients'] = [NAMES_ONLY];
    for (const option of ['send_at', 'expires_at'] as const)
      if (read[option] !== undefined) errors[`options.${option}`] = [ONCE_ONLY];
    for (const [i, { upload }] of (read.attachments ?? []).entries())
      if (upload !== undefined) errors[`options.attachments[${i}].upload`] = [NO_UPLOADS];
  } catch (error) {
    if (!(error instanceof Problem) || !error.errors) throw error;
    Object.assign(errors, error.errors);
  }
  return errors;
}

/** `quotas` of the context: of an organization without quotas of its own. */
async function quotaErrors({ tx, quotas }: ScheduleContext, organizationId: number): Promise<FieldErrors | null> {
  await lockRows(tx, 'organizations', [organizationId], 'no key update');
  const own = await tx.organization.findUniqueOrThrow({ where: { id: organizationId }, select: { quotas: true } });
  const { schedules: most } = { ...quotas, ...(own.quotas as Partial<Quotas>) };
  const count = await tx.schedule.count({ where: { organizationId } });
  if (count < most) return null;
  const problem = `exceeds the organization's quota schedules, which is ${most}: delete a schedule, or ask the operator for a higher quota`;
  return { cron: [fieldError('too_many', problem)] };
}
