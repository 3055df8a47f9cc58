import { templateField } from '../../../api/notification/notification-templates.js';
import type { TemplateFields } from '../../../api/notification/notification-templates.js';
import { checkFields } from '../../../api/notification/notification.write.js';
import { readTo } from '../../../api/notification/read-to.js';
import { readWaiting } from '../../../api/notification/read-waiting.js';
import { addTo, hasErrors } from '../../../platform/field/error/field-error.js';
import { inspectTemplate } from '../../../rules/template/template-fields.js';
import type { TemplateReport } from '../../../rules/template/template-fields.js';
import type { NotificationEntry } from '../file.js';
import type { FileProblems } from '../problem/file-problems.js';
import type { ProjectNames } from './file-names.js';

interface NotificationValidation {
  names: ProjectNames;
  problems: FileProblems;
}

/** Finds the mistakes of a notification that do not depend on what is stored. */
export function validateNotification(entry: NotificationEntry, { names, problems }: NotificationValidation): void {
  const { templates = [] } = entry;
  const reports = new Map<TemplateFields, TemplateReport>(
    templates.map((template) => [template, inspectTemplate(template)]),
  );
  const errors = checkFields({ ...entry, templates }, (template) => reports.get(template)!);
  readWaiting(entry, addTo(errors));
  readTo(entry.to, addTo(errors));
  if (hasErrors(errors)) problems.add(entry, errors);
  const lists = [...(entry.distribution_list ? [entry.distribution_list] : []), ...(entry.distribution_lists ?? [])];
  for (const list of lists) names.lookList(list, entry, problems);
  for (const template of templates) {
    names.channels.look(template.channel, entry, templateField(template.channel), problems);
    for (const { part, sentence } of reports.get(template)!.unknown)
      problems.warn(entry, templateField(template.channel, part), sentence);
  }
}
