import { suggest } from '../../../platform/field/error/closest.js';
import type {
  ApplicationEntry,
  EventEntry,
  NotificationEntry,
  OrganizationEntry,
  ProjectEntry,
  ProvisioningFile,
  TemplateEntry,
} from '../../provisioning/file.js';
import { CommandError } from '../print/print.js';

/** A template of a file, and the entries that it is in. */
export interface FileTemplate {
  organization: OrganizationEntry;
  project: ProjectEntry;
  application: ApplicationEntry;
  event: EventEntry;
  notification: NotificationEntry;
  template: TemplateEntry;
}

/** Which templates are meant. Left out: all of them. */
export interface TemplateChoice {
  event?: string;
  notification?: string;
  channel?: string;
}

/** As `shop/web/order-paid`. */
export const eventName = ({ project, application, event }: FileTemplate) =>
  [project, application, event].map(({ slug }) => slug).join('/');

const withOrganization = (each: FileTemplate) => `${each.organization.slug}/${eventName(each)}`;

/** Each narrows the choice of the one before it. */
const NAMES: [keyof TemplateChoice, (each: FileTemplate) => string[]][] = [
  ['event', (each) => [eventName(each), withOrganization(each)]],
  ['notification', ({ notification }) => [notification.name]],
  ['channel', ({ template }) => [template.channel]],
];

/** The templates of the file that are chosen. There is at least one. */
export function chooseTemplates(file: ProvisioningFile, choice: TemplateChoice): FileTemplate[] {
  let chosen = [...templatesIn(file)];
  if (chosen.length === 0) throw new CommandError('the file has no templates');
  for (const [noun, namesOf] of NAMES) {
    const given = choice[noun];
    if (given === undefined) continue;
    const found = chosen.filter((each) => namesOf(each).includes(given));
    const known = [...new Set(chosen.map((each) => namesOf(each)[0]!))];
    if (found.length === 0)
      throw new CommandError(`the file has no templates of the ${noun} ${given}${suggest(given, known)}`);
    chosen = found;
  }
  return chosen;
}

function* templatesIn({ organizations }: ProvisioningFile): Generator<FileTemplate> {
  for (const organization of organizations)
    for (const project of organization.projects ?? [])
      for (const application of project.applications ?? [])
        for (const event of application.events ?? [])
          for (const notification of event.notifications ?? [])
            for (const template of notification.templates ?? [])
              yield { organization, project, application, event, notification, template };
}
