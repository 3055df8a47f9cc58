import type { DigestData, Dispatcher, MailingList, Message, MessageAttachment } from '../../dispatcher/dispatcher.js';
import type { Gate } from '../../platform/database/generated/prisma/enums.js';
import { wantedLocale } from '../language/used-language.js';
import type { RenderResult } from '../render/render-result.js';
import { NO_REGION } from '../template/region.js';
import { RICH_PARTS } from '../template/rich/rich.js';
import type { RenderContext, RenderedMessage } from '../template/template.js';
import { messageThread } from '../thread/thread.js';
import type { Thread } from '../thread/thread.js';
import type { RecipientSettings } from './choices.js';
import type { DeviceResult } from '../device/device-result.js';
import { ROOM } from './rule.js';

export type Named = { slug: string; name: string };

export type Digest = DigestData;

/** The facts that all messages of a chunk share. */
export interface Subject {
  occurrence: string;
  createdAt: Date;
  context: Record<string, unknown>;
  event: Named;
  application: Named;
  project: Named;
  organization: Named;
  recipients: RecipientSettings;
  /** `options.locale` of the trigger: for everyone, whatever their own is. */
  locale?: string;
  /** Null: the message is no digest. */
  digest: Digest | null;
  channel: Named & { type: string };
  /** Left out: its messages have no files. */
  attachments?: readonly MessageAttachment[];
  expiresAt?: Date;
  priority?: Message['priority'];
  /** What its messages are about. Left out: they are not grouped. */
  thread?: Thread;
  /** Left out: the notification has no steps. */
  step?: MessageStep;
  /** Left out: its messages do not tell a provider where to report. */
  reportUrl?: string;
}

/** The step that a message belongs to. */
interface MessageStep {
  /** Its place among the steps of the notification, from 1. */
  number: number;
  /** When the first step was due. */
  since: Date;
}

/** Links that a message carries for its recipient. */
export interface Links {
  /** `null` if the user cannot opt out of the message. */
  unsubscribe: string | null;
  preferences: string;
  /** `null` if the message does not ask to be acknowledged. */
  acknowledge: string | null;
  /** `null` if the user cannot mute what the message is about. */
  mute: string | null;
  /** What an answer by SMS names the message with. `null`: the same. */
  acknowledgeCode: string | null;
}

/** The facts about a user that a template may use. */
export interface Reader {
  /** Null for a room, and when the user was deleted. */
  email: string | null;
  firstName: string;
  lastName: string;
  customFields: Record<string, unknown>;
  /** Null or left out: that of the organization. */
  locale?: string | null;
  timeZone?: string | null;
  /** Null or left out: the message has none. */
  links?: Links | null;
  /** How often the step of the message was repeated. Left out: it was not. */
  repetition?: number;
}

/** The reader of a post to a room: nobody. */
export const NO_READER: Reader = { email: null, firstName: '', lastName: '', customFields: {} };

/** A delivery, and its recipient as of now: a user, or a room, which has no fields of a user. */
export interface MessageRecipient extends Reader {
  id: string;
  attempts: number;
  attemptsBefore: number;
  pendingSince: Date;
  userId: number;
  address: string | null;
  /** Whether the address is that of a device. Left out: it is not. */
  isDevice?: boolean;
  /** What became of it on each device so far. Null or left out: it was sent to none. */
  deviceResults?: DeviceResult[] | null;
  /** How many messages are unread in the inbox. Left out: the channel does not show it. */
  unread?: number;
  locked: boolean;
}

/** What a template needs of a subject. */
export type RenderedSubject = Omit<Subject, 'recipients'> & {
  recipients: Pick<RecipientSettings, 'locale' | 'timeZone'>;
};

/** The context of a template for each user. The shared parts are the same objects for everyone, so that they are copied once. */
export function renderContexts(subject: RenderedSubject, users: Reader[]): RenderContext[] {
  const { context, event, application, project, organization, channel, digest } = subject;
  const step = subject.step && { number: subject.step.number, since: subject.step.since.toISOString(), repeat: 0 };
  const { locale: usualLocale, timeZone: usualZone } = subject.recipients;
  const occurrence: Record<string, unknown> = {
    id: subject.occurrence,
    created_at: subject.createdAt.toISOString(),
  };
  if (subject.attachments) occurrence.attachments = subject.attachments.map(shownFile);
  return users.map(({ email, firstName, lastName, customFields, links, repetition, locale: own, timeZone: zone }) => {
    const { locale } = wantedLocale({ trigger: subject.locale, user: own, organization: usualLocale });
    const made: RenderContext = {
      context,
      event,
      application,
      project,
      organization,
      channel,
      occurrence,
      digest,
      user:
        email === null
          ? null
          : { email, username: email, first_name: firstName, last_name: lastName, custom_fields: customFields, locale },
      region: { locale, timeZone: zone ?? usualZone ?? NO_REGION.timeZone, usual: usualLocale },
    };
    // No spread: it would cost every message of everyone.
    if (step) made.step = repetition ? { ...step, repeat: repetition } : step;
    if (links) made.preferences_url = links.preferences;
    if (links?.unsubscribe) made.unsubscribe_url = links.unsubscribe;
    if (links?.acknowledge) made.acknowledge_url = links.acknowledge;
    if (links?.mute) made.mute_url = links.mute;
    if (links?.acknowledgeCode) made.acknowledge_code = links.acknowledgeCode;
    return made;
  });
}

/** A file as templates see it. */
const shownFile = ({ filename, contentType, size, url }: MessageAttachment) => ({
  ...{ filename, content_type: contentType, size, url },
});

/** What a message needs of its recipient. */
type AddressedReader = Pick<MessageRecipient, 'id' | 'address' | 'email' | 'links' | 'unread' | 'repetition'>;

export function messageFor(about: AddressedSubject, user: AddressedReader, rendered: RenderedMessage): Message {
  const { occurrence, organization, project, application, event, context, digest } = about;
  const { id, address, email, links, unread, repetition } = user;
  const { subject, text, html, sender, rich } = rendered;
  return {
    // A receiver drops what has an id that it knows: a repeated message has another one.
    id: repetition ? `${occurrence}.${id}.${repetition}` : `${occurrence}.${id}`,
    to: address ?? '',
    subject,
    text,
    html,
    sender,
    rich,
    about: {
      occurrence,
      organization: organization.slug,
      project: project.slug,
      application: application.slug,
      event: event.slug,
      user: email,
    },
    context,
    category: about.recipients.category?.slug,
    unread,
    digest: digest ?? undefined,
    list: links?.unsubscribe ? listOf(about, links.unsubscribe) : undefined,
    attachments: about.attachments,
    expiresAt: about.expiresAt,
    priority: about.priority,
    thread: about.thread && messageThread(about.thread, [...placeOf(about), email]),
    reportUrl: about.reportUrl,
  };
}

const placeOf = ({ organization, project, application, event }: AddressedSubject): string[] =>
  [organization, project, application, event].map(({ slug }) => slug);

/** What a message has besides its text, if its channel shows it: a fallback may send the template of another channel. */
export function richFor({ parts }: Pick<Dispatcher, 'parts'>, { rich }: RenderedMessage): RenderedMessage['rich'] {
  if (!rich || !RICH_PARTS.some((part) => parts.includes(part))) return undefined;
  const unused: readonly string[] = RICH_PARTS.filter((part) => rich[part] !== undefined && !parts.includes(part));
  return unused.length === 0
    ? rich
    : Object.fromEntries(Object.entries(rich).filter(([part]) => !unused.includes(part)));
}

/** What a message needs of a subject. */
export type AddressedSubject = RenderedSubject & { recipients: { category: Named | null } };

/** The category of an event whose recipients may opt out; null: there is none. */
export function openCategoryOf({ recipients: { category } }: Subject): number | null {
  return category === null || category.default === 'required' ? null : category.id;
}

/** Of each name at most as much as a host name may have in one part. */
const MAX_LABEL = 63;

function listOf({ recipients, project, organization }: AddressedSubject, unsubscribe: string): MailingList {
  const { slug, name } = recipients.category!;
  const labels = [slug, project.slug, organization.slug].map((label) => label.slice(0, MAX_LABEL));
  return { name, id: [...labels, new URL(unsubscribe).hostname].join('.'), unsubscribe };
}

/** Gates that can still stop a delivery just before it is sent. */
type LastGate = Extract<Gate, 'locked' | 'expired'>;

/** The last decision before a message is sent: send it, a gate stops it, or a problem that no retry can solve. */
export type MessageDecision = { rendered: RenderedMessage } | { gate: LastGate } | { problem: string };

/** The limits of a chunk that decide together with the user. */
export interface Limits {
  expiresAt: Date | null;
  /** The kind of address that the channel needs, if any. */
  addressKind: string | null;
  /** Whether the channel is a room. */
  isRoom: boolean;
}

const NO_ROOM = 'the channel is no longer a room: set "per: person" on the template, or make the channel a room again';

export function decideMessage(
  user: MessageRecipient,
  limits: Limits,
  result: RenderResult,
  now: Date,
): MessageDecision {
  if (isExpired(limits.expiresAt, now)) return { gate: 'expired' };
  if (user.locked) return { gate: 'locked' };
  const problem = user.userId === ROOM ? (limits.isRoom ? null : NO_ROOM) : problemOf(user, limits);
  if (problem !== null) return { problem };
  return result.ok ? { rendered: result.message } : { problem: `the template failed: ${result.error}` };
}

function problemOf({ email, address }: MessageRecipient, { addressKind }: Limits): string | null {
  if (email === null) return 'the user was deleted';
  return addressKind !== null && address === null ? 'the address was deleted' : null;
}

export function isExpired(expiresAt: Date | null, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}
