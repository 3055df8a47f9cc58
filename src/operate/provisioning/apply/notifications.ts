import type { Quotas } from '../../../platform/config/quota.js';
import { templateField } from '../../../api/notification/notification-templates.js';
import type { Inspect } from '../../../api/notification/notification-templates.js';
import { putNotification } from '../../../api/notification/notification.write.js';
import type { EventOwner, NotificationContext } from '../../../api/notification/template.write.js';
import { stepsOf, unreachedSteps } from '../../../api/notification/step/step-reach.js';
import { renewRuleset } from '../../../api/notification/renew-ruleset.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { inspectTemplate } from '../../../rules/template/template-fields.js';
import type { TemplateReport } from '../../../rules/template/template-fields.js';
import type { TemplateParts } from '../../../rules/template/template.js';
import type { EventEntry, NotificationEntry } from '../file.js';
import type { FileProblems } from '../problem/file-problems.js';
import { changesOf } from './change.js';
import type { Change } from './change.js';

/** Creates and updates the rules of an event. Fields that the file leaves out are removed, except `enabled`. */
export async function applyNotifications(
  context: Omit<NotificationContext, 'inspect'> & { problems: FileProblems; inspect?: Inspect },
  place: EventOwner & { name: string },
  entries: NotificationEntry[],
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const each of entries) {
    const { name, enabled, when = null, audience = null, ...entry } = each;
    const path = `${place.name}/${name}`;
    const lists = [...(entry.distribution_list ? [entry.distribution_list] : []), ...(entry.distribution_lists ?? [])];
    const {
      to = null,
      window = null,
      digest = null,
      limit = null,
      steps = null,
      acknowledge = null,
      thread = null,
      templates = [],
    } = entry;
    const fields = {
      enabled,
      when,
      audience,
      to,
      window,
      digest,
      limit,
      steps,
      acknowledge,
      thread,
      distribution_lists: lists,
      templates,
    };
    const inspect = context.inspect ?? inspectHere();
    for (const template of templates)
      for (const { part, sentence } of inspect(template).unknown)
        context.problems.warn(each, templateField(template.channel, part), sentence);
    const put = await putNotification({ ...context, inspect }, place, { name }, fields);
    if ('errors' in put) {
      context.problems.addAll(each, put.errors);
      continue;
    }
    changes.push(...changesOf('notification', path, put));
    for (const { field, sentence } of put.gaps) context.problems.warn(each, field, sentence);
    const isToOthers = Array.isArray(steps) && steps.some(({ to: others }) => others !== undefined);
    if (isToOthers) await warnOfUnreached(context, put.id, each);
  }
  return changes;
}

async function warnOfUnreached(
  { tx, dispatchers, problems }: Pick<NotificationContext, 'tx' | 'dispatchers'> & { problems: FileProblems },
  id: number,
  entry: NotificationEntry,
): Promise<void> {
  const query = <Row>(text: string, values: unknown[]) => tx.$queryRawUnsafe<Row[]>(text, ...values);
  for (const { step, sentence } of await unreachedSteps(await stepsOf(tx, id), dispatchers, query))
    problems.warn(entry, `steps[${step - 1}].to`, sentence);
}

/** Inspects each template once. */
function inspectHere(): Inspect {
  const reports = new Map<TemplateParts, TemplateReport>();
  return (template) => {
    const report = reports.get(template) ?? inspectTemplate(template);
    reports.set(template, report);
    return report;
  };
}

/** Renews the ruleset after the notifications of an event were changed. `quotas`: the defaults. */
export async function renewRules(
  { tx, quotas, problems }: { tx: Transaction; quotas: Quotas; problems: FileProblems },
  eventId: number,
  entry: EventEntry,
): Promise<void> {
  const excess = await renewRuleset(tx, eventId, quotas);
  if (excess) problems.addOne(entry, '', 'too_many', excess.detail);
}
