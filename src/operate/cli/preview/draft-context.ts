import { SAMPLE_CHANNEL, SAMPLE_USER, sampleDigest, sampleStep } from '../../../api/preview/draft.js';
import type { DraftTarget } from '../../../api/preview/shown-draft.js';
import type { Dispatcher } from '../../../dispatcher/dispatcher.js';
import { linkedFiles } from '../../../engine/file/carry.js';
import { sampleLinks } from '../../../engine/unsubscribe/unsubscribe-links.js';
import { emailKey } from '../../../platform/field/email.js';
import { uuidV7 } from '../../../platform/field/uuid-v7.js';
import type { StoredAttachment } from '../../../platform/queue/trigger-options.js';
import { NO_READER, renderContexts } from '../../../rules/ruleset/message.js';
import type { Reader } from '../../../rules/ruleset/message.js';
import { asksToAcknowledge } from '../../../rules/step/later-steps.js';
import { templateMode } from '../../../rules/ruleset/template-mode.js';
import type { RenderContext } from '../../../rules/template/template.js';
import type { EventEntry, OrganizationEntry, ProjectEntry } from '../../provisioning/file.js';
import { CommandError } from '../print/print.js';
import type { FileTemplate } from './choose-templates.js';

/** The address of the service is not in the file. */
const PUBLIC_URL = 'https://carillon.example.com';

export interface DraftData {
  context: Record<string, unknown>;
  /** Undefined: the first user of the file, or a sample user. */
  user?: string;
  /** Undefined: that of the user, or of the organization. */
  locale?: string;
  /** Those that the message would carry. */
  files: StoredAttachment[];
  dispatchers: ReadonlyMap<string, Dispatcher>;
}

/** What a template of the file is rendered with: the data of an occurrence that does not exist. */
export function draftContext(chosen: FileTemplate, data: DraftData): { context: RenderContext; target: DraftTarget } {
  const { organization, project, application, event, notification, template } = chosen;
  const { config = {}, ...channel } = channelOf(chosen);
  const { dispatchers, locale } = data;
  const { per } = templateMode({ type: channel.type, config }, template.per, [], dispatchers);
  const category = openCategoryOf(event, project);
  const links = sampleLinks(PUBLIC_URL, {
    canOptOut: category !== null,
    canAcknowledge: asksToAcknowledge(notification),
    canMute: category !== null && notification.thread !== undefined,
  });
  const reader = per === 'room' ? NO_READER : { ...readerOf(organization, data.user), links };
  const subject = {
    ...{ occurrence: uuidV7(), createdAt: new Date(), context: data.context, digest: null, locale },
    ...{ organization: named(organization), project: named(project), application: named(application) },
    recipients: { category, locale: organization.locale ?? null, timeZone: organization.time_zone ?? null },
    ...{ event: named(event), channel: { ...named(channel), type: channel.type } },
  };
  const { files } = data;
  const address = `${PUBLIC_URL}/files/${organization.slug}/sample`;
  const attachments = linkedFiles({ for: () => address }, subject, files);
  const [made] = renderContexts({ ...subject, ...(files.length > 0 && { attachments }) }, [reader]);
  const dispatcher = dispatchers.get(channel.type);
  return {
    context: { ...made!, digest: notification.digest ? sampleDigest(subject) : null, step: stepOf(chosen, subject) },
    target: { subject, reader, canOptOut: category !== null && per !== 'room', dispatcher, config, files },
  };
}

/** The step of the template, as if it was the first message. */
function stepOf({ notification: { steps }, template }: FileTemplate, subject: Parameters<typeof sampleStep>[0]) {
  if (!steps) return undefined;
  const place = steps.findIndex(({ channels }) => channels.includes(template.channel));
  return { ...sampleStep({ ...subject, context: {} }), number: place < 0 ? 1 : place + 1 };
}

const named = ({ slug, name }: { slug: string; name: string }) => ({ slug, name });

/** A channel that the file does not have may be in the database. */
function channelOf({ organization, project, template: { channel: slug } }: FileTemplate) {
  const channels = [...(project.channels ?? []), ...(organization.channels ?? [])];
  return channels.find((each) => each.slug === slug) ?? { ...SAMPLE_CHANNEL, slug, name: slug };
}

/** The category that users can opt out of. One that the file does not have may be in the database. */
function openCategoryOf({ category: slug }: EventEntry, { categories = [] }: ProjectEntry) {
  if (typeof slug !== 'string') return null;
  const found = categories.find((each) => each.slug === slug);
  return found?.default === 'required' ? null : { slug, name: found?.name ?? slug };
}

function readerOf(organization: OrganizationEntry, email: string | undefined): Reader {
  const { users = [] } = organization;
  const found = email === undefined ? users[0] : users.find((each) => emailKey(each.email) === emailKey(email));
  if (found) {
    const { first_name: firstName = '', last_name: lastName = '', custom_fields: customFields = {} } = found;
    const { locale, time_zone: timeZone } = found as { locale?: string | null; time_zone?: string | null };
    return { email: found.email, firstName, lastName, customFields, locale, timeZone };
  }
  if (email === undefined) return SAMPLE_USER;
  // Members of lists become users, too.
  const member = membersOf(organization).find((each) => emailKey(each) === emailKey(email));
  if (member === undefined)
    throw new CommandError(`the file has no user ${email} in the organization ${organization.slug}`);
  return { ...NO_READER, email: member };
}

const membersOf = ({ projects = [] }: OrganizationEntry): string[] =>
  projects
    .flatMap(({ distribution_lists: lists = [] }) => lists.flatMap(({ members = [] }) => members))
    .map((member) => (typeof member === 'string' ? member : member.email));
