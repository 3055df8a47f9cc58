import { addTo } from '../../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../../platform/field/error/field-error.js';
import { differencesOf, jsonOrNull } from '../../../platform/database/put-row.js';
import type { Difference } from '../../../platform/database/put-row.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { RuleStep } from '../../../rules/ruleset/rule.js';
import { checkSteps } from './check-steps.js';
import { checkAcknowledge, stepText } from './read-steps.js';
import type { NamedStep } from './read-steps.js';

/**
 * Stores the steps of a notification whose templates are written; undefined keeps them. Adds an error for everything that does not fit the
 * notification as it is now.
 */
export async function setSteps(
  tx: Transaction,
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
  const named = (steps: RuleStep[] | null): NamedStep[] | null =>
    steps && steps.map((step) => ({ ...step, channels: step.channels.map((channel) => slugOf.get(channel) ?? GONE) }));
  const wanted = given === undefined ? named(before) : given;
  if (wanted === null) return write(tx, id, null, named(before), null);
  checkSteps(wanted, templates, { digest: row.digest, limit: row.messageLimit }, addError);
  if (given === undefined) return [];
  const idOf = new Map(templates.map((template) => [template.channel, template.id]));
  const steps = wanted.map((step) => ({ ...step, channels: step.channels.flatMap((slug) => idOf.get(slug) ?? []) }));
  return write(tx, id, steps, named(before), wanted);
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
