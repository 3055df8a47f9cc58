import { channelErrors, requiredErrors } from '../../../api/category/category.write.js';
import { readOrganizationSettings } from '../../../api/settings/read-settings.js';
import { FIELDS as STATUS_WEBHOOK_FIELDS } from '../../../api/status-webhook/status-webhook.write.js';
import { storedForm } from '../../../api/user/user.read.js';
import { checkConfig, fieldsOf } from '../../../dispatcher/config-fields.js';
import type { Dispatcher } from '../../../dispatcher/dispatcher.js';
import { noSuchType } from '../../../dispatcher/no-such-type.js';
import { addTo, fieldError, hasErrors, within } from '../../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../../platform/field/error/field-error.js';
import { readMessages } from '../../../rules/language/read-messages.js';
import { findDuplicates } from '../apply/duplicates.js';
import type { ApplicationEntry, ChannelEntry, OrganizationEntry, ProjectEntry, ProvisioningFile } from '../file.js';
import type { FileProblems } from '../problem/file-problems.js';
import { ChannelSlugs, ProjectNames } from './file-names.js';
import { zonesHere } from './time-zones-here.js';
import { validateNotification } from './validate-notification.js';

type Dispatchers = ReadonlyMap<string, Dispatcher>;

/**
 * Finds the mistakes of a file that can be found without a database. A name that the file does not have may exist in the database, so it is
 * only a warning.
 */
export function validateFile(file: ProvisioningFile, dispatchers: Dispatchers, problems: FileProblems): void {
  findDuplicates(file, problems);
  const validation = new FileValidation(dispatchers, problems);
  for (const entry of file.organizations) validation.organization(entry);
}

class FileValidation {
  constructor(
    private readonly dispatchers: Dispatchers,
    private readonly problems: FileProblems,
  ) {}

  organization(entry: OrganizationEntry): void {
    const { channels = [], users = [], projects = [] } = entry;
    this.read(entry, (errors) => void readOrganizationSettings(entry, zonesHere, addTo(errors)));
    for (const user of users) this.read(user, (errors) => void storedForm(user, zonesHere, addTo(errors)));
    const known = new ChannelSlugs(channels);
    this.channels(channels, known);
    for (const project of projects) this.project(project, known);
  }

  private project(entry: ProjectEntry, ofOrganization: ChannelSlugs): void {
    const { channels = [], categories = [], distribution_lists: lists = [], applications = [] } = entry;
    const messages = readMessages(entry.messages ?? {});
    if ('errors' in messages) this.add(entry, messages.errors);
    const known = new ChannelSlugs([...channels, ...ofOrganization.entries]);
    this.channels(channels, known);
    for (const category of categories)
      this.add(category, {
        ...channelErrors(this.dispatchers, category.channels ?? {}),
        ...requiredErrors(null, category),
      });
    for (const list of lists)
      for (const member of list.members ?? [])
        if (typeof member === 'object' && member.channel !== undefined)
          known.look(member.channel, list, `members.${member.email}.channel`, this.problems);
    const names = new ProjectNames(entry, known);
    for (const application of applications) this.application(application, names);
  }

  private channels(entries: ChannelEntry[], known: ChannelSlugs): void {
    for (const entry of entries) {
      this.add(entry, this.channelErrors(entry));
      if (entry.fallback === entry.slug)
        this.add(entry, { fallback: [fieldError('conflict', 'must be another channel')] });
      else if (typeof entry.fallback === 'string') known.look(entry.fallback, entry, 'fallback', this.problems);
    }
  }

  private channelErrors({ type, config = {} }: ChannelEntry): FieldErrors {
    const dispatcher = this.dispatchers.get(type);
    if (!dispatcher) return { type: [noSuchType(type, this.dispatchers)] };
    const checked = checkConfig(fieldsOf(dispatcher), config);
    if ('errors' in checked) return within('config', checked.errors);
    const problem = dispatcher.check?.(checked.config);
    return problem ? { config: [fieldError('conflict', problem)] } : {};
  }

  private application(entry: ApplicationEntry, names: ProjectNames): void {
    const { status_webhook: webhook, events = [] } = entry;
    if (webhook) {
      const checked = checkConfig(STATUS_WEBHOOK_FIELDS, { url: webhook.url, secret: webhook.secret });
      if ('errors' in checked) this.add(entry, within('status_webhook', checked.errors));
    }
    for (const event of events) {
      if (typeof event.category === 'string') names.lookCategory(event.category, event, this.problems);
      for (const notification of event.notifications ?? [])
        validateNotification(notification, { names, problems: this.problems, dispatchers: this.dispatchers });
    }
  }

  private read(entry: object, check: (errors: FieldErrors) => void): void {
    const errors: FieldErrors = {};
    check(errors);
    this.add(entry, errors);
  }

  private add(entry: object, errors: FieldErrors): void {
    if (hasErrors(errors)) this.problems.add(entry, errors);
  }
}
