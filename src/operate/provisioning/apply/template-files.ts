import { templateField } from '../../../api/notification/notification-templates.js';
import { TEMPLATE_PARTS } from '../../../rules/template/template.js';
import type { ProvisioningFile, TemplateEntry } from '../file.js';
import { readText } from './references.js';

/** Replaces each reference to a template file by the text of that file. */
export function readTemplateFiles({ organizations }: ProvisioningFile, folder: string): void {
  for (const { slug, projects = [] } of organizations) {
    for (const project of projects) {
      for (const { slug: application, events = [] } of project.applications ?? []) {
        for (const event of events) {
          const path = [slug, project.slug, application, event.slug].join('/');
          for (const { name, templates = [] } of event.notifications ?? []) {
            for (const template of templates) readTexts(template, `notification ${path}/${name}`, folder);
          }
        }
      }
    }
  }
}

function readTexts(template: TemplateEntry<string | { file: string }>, notification: string, folder: string): void {
  for (const part of TEMPLATE_PARTS) {
    const text = template[part];
    if (typeof text !== 'object') continue;
    const place = `${notification}: ${templateField(template.channel, part)}`;
    // Editors add a line break at the end of a file, which should not be sent.
    template[part] = readText(text.file, place, folder).replace(/\r?\n$/, '');
  }
}
