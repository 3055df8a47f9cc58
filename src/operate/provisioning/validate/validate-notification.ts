import { templateField } from '../../../api/notification/notification-templates.js';
import type { TemplateFields } from '../../../api/notification/notification-templates.js';
import { checkFields } from '../../../api/notification/notification.write.js';
import { readTo } from '../../../api/notification/read-to.js';
import { checkSteps } from '../../../api/notification/step/check-steps.js';
import { checkAcknowledge, readAcknowledge, readSteps } from '../../../api/notification/step/read-steps.js';
import { readWaiting } from '../../../api/notification/read-waiting.js';
import type { Dispatcher } from '../../../dispatcher/dispatcher.js';
import { addAll, addTo, hasErrors, within } from '../../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../../platform/field/error/field-error.js';
import { templateMode } from '../../../rules/ruleset/template-mode.js';
import { inspectTemplate } from '../../../rules/template/template-fields.js';
import type { TemplateReport } from '../../../rules/template/template-fields.js';
import type { TemplateParts } from '../../../rules/template/template.js';
import type { NotificationEntry } from '../file.js';
import type { FileProblems } from '../problem/file-problems.js';
import type { ProjectNames } from './file-names.js';

interface NotificationValidation {
  dispatchers: ReadonlyMap<string, Dispatcher>;
  names: ProjectNames;
  problems: FileProblems;
}

/** Finds the mistakes of a notification that do not depend on what is stored. */
export function validateNotification(entry: NotificationEntry, validation: NotificationValidation): void {
  const { names, problems } = validation;
  const { templates = [] } = entry;
  const reports = new Map<TemplateParts, TemplateReport>(
    templates.map((template) => [template, inspectTemplate(template)]),
  );
  const errors = checkFields({ ...entry, templates }, (template) => reports.get(template)!);
  readWaiting(entry, addTo(errors));
  readTo(entry.to, addTo(errors));
  const steps = readSteps(entry.steps, addTo(errors));
  readAcknowledge(entry.acknowledge, addTo(errors));
  checkAcknowledge(entry.acknowledge, entry.steps, addTo(errors));
  if (steps && !hasErrors(errors)) checkSteps(steps, templates, entry, addTo(errors));
  for (const template of templates) addAll(modeErrors(template, reports.get(template)!, validation), '', addTo(errors));
  if (hasErrors(errors)) problems.add(entry, errors);
  const lists = [...(entry.distribution_list ? [entry.distribution_list] : []), ...(entry.distribution_lists ?? [])];
  for (const list of lists) names.lookList(list, entry, problems);
  for (const [i, { to }] of (steps ?? []).entries())
    for (const list of to?.distribution_lists ?? []) names.lookList(list, entry, problems, `steps[${i}].to`);
  for (const template of templates) {
    names.channels.look(template.channel, entry, templateField(template.channel), problems);
    for (const { part, sentence } of reports.get(template)!.unknown)
      problems.warn(entry, templateField(template.channel, part), sentence);
  }
}

/** The errors of a template that its channel cannot send so. Of a channel that the file does not have, nothing is known. */
function modeErrors(
  { channel: slug, per }: TemplateFields,
  { userParts }: TemplateReport,
  { names, dispatchers }: NotificationValidation,
): FieldErrors {
  const channel = names.channels.find(slug);
  if (!channel || !dispatchers.has(channel.type)) return {};
  const { errors } = templateMode({ type: channel.type, config: channel.config ?? {} }, per, userParts, dispatchers);
  return within(templateField(slug), errors);
}
