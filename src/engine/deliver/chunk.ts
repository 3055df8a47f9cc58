import { openConfig } from '../../dispatcher/channel-config.js';
import type { StoredConfig } from '../../dispatcher/channel-config.js';
import type { ChannelConfig, Dispatcher } from '../../dispatcher/dispatcher.js';
import { reportPath } from '../../dispatcher/report/report-url.js';
import type { OccurrenceStatus } from '../../platform/database/generated/prisma/enums.js';
import type { StoredAttachment, TriggerOptions } from '../../platform/queue/trigger-options.js';
import type { TranslatedSource } from '../../rules/render/render-messages.js';
import { choicesOf, limitsOf } from '../../rules/ruleset/choices.js';
import type { Choices } from '../../rules/ruleset/choices.js';
import { addressKindOf, isChosen, isRoom } from '../../rules/ruleset/decide.js';
import type { Subject } from '../../rules/ruleset/message.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import type { Off } from '../../rules/ruleset/switch.sql.js';
import type { SecretBox } from '../../platform/secret/secret-box.js';
import type { StatusWebhook } from '../report/status-webhook.js';
import { askedOf } from '../../rules/step/asked.js';
import type { Asked } from '../../rules/step/asked.js';
import { asksToAcknowledge, stepOf } from '../../rules/step/later-steps.js';
import { threadOf } from '../../rules/thread/thread.js';
import { templateKey } from '../../rules/template/template.js';
import type { Fallback } from '../outcome/outcomes.sql.js';

/** The row that all messages of one rule and channel of an occurrence share. */
export interface SharedRow extends Omit<Subject, 'occurrence' | 'channel'> {
  status: OccurrenceStatus;
  options: TriggerOptions;
  eventId: number;
  rules: Rule[];
  /** Null when the channel was deleted. */
  slug: string | null;
  name: string;
  type: string;
  /** The first thing that is switched off, if any. */
  off: Off | null;
  config: StoredConfig;
  projectId: number | null;
  organizationId: number;
  fallback: FallbackRow | null;
  statusWebhook: StatusWebhook | null;
}

interface FallbackRow {
  id: number;
  slug: string;
  type: string;
  config: StoredConfig;
}

/** Everything that is needed to send the messages of a chunk. */
export interface Chunk {
  organizationId: number;
  notificationId: number;
  channelId: number;
  /** When the event was triggered, or its `send_at`; null: each message has its own time. */
  dueAt: Date | null;
  expiresAt: Date | null;
  subject: Subject;
  dispatcher: Dispatcher;
  addressKind: string | null;
  /** Whether the channel is a room. */
  isRoom: boolean;
  config: ChannelConfig;
  /** Messages per second that the channel may send; undefined: no limit. */
  rate: number | undefined;
  template: TranslatedSource;
  /** The channel whose template it is. */
  templateChannel: number;
  /** Whether it is the template of another channel, in whose place this one sends. */
  isTemplateOfAnother: boolean;
  fallback: Fallback | null;
  /** How long a message waits for a channel that fails, before its fallback sends it; null: until its attempts are used up. */
  patienceMs: number | null;
  /** Whether its messages ask to be acknowledged. */
  canAcknowledge: boolean;
  /** What its messages keep of that in an inbox. Left out: they go elsewhere, or do not ask. */
  asked?: Asked;
  /** The limits that count its messages to users; null: none. */
  limits: Choices | null;
  /** Undefined: its messages have no files. */
  files: StoredAttachment[] | undefined;
  /** Where its provider reports. Undefined: its messages do not say so, or reports could not be checked. */
  reportPath: string | undefined;
}

/** The reason why a channel cannot be used, and the parts that are needed anyway. */
export type UnusableChunk = { problem: string } & Pick<Chunk, 'expiresAt' | 'fallback' | 'patienceMs' | 'limits'>;

interface ChunkTarget {
  occurrence: string;
  notification: number;
  channel: number;
  /** The channel whose template is used. */
  template: number;
}

/** Returns the chunk, or the reason why its channel cannot be used. */
export function prepareChunk(
  { occurrence, notification, channel: channelId, template: templateChannel }: ChunkTarget,
  shared: SharedRow,
  dispatchers: ReadonlyMap<string, Dispatcher>,
  secrets: SecretBox,
): Chunk | UnusableChunk {
  const { name, type, context, createdAt, event, application, project, organization, recipients, digest } = shared;
  const slug = shared.slug ?? '';
  const dispatcher = dispatchers.get(type);
  const rule = shared.rules.find(({ id }) => id === notification);
  const { templates = [], steps } = rule ?? {};
  const isLater = steps !== undefined && !steps[0]!.channels.includes(channelId);
  const parts = templates.find(({ channel }) => channel === templateChannel)?.parts;
  const { expires_at: expires, send_at: sendAt, locale } = shared.options;
  const expiresAt = expires === undefined ? null : new Date(expires);
  const fallback = fallbackOf(shared, templates, templateChannel, dispatchers);
  const patienceMs = fallback ? minutes(shared.config.fallback_after) : null;
  const anyway = { expiresAt, fallback, patienceMs, limits: limitsIn(shared, notification) };
  if (!dispatcher || !parts)
    return { problem: `there is no dispatcher for ${type}, or no template for ${slug}`, ...anyway };
  try {
    const { rate, fallback_after: _, ...config } = openConfig(shared.config, { ...shared, slug }, secrets);
    return {
      organizationId: shared.organizationId,
      notificationId: notification,
      channelId,
      dueAt: typeof sendAt === 'object' || isLater ? null : sendAt === undefined ? createdAt : new Date(sendAt),
      ...anyway,
      subject: {
        ...{ occurrence, createdAt, context, event, application, project, organization, recipients, digest },
        locale,
        channel: { slug, name, type },
        expiresAt: expiresAt ?? undefined,
        priority: shared.options.priority,
        thread: rule && !digest?.frequency ? threadOf(rule, context, digest !== null) : undefined,
        ...(steps && { step: { number: numberOf(rule, channelId, templateChannel), since: sinceOf(shared) } }),
      },
      dispatcher,
      addressKind: addressKindOf(shared, dispatchers),
      isRoom: isRoom(shared, dispatchers),
      config,
      rate: rate === undefined ? undefined : Number(rate),
      template: { key: templateKey(parts), parts },
      templateChannel,
      isTemplateOfAnother: templateChannel !== channelId,
      canAcknowledge: asksToAcknowledge(rule),
      asked: type === 'inbox' ? askedOf(rule, context) : undefined,
      files: shared.options.attachments,
      reportPath:
        dispatcher.tellsReportUrl && dispatcher.reports?.(config)
          ? reportPath(organization.slug, shared.projectId === null ? null : project.slug, slug)
          : undefined,
    };
  } catch (error) {
    return { problem: `the settings of ${slug} cannot be read: ${(error as Error).message}`, ...anyway };
  }
}

/** A fallback without a step belongs to the step of the channel whose template it uses. */
const numberOf = (rule: Rule | undefined, channel: number, template: number): number =>
  stepOf(rule, channel) ?? stepOf(rule, template) ?? 1;

/** When the first step was due, wherever its users are. */
const sinceOf = ({ options: { send_at: sendAt }, createdAt }: SharedRow): Date =>
  typeof sendAt === 'string' ? new Date(sendAt) : createdAt;

const minutes = (count: unknown): number | null => (typeof count === 'number' ? count * 60_000 : null);

/** Without any limit nothing is computed. */
function limitsIn(
  { recipients, rules, eventId, type, context, options, digest }: SharedRow,
  notification: number,
): Choices | null {
  const rule = rules.find(({ id }) => id === notification);
  if (!rule?.limit && !recipients.limit) return null;
  return limitsOf(choicesOf(recipients, { eventId, channelType: type, rule: rule ?? {}, context, options, digest }));
}

function fallbackOf(
  { fallback, options }: SharedRow,
  templates: Rule['templates'],
  templateChannel: number,
  dispatchers: ReadonlyMap<string, Dispatcher>,
): Fallback | null {
  if (!fallback) return null;
  // The trigger may have named the only channels to use.
  if (!isChosen(fallback, options.channels)) return null;
  const per = templates.find(({ channel }) => channel === templateChannel)?.per;
  // A post to a room cannot become a message to a user.
  if (per === 'room' && !isRoom(fallback, dispatchers)) return null;
  const own = templates.find(({ channel }) => channel === fallback.id);
  // The rule sends over the fallback in any case, to its room in place of each user, or to each user in place of the room.
  if (own && own.per !== per) return null;
  return {
    channelId: fallback.id,
    addressKind: addressKindOf(fallback, dispatchers),
    template: own ? null : templateChannel,
  };
}
