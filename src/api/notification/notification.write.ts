import { audienceErrors } from '../../rules/condition/audience-check.js';
import { checkWhen } from '../../platform/field/expression/when.js';
import { listKey } from '../distribution-list/list-key.js';
import { addTo, fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { AddError, FieldErrors } from '../../platform/field/error/field-error.js';
import { differencesOf, jsonOrNull } from '../../platform/database/put-row.js';
import type { Difference, PutRow } from '../../platform/database/put-row.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { put } from '../resource/put.js';
import { checkTemplates } from './notification-templates.js';
import type { Inspect, TemplateFields } from './notification-templates.js';
import { setTemplates } from './template.write.js';
import type { EventOwner, NotificationContext } from './template.write.js';
import { readTo } from './read-to.js';
import { readAcknowledge, readSteps } from './step/read-steps.js';
import { setSteps } from './step/set-steps.js';
import { readWaiting } from './read-waiting.js';
import type { WaitingFields } from './read-waiting.js';

/** Undefined fields keep their values. */
interface NotificationFields extends WaitingFields {
  to?: unknown;
  steps?: unknown;
  acknowledge?: unknown;
  name?: string;
  enabled?: boolean;
  when?: string | null;
  audience?: Record<string, unknown> | null;
  /** Names of lists of the project. */
  distribution_lists?: string[];
  templates?: TemplateFields[];
}

/** HTTP finds a notification by its id, a file by its name. In a file, a new name therefore means a new notification. */
type NotificationIdentity = { id: number } | { name: string };

type PutNotification = (PutRow & Pick<Awaited<ReturnType<typeof setTemplates>>, 'gaps'>) | { errors: FieldErrors };

/**
 * Creates or updates one rule of an event, or returns the errors of each field. Then the caller renews the event's ruleset; after an error
 * it rolls back.
 */
export async function putNotification(
  context: NotificationContext,
  place: EventOwner,
  identity: NotificationIdentity,
  fields: NotificationFields,
): Promise<PutNotification> {
  const errors = checkFields(fields, context.inspect);
  const addError = addTo(errors);
  const { name, enabled, when, audience } = fields;
  const read = {
    ...readWaiting(fields, addError),
    sendTo: readTo(fields.to, addError),
    acknowledge: acknowledgeOf(fields, addError),
  };
  const steps = readSteps(fields.steps, addError);
  if (hasErrors(errors)) return { errors };
  const { tx } = context;
  const { organizationId, eventId } = place;
  const columns = { name, enabled, when, audience, ...read };
  const row = await put(tx.notification, { organizationId, eventId }, identity, columns, stored);
  const differences = [...row.differences];
  const { distribution_lists: lists, templates } = fields;
  if (lists) differences.push(...(await setLists(tx, place, row.id, lists, errors)));
  const written = templates ? await setTemplates(context, place, row.id, templates, errors) : null;
  if (written) differences.push(...written.differences);
  if (!hasErrors(errors)) differences.push(...(await setSteps(tx, place, row.id, steps, errors)));
  await checkRecipients(tx, row.id, errors);
  if (hasErrors(errors)) return { errors };
  const verb = row.verb ?? (differences.length > 0 ? 'update' : undefined);
  return { id: row.id, verb, differences, gaps: written?.gaps ?? [] };
}

/** Without steps there is nothing to acknowledge. */
const acknowledgeOf = ({ steps, acknowledge }: NotificationFields, addError: AddError) =>
  steps === null && acknowledge === undefined ? null : readAcknowledge(acknowledge, addError);

/** Prisma needs its own value for a JSON column that is null. */
const stored = (columns: { [Column in (typeof JSON_COLUMNS)[number]]?: unknown }) => ({
  ...columns,
  ...Object.fromEntries(JSON_COLUMNS.map((column) => [column, jsonOrNull(columns[column])])),
});
const JSON_COLUMNS = ['audience', 'sendTo', 'sendWindow', 'digest', 'messageLimit', 'acknowledge'] as const;

export function checkFields({ when, audience, templates }: NotificationFields, inspect: Inspect): FieldErrors {
  const errors: FieldErrors = {};
  const addError = addTo(errors);
  const problem = typeof when === 'string' ? checkWhen(when) : null;
  if (problem) addError('when', 'invalid_condition', problem);
  if (audience) Object.assign(errors, audienceErrors(audience));
  if (templates) Object.assign(errors, checkTemplates(templates, inspect));
  return errors;
}

/** Rooms need no users, and have no user whose messages could wait, be gathered or be counted. */
async function checkRecipients(tx: Transaction, id: number, errors: FieldErrors): Promise<void> {
  const row = await tx.notification.findUniqueOrThrow({
    where: { id },
    select: {
      audience: true,
      sendTo: true,
      sendWindow: true,
      digest: true,
      messageLimit: true,
      lists: { select: { listId: true }, take: 1 },
      templates: { select: { id: true }, where: { per: 'person' }, take: 1 },
    },
  });
  const isForUsers = row.templates.length > 0;
  const hasOthers = row.audience !== null || row.lists.length > 0;
  if (row.sendTo !== null && hasOthers) errors.to ??= [fieldError('conflict', NO_OTHERS)];
  if (isForUsers && row.sendTo === null && !hasOthers)
    errors.distribution_lists ??= [fieldError('required', NOBODY_MEANT)];
  if (isForUsers) return;
  if (row.sendTo !== null) errors.to ??= [fieldError('conflict', ONLY_ROOMS)];
  if (row.sendWindow !== null) errors.window ??= [fieldError('conflict', ONLY_ROOMS)];
  if (row.digest !== null) errors.digest ??= [fieldError('conflict', ONLY_ROOMS)];
  if (row.messageLimit !== null) errors.limit ??= [fieldError('conflict', ONLY_ROOMS)];
}

const NOBODY_MEANT = 'must name a list if there is no audience, and no to';
const NO_OTHERS = 'excludes distribution_lists and audience: set them to [] and null, or remove to';
const ONLY_ROOMS = 'needs a template with per: person, because a room has no user: remove it, or add such a template';

async function setLists(
  tx: Transaction,
  { organizationId, projectId }: EventOwner,
  notificationId: number,
  names: string[],
  errors: FieldErrors,
): Promise<Difference[]> {
  const keys = names.map(listKey);
  const rows = await tx.distributionList.findMany({
    where: { projectId, OR: [{ nameKey: { in: keys } }, { notifications: { some: { notificationId } } }] },
    orderBy: { id: 'asc' },
    select: { id: true, name: true, nameKey: true, notifications: { where: { notificationId } } },
  });
  const unknown = names.filter((_, i) => !rows.some(({ nameKey }) => nameKey === keys[i]));
  if (unknown.length > 0)
    errors.distribution_lists = unknown.map((name) =>
      fieldError('not_found', `there is no list ${name} in the project`),
    );
  const before = rows.filter(({ notifications }) => notifications.length > 0);
  const after = rows.filter(({ nameKey }) => keys.includes(nameKey));
  const ids = after.map(({ id }) => id);
  await tx.notificationList.deleteMany({ where: { notificationId, listId: { notIn: ids } } });
  await tx.notificationList.createMany({
    data: after
      .filter(({ notifications }) => notifications.length === 0)
      .map(({ id: listId }) => ({ organizationId, notificationId, listId })),
    skipDuplicates: true,
  });
  const namesOf = (lists: { name: string }[]) => ({ distribution_lists: lists.map(({ name }) => name) });
  return differencesOf(namesOf(before), namesOf(after));
}
