import { isObject } from '../../platform/field/is-object.js';
import { lengthOf } from '../../platform/field/text-length.js';
import { localTimeOf } from '../../platform/send-at.js';
import type { SendAt } from '../../platform/send-at.js';
import { categoryDigests } from '../frequency/category-digests.js';
import type { CategoryDigests, FrequencySettings } from '../frequency/category-digests.js';
import type { DigestRule, MessageLimit, Rule, WeeklyRange } from './rule.js';

/** The category of an event. */
interface Category extends FrequencySettings {
  slug: string;
  name: string;
  default: 'on' | 'off' | 'required';
  /** Channel types whose default differs. */
  channels: Record<string, 'on' | 'off'>;
}

/** What an event and its organization say about recipients. */
export interface RecipientSettings {
  category: Category | null;
  projectId: number;
  applicationId: number;
  /** Whether users have muted threads of the application. */
  hasMuted: boolean;
  /** Whether the organization has addresses that must not be used. */
  hasSuppressions: boolean;
  timeZone: string | null;
  /** For users without their own; null: en. */
  locale: string | null;
  /** For users without quiet hours of their own. */
  quietHours: WeeklyRange[] | null;
  /** Whether some users have quiet hours of their own. */
  hasOwnQuietHours: boolean;
  limit: MessageLimit | null;
}

/** One rule and channel of an occurrence. */
interface ChoiceTarget {
  eventId: number;
  channelType: string;
  /** Left out: the messages are not gathered as often as users want those of the category, and belong to no step. */
  channel?: number;
  rule: Pick<Rule, 'window' | 'digest' | 'limit' | 'steps' | 'thread'> & Partial<Pick<Rule, 'templates'>>;
  context: unknown;
  /** The digest that the message is. Left out or null: it is none. */
  digest?: { frequency?: unknown } | null;
  /** Of the trigger. */
  options: { priority?: string; send_at?: SendAt; expires_at?: string };
}

/** What the users of a target may choose, and when they are reached. Columns of the statements that judge users. */
export interface Choices {
  project: number;
  event: number;
  /** Null: there is no choice. */
  category: number | null;
  channel_type: string;
  default_on: boolean;
  is_required: boolean;
  /** What the messages are about; null: nobody can have muted it. */
  thread: { application: number; field: string; value: string } | null;
  zone: string;
  /** Whether quiet hours apply, and those of users without their own. */
  has_quiet: boolean;
  quiet: WeeklyRange[] | null;
  send_window: WeeklyRange | null;
  /** When the message expires. */
  expires_at: string | null;
  /** The time on the clock of each user before which the message is not sent. */
  send_local: string | null;
  /** How messages are gathered; null: they are not. */
  digest: DigestRule | null;
  digest_key: string;
  /** How they are gathered for users who want them less often; null: for nobody. */
  frequencies: CategoryDigests | null;
  /** The limit of the rule. */
  rule_limit: Rule['limit'] | null;
  limit_key: string;
  /** The limit of the organization. */
  organization_limit: MessageLimit | null;
}

/** The same columns as SQL. */
export const CHOICE_COLUMNS = `project int, event int, category int, channel_type text, default_on bool, is_required bool, thread jsonb, zone text, has_quiet bool,
         quiet jsonb, send_window jsonb, expires_at timestamptz, send_local timestamp, digest jsonb, digest_key text, frequencies jsonb, rule_limit jsonb, limit_key text, organization_limit jsonb`;

/** Whether messages of the target are gathered into digests. */
export const isGathered = (choices: Choices | null): boolean =>
  (choices?.digest ?? choices?.frequencies ?? null) !== null;

/** The limits that the messages of a target must keep to when they are sent; null: none. */
export const limitsOf = (choices: Choices | null): Choices | null =>
  (choices?.rule_limit ?? choices?.organization_limit ?? null) === null ? null : choices;

/** How the statements that judge users differ. Parts that nobody needs are left out: PostgreSQL plans them anyway. */
export interface Variant {
  /** Whether users may choose, or wait. */
  choose: boolean;
  /** Whether messages are gathered into digests. */
  gather: boolean;
}

export const variantOf = (choices: Choices | null): Variant => ({
  choose: choices !== null,
  gather: isGathered(choices),
});

/** Null: the users of the target are judged without any choices, which costs less. */
export function choicesOf(settings: RecipientSettings, target: ChoiceTarget): Choices | null {
  const { projectId, category, timeZone, quietHours, hasOwnQuietHours, hasSuppressions, limit } = settings;
  const { channelType, channel, options, context, digest: carried = null } = target;
  // It stands for messages of several events and notifications: only the category counts.
  const isOfCategory = carried?.frequency !== undefined;
  const eventId = isOfCategory ? 0 : target.eventId;
  const rule = isOfCategory ? {} : target.rule;
  const isRequired = category?.default === 'required';
  const mayChoose = category !== null && !isRequired;
  const isCritical = options.priority === 'critical';
  // The inbox disturbs nobody.
  const mayWait = !isRequired && !isCritical && channelType !== 'inbox';
  const hasQuiet = mayWait && (quietHours !== null || hasOwnQuietHours);
  const step = rule.steps?.find(({ channels }) => channels.includes(channel ?? 0));
  const sendWindow = mayWait ? (step?.window ?? rule.window ?? null) : null;
  const digest = isCritical ? null : (rule.digest ?? null);
  const frequencies = mayChoose && mayWait && carried === null ? categoryDigests(category, rule, channel) : null;
  const ruleLimit = isCritical ? null : (rule.limit ?? null);
  const organizationLimit = mayChoose && mayWait ? limit : null;
  const sendLocal = localTimeOf(options.send_at);
  const isPlain = !hasSuppressions && !hasQuiet && !sendWindow && !digest && !ruleLimit && !sendLocal;
  if (!mayChoose && isPlain) return null;
  return {
    project: projectId,
    event: eventId,
    category: mayChoose ? category.id : null,
    channel_type: channelType,
    default_on: mayChoose && (category.channels[channelType] ?? category.default) === 'on',
    is_required: isRequired,
    thread: mayChoose ? mutableThread(settings, { ...target, rule }) : null,
    zone: timeZone ?? 'UTC',
    has_quiet: hasQuiet,
    quiet: hasQuiet ? quietHours : null,
    send_window: sendWindow,
    expires_at: options.expires_at ?? null,
    send_local: sendLocal,
    digest,
    digest_key: keyIn(context, digest?.key),
    frequencies,
    rule_limit: ruleLimit,
    limit_key: keyIn(context, ruleLimit?.key),
    organization_limit: organizationLimit,
  };
}

/** The longest value of a thread that can be muted. */
export const MAX_MUTED = 200;

/** What can be muted; null: the context says nothing, or too much. */
export function mutedValueIn(context: unknown, field: string): string | null {
  const value = textIn(context, field);
  return value === '' || lengthOf(value) > MAX_MUTED ? null : value;
}

function mutableThread(
  { hasMuted, applicationId }: RecipientSettings,
  { rule: { thread: field, digest, limit }, context, digest: carried = null }: ChoiceTarget,
): Choices['thread'] {
  if (!hasMuted || field === undefined) return null;
  // A digest has the context of its last item, and may be about many things.
  if (carried !== null && (digest ?? limit)?.key !== field) return null;
  const value = mutedValueIn(context, field);
  return value === null ? null : { application: applicationId, field, value };
}

const NO_SETTINGS = {
  applicationId: 0,
  hasMuted: false,
  category: null,
  locale: null,
  hasSuppressions: false,
  quietHours: null,
  hasOwnQuietHours: false,
  limit: null,
};

/** The same for a post to a room, which has no user: only a time on the clock of the organization can make it wait. */
export const choicesOfRoom = ({ projectId, timeZone }: RecipientSettings, target: ChoiceTarget): Choices | null =>
  choicesOf({ ...NO_SETTINGS, projectId, timeZone }, { ...target, rule: {} });

const MAX_KEY = 200;

/** The value of a field as a key. A missing field has the same key as an empty one. */
const keyIn = (context: unknown, path: string | undefined): string =>
  path === undefined ? '' : textIn(context, path).slice(0, MAX_KEY);

/** The value of a field such as `order.id`, as text; empty: it is missing. */
export function textIn(context: unknown, path: string): string {
  let value = context;
  for (const name of path.split('.')) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
