import { addTo } from '../../../platform/field/error/field-error.js';
import type { AddError, FieldErrors } from '../../../platform/field/error/field-error.js';
import { differencesOf, jsonOrNull } from '../../../platform/database/put-row.js';
import type { Difference } from '../../../platform/database/put-row.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { RuleStep, RuleStepTo } from '../../../rules/ruleset/rule.js';
import { listKey } from '../../distribution-list/list-key.js';
import type { EventOwner } from '../template.write.js';
import { checkSteps } from './check-steps.js';
import { checkAcknowledge, stepText } from './read-steps.js';
import type { NamedStep } from './read-steps.js';
import type { NamedStepTo } from './read-step-to.js';

/**
 * Stores the steps of a notification whose templates are written; undefined keeps them. Adds an error for everything that does not fit the
 * notification as it is now.
 */
export async function setSteps(
  tx: Transaction,
  { projectId }: Pick<EventOwner, 'projectId'>,
  id: number,
  given: NamedStep[] | null | undefined,
  errors: FieldErrors,
): Promise<Difference[]> {
  const row = await tx.notification.findUniqueOrThrow({
    where: { id },
    select: {
      steps: true,
      acknowledge: true,
      digest: true,
      messageLimit: true,
      templates: { select: { channelId: true, per: true, channel: { select: { slug: true } } } },
    },
  });
  const before = row.steps as RuleStep[] | null;
  const addError = addTo(errors);
  checkAcknowledge(row.acknowledge, given === undefined ? before : given, addError);
  if (given === null && before === null) return [];
  const templates = row.templates.map(({ channelId, per, channel }) => ({ id: channelId, per, channel: channel.slug }));
  const slugOf = new Map(templates.map((template) => [template.id, template.channel]));
  const lists = await listsOf(tx, projectId, before ?? [], given ?? []);
  const named = (steps: RuleStep[] | null): NamedStep[] | null =>
    steps &&
    steps.map(({ to, ...step }) => ({
      ...step,
      channels: step.channels.map((channel) => slugOf.get(channel) ?? GONE),
      ...(to && { to: namedTo(to, lists) }),
    }));
  const wanted = given === undefined ? named(before) : given;
  if (wanted === null) return write(tx, id, null, named(before), null);
  checkSteps(wanted, templates, { digest: row.digest, limit: row.messageLimit }, addError);
  if (given === undefined) return [];
  const idOf = new Map(templates.map((template) => [template.channel, template.id]));
  const steps = wanted.map(({ to, ...step }, i) => ({
    ...step,
    channels: step.channels.flatMap((slug) => idOf.get(slug) ?? []),
    ...(to && { to: storedTo(to, lists, `steps[${i}].to`, addError) }),
  }));
  // Names are written as the lists have them.
  return write(tx, id, steps, named(before), named(steps));
}

type ListRow = { id: number; name: string; nameKey: string };

/** The lists of the project that steps name, by id or by name. */
function listsOf(tx: Transaction, projectId: number, before: RuleStep[], given: NamedStep[]): Promise<ListRow[]> {
  const ids = before.flatMap(({ to }) => to?.lists ?? []);
  const keys = given.flatMap(({ to }) => to?.distribution_lists.map(listKey) ?? []);
  if (ids.length + keys.length === 0) return Promise.resolve([]);
  return tx.distributionList.findMany({
    where: { projectId, OR: [{ id: { in: ids } }, { nameKey: { in: keys } }] },
    orderBy: { id: 'asc' },
    select: { id: true, name: true, nameKey: true },
  });
}

const namedTo = ({ lists, ...to }: RuleStepTo, rows: ListRow[]): NamedStepTo => ({
  distribution_lists: rows.filter(({ id }) => lists.includes(id)).map(({ name }) => name),
  ...to,
});

function storedTo(to: NamedStepTo, rows: ListRow[], field: string, addError: AddError): RuleStepTo {
  const { distribution_lists: names, ...more } = to;
  const keys = names.map(listKey);
  for (const [i, key] of keys.entries())
    if (!rows.some(({ nameKey }) => nameKey === key))
      addError(field, 'not_found', `there is no list ${names[i]!} in the project`);
  return { lists: rows.filter(({ nameKey }) => keys.includes(nameKey)).map(({ id }) => id), ...more };
}

/** In place of the slug of a channel whose template was removed. */
const GONE = 'a channel without a template';

async function write(
  tx: Transaction,
  id: number,
  steps: RuleStep[] | null,
  before: NamedStep[] | null,
  after: NamedStep[] | null,
): Promise<Difference[]> {
  const textOf = (named: NamedStep[] | null) => named && named.map(stepText);
  const differences = differencesOf({ steps: textOf(before) }, { steps: textOf(after) });
  if (differences.length > 0) await tx.notification.update({ where: { id }, data: { steps: jsonOrNull(steps) } });
  return differences;
}
