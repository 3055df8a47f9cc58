import type { Quotas } from '../../../platform/config/quota.js';
import type { Inspect, TemplateFields } from '../../../api/notification/notification-templates.js';
import { putNotification } from '../../../api/notification/put-notification.js';
import type { EventOwner, NotificationContext } from '../../../api/notification/put-templates.js';
import { renewRuleset } from '../../../api/notification/renew-ruleset.js';
import { errorLines } from '../../../api/resource/error-lines.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { inspectTemplate } from '../../../rules/template/template-fields.js';
import type { TemplateReport } from '../../../rules/template/template-fields.js';
import { ProvisioningError } from '../file.js';
import type { NotificationEntry } from '../file.js';
import { changesOf } from './change.js';
import type { Change } from './change.js';

/** Creates and updates the rules of an event. Fields that the file leaves out are removed, except `enabled`. */
export async function applyNotifications(
  context: Omit<NotificationContext, 'inspect'>,
  place: EventOwner & { name: string },
  entries: NotificationEntry[],
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const { name, enabled, when = null, audience = null, ...entry } of entries) {
    const path = `${place.name}/${name}`;
    const lists = [...(entry.distribution_list ? [entry.distribution_list] : []), ...(entry.distribution_lists ?? [])];
    const { to = null, window = null, digest = null, limit = null, templates = [] } = entry;
    const fields = { enabled, when, audience, to, window, digest, limit, distribution_lists: lists, templates };
    const reports = new Map<TemplateFields, TemplateReport>(
      templates.map((template) => [template, inspectTemplate(template)]),
    );
    const inspect: Inspect = (template) => reports.get(template)!;
    const put = await putNotification({ ...context, inspect }, place, { name }, fields);
    if ('errors' in put) throw new ProvisioningError(errorLines(`notification ${path}`, put.errors));
    changes.push(...changesOf('notification', path, put));
  }
  return changes;
}

/** Renews the ruleset after the rules were changed. `path`: the event in errors, `quotas`: the defaults. */
export async function renewRules(tx: Transaction, eventId: number, path: string, quotas: Quotas): Promise<void> {
  const excess = await renewRuleset(tx, eventId, quotas);
  if (excess) throw new ProvisioningError([`event ${path}: ${excess.detail}`]);
}
