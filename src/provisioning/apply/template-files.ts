import { templateField } from '../../notification/notification-templates.js';
import { TEMPLATE_PARTS } from '../../template/template.js';
import type { ProvisioningFile, TemplateEntry } from '../file.js';
import { readText } from './references.js';

/** Templates may live in files beside the provisioning file: puts their texts in the place of the references. */
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
    // Editors end a file with a line break, which is not meant to be sent.
    template[part] = readText(text.file, place, folder).replace(/\r?\n$/, '');
  }
}
