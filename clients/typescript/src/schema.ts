// Generated from openapi.yaml by `npm run contract`.
import type { StreamEvent } from './stream-event.js';

export type Acknowledge = {
  /** `anyone`: one acknowledgement ends the steps for all users. `each`: it ends them for the user who acknowledged. */
  by: 'anyone' | 'each';
  /**
   * So long after it, an acknowledgement lapses, and the steps continue with those that are due by then: `90s`, `10m`, `2h` or `1d`. Left out: it never
   * does.
   */
  for?: string;
};

export type Acknowledgement = {
  at: string;
  /** How it was acknowledged: over the API, with the link of a message, as a message of the inbox, or with an answer by SMS. */
  way: 'api' | 'link' | 'inbox' | 'sms';
  /** The step whose message was answered. `null`: none. */
  step: number | null;
  user: string;
  /** Empty: none. */
  note: string;
};

export type AcknowledgeMessage = { note?: string };

export type AcknowledgeOccurrence = {
  note?: string;
  /** The e-mail of a user of the organization. It need not be one who got a message. */
  user: string;
};

export type AddedRecipients = {
  /** Recipients that became members. */
  added: number;
  /** Recipients that were members already. */
  existing: number;
  /** Users created for e-mails that had no user in the organization. */
  created_users: number;
};

export type Address = {
  /** Kind of address. */
  name: string;
  value: string;
};

export type Alerts = {
  /**
   * The usernames of the users who are told, over the first of their addresses whose channel works: an e-mail, if they have one. Names without a user are
   * skipped.
   */
  users: string[];
  /** Channels that need no address, such as a room of a chat: the slug of one of the organization, or project and slug. */
  channels: string[];
  /** They are told of a backlog when a message that is due has waited for so many minutes; null: never. */
  waiting_minutes: number | null;
  /** The most alerts in an hour. The others wait, and are not sent if they are over by then. */
  per_hour: number;
};

export type ApiKey = {
  id: number;
  permissions: ('system:ping' | 'organization:read' | 'organization:write' | 'configuration:read' | 'configuration:write' | 'channel:write' | 'user:read' | 'user:write' | 'user:export' | 'preference:read' | 'preference:write' | 'device:read' | 'device:write' | 'event:list' | 'event:trigger' | 'event:trigger-critical' | 'event:write' | 'notification:read' | 'notification:write' | 'occurrence:read' | 'occurrence:write' | 'distributionlist:read' | 'distributionlist:write' | 'apikey:read' | 'apikey:write' | 'member:read' | 'member:write' | 'token:create' | 'audit:read' | 'suppression:read' | 'suppression:write' | 'upload:write')[];
  /** Slug of the project that it is bound to; null: none. */
  project: string | null;
  /** Slug of the application that it is bound to; null: none. */
  application: string | null;
  created_at: string;
  /** When it expires; null: never. */
  expires_at: string | null;
  /** When it was revoked; null: never. */
  revoked_at: string | null;
  /** When it was last used, to the minute; null: never. */
  last_used_at: string | null;
  /** Requests a second that each process accepts, together with the keys that it was created with or has created; null: no limit. */
  rate_limit: number | null;
  name: string;
};

export type ApnsAddress = {
  /**
   * Whether the app was built for distribution or for development. A token works in its own environment only: a channel `apns` that is set to the other one
   * does not reach it.
   */
  environment: 'production' | 'sandbox';
  /** The device token, in hexadecimal digits. */
  token: string;
};

export type Application = {
  name: string;
  slug: string;
  /** The events list. */
  events: string;
};

export type ApplicationSettings = { name: string; slug: string; enabled: boolean };

export type Approved = { occurrence: string; status: string };

export type Attachment = {
  /** The name of the file, without a path. It must be given with `content`; otherwise it is that of the upload, or the last part of the URL. */
  filename?: string;
  /** The id of an upload that has not expired. */
  upload?: string;
  /** The service fetches it once, before the first message, and follows no redirects. */
  url?: string;
  /** With `url`: the hash that its bytes must have. If they have another one, the occurrence fails. */
  sha256?: string;
  /** With it, the file is an inline image: HTML refers to it as `cid:` and this name. */
  cid?: string;
  /** With `text/calendar; method=REQUEST`, mail programs show an invitation. */
  content_type?: string;
  /** The bytes as base64. The whole body of a trigger may have 256 KB: upload larger files. */
  content?: string;
};

export type Attempt = {
  /** Counts from 1. */
  number: number;
  at: string;
  /** Duration of the call. */
  duration_ms: number;
  /** `sent`: the provider accepted the message; `rejected`: the provider refused it, and a retry would not help; `retry`: the attempt failed and may be repeated. */
  outcome: 'sent' | 'rejected' | 'retry';
  /** The provider's answer. */
  answer: string;
};

export type AuditEntry = {
  id: number;
  at: string;
  /** Id of the API key; for a session, of the key that somebody signed in with, or of the session of an operator. Null: the change was made with the command line or in the database. */
  key: number | null;
  /** The `X-Request-Id` of the request. Null: the change was not made by a request. */
  request_id: string | null;
  /** IP address of the client. Null: the change was made with the command line or in the database; `actor` says which. */
  address: string | null;
  /** Path of the changed resource in the organization. Null if the entry stands for many resources. A deleted user appears as `[user 17]`. */
  name: string | null;
  /** Number of changed resources. More than twenty at once make one entry. */
  count: number;
  /** Old and new value of each changed field. The values of a secret are masked. Those of a deleted user are `[redacted]`. */
  changes: Record<string, unknown[]> | null;
  /**
   * Name of the API key, of the operator who signed in, of the command, or of the database user. `unsubscribe link` and `preference page`: the recipient. `answer of a provider`: a
   * delivery.
   */
  actor: string;
  /** `create`, `update` or `delete`. For an occurrence, the action, such as `cancel`. */
  verb: string;
  noun: string;
};

export type BrandLink = { label: string; url: string };

export type Canceled = { occurrence: string; status: string };

export type CarriedFile = {
  /** Bytes; null until the file of a URL was fetched. */
  size: number | null;
  sha256: string | null;
  /** Null: it is not an inline image. */
  cid: string | null;
  /** Where it was fetched, without the query; null: the trigger or an upload had its bytes. */
  url: string | null;
  filename: string;
  content_type: string;
};

export type Carrier = { occurrence: string; delivery: number };

export type Category = {
  slug: string;
  name: string;
  /**
   * What counts for users who have not chosen. `required`: everyone gets it, and nobody can refuse it. A change keeps what users have
   * chosen.
   */
  default: 'on' | 'off' | 'required';
  /**
   * All channel types whose default differs: types that are left out have the default of the category. `GET /api/dispatchers/` lists the
   * types. A `required` category has none.
   */
  channels: Record<string, 'on' | 'off'>;
  /**
   * How often users may get its messages in one, instead of at once: `daily`, `weekly` or both. Empty: its messages cannot wait. A `required` category
   * is always sent at once.
   */
  frequencies: ('daily' | 'weekly')[];
  /** When messages are sent that users get once a day or a week, by the clock of the user. Those of a week come on Monday. */
  digest_at: string;
  /** Shown to users who choose. */
  description: string;
};

export type CategoryPreference = {
  /** How often the messages come outside the app: `at_once`, or in one message a day or a week. */
  frequency: 'at_once' | 'daily' | 'weekly';
  /** What may be chosen instead of `at_once`; empty: nothing. */
  frequencies: ('daily' | 'weekly')[];
  /** Slug of the project. */
  project: string;
  /** Its name in an update: project and slug. */
  category: string;
  name: string;
  description: string;
  /** Whether nobody can refuse it. */
  required: boolean;
  channels: Preference[];
};

export type ChangePreferences = {
  /** Everything over a channel type: the master switch. */
  channels?: Record<string, 'on' | 'off' | true | false | null>;
  /**
   * Categories by name: `shop/news`, or `news` if only one project has such a category. A choice for every channel type, or by channel type;
   * `all` then means those without a choice of their own. `frequency` says how often they come outside the app: `at_once`, `daily` or `weekly`, as far as
   * the category allows it. `null` forgets all choices about the category.
   */
  categories?: Record<string, 'on' | 'off' | true | false | null | { frequency?: 'at_once' | 'daily' | 'weekly' | null }>;
  /** Events by name: `shop/web/order-paid`, or a shorter end of it if only one event fits. The same choices as for categories. */
  events?: Record<string, 'on' | 'off' | true | false | null | {  }>;
  /**
   * Open lists by name: `shop/Tips`, or `Tips` if only one open list has this name. `on` joins the list, `off` leaves it: the user stays
   * a member that gets nothing, so that nobody adds them again.
   */
  lists?: Record<string, 'on' | 'off' | true | false>;
  /**
   * Things to mute, or to mute no more: messages about them are not sent for 90 days, in any category that the user can refuse. A user has at most 200, then
   * the oldest ends.
   */
  muted_threads?: MuteThread[];
};

export type Channel = {
  name: string;
  slug: string;
  /** The dispatcher that sends the messages; cannot be changed. */
  type: string;
  /** While false, only test messages are sent over it; all other messages wait until it is true again. */
  enabled: boolean;
};

export type ChannelCheck = {
  /**
   * `channel`: the settings, or the account at the provider, must be corrected. `provider`: it did not answer, or could not say; nothing is known about
   * the settings. Null: they are right.
   */
  fault: 'channel' | 'provider' | null;
  /**
   * The templates of the provider that notifications send over this channel, at most 100. Empty unless the settings are right and the provider has a call
   * that lists its templates, as that of `whatsapp` has.
   */
  templates: TemplateCheck[];
  duration_ms: number;
  ok: boolean;
  /** The response of the provider, without the secrets of the channel. */
  answer: string;
};

export type ChannelDomains = {
  /** Whether no finding is other than `ok`. */
  ok: boolean;
  /** Empty for a channel of another type than `email`: nothing was checked. */
  findings: DomainFinding[];
};

export type ChannelFailure = {
  at: string;
  occurrence: string;
  /** What the provider answered. */
  answer: string;
};

export type ChannelHealth = {
  /** The slug of the project that owns the channel; null: the organization owns it. */
  project: string | null;
  /**
   * `ok`: the last attempt did not fail, or there was none. `failing`: the last attempts failed, and others follow. `resting`: so many
   * attempts failed that its messages wait, and one message is tried at `next_probe_at`.
   */
  state: 'ok' | 'failing' | 'resting';
  /** The number of attempts in a row that failed. */
  failures: number;
  /** The time of the first of these failures. */
  failing_since: string | null;
  /** With `resting`: when the next message is tried. */
  next_probe_at: string | null;
  /** The slug of the channel. */
  channel: string;
  name: string;
  type: string;
  /** Whether it is switched on. */
  enabled: boolean;
};

export type ChannelSettings = {
  name: string;
  slug: string;
  /**
   * All settings of the channel: a change removes settings that it leaves out. `GET /api/dispatchers/` lists the settings of each type. Secrets
   * are masked in responses; a mask that is sent back keeps the secret.
   */
  config: Record<string, unknown>;
  /** Slug of another channel of the same project or of the organization. It sends a message after this channel gave up; null: none. */
  fallback: string | null;
  /** The dispatcher that sends the messages; cannot be changed. */
  type: string;
  /** While false, only test messages are sent over it; all other messages wait until it is true again. */
  enabled: boolean;
};

export type ConfigField = {
  kind: 'string' | 'integer' | 'boolean' | 'url' | 'choice' | 'certificates' | 'private_key' | 'text';
  /** For a secret: the settings that decide who gets it. When one of them changes (of a URL, its origin), the secret must be sent again. */
  goes_to?: string[];
  /** The allowed values of a `choice`. */
  choices?: string[];
  /** The smallest number, or the minimum length of a string. */
  min?: number;
  /** The largest number, or the maximum length of a string. */
  max?: number;
  key: string;
  label: string;
  required: boolean;
  /** Encrypted at rest and masked when read. */
  secret: boolean;
  help?: string;
};

export type Configuration = {
  /** Quotas of the organization, which only an operator may change. */
  quotas?: Record<string, unknown>;
  time_zone?: string | null;
  quiet_hours?: Record<string, unknown>[] | null;
  locale?: string | null;
  limit?: Record<string, unknown> | null;
  color?: string | null;
  address?: string | null;
  links?: Record<string, unknown>[] | null;
  logo?: Record<string, unknown> | null;
  page_texts?: Record<string, unknown> | null;
  layouts?: Record<string, unknown>[];
  partials?: Record<string, unknown>[];
  origins?: string[] | null;
  alerts?: Record<string, unknown> | null;
  /** The organization's own channels. */
  channels?: Record<string, unknown>[];
  /** Users with their addresses, settings and preferences. */
  users?: Record<string, unknown>[];
  /** Projects with their channels, categories, distribution lists and applications, and these with their events and notifications. */
  projects?: Record<string, unknown>[];
  /** The slug in the path. It may be left out. */
  slug?: string;
  /** Left out: unchanged. */
  name?: string;
};

export type ConfigurationChange = {
  verb: 'create' | 'update' | 'delete';
  /** The change stands for this number of resources. */
  count?: number;
  /** The changed fields of one resource. */
  differences?: ConfigurationDifference[];
  noun: string;
  /** The place of the resource; with `count`, of the resource that they are in. */
  name: string;
  /** The e-mails of deleted users or members, the first of them. */
  people?: string[];
  /** Of a layout or partial: the notifications that its change touches, with the project, application and event that they belong to. At most 1,000. */
  touches?: string[];
};

export type ConfigurationChanges = {
  /** What was changed, or would be. Empty: the organization is like the configuration already. */
  changes: ConfigurationChange[];
  /** What is probably a mistake, such as a field of `user` in a template that does not exist. */
  warnings: ConfigurationWarning[];
  /** Names the deletions of this plan. Send it as `If-Match` when you apply the configuration: other deletions are then refused with a 412. */
  version: string;
};

export type ConfigurationDifference = {
  before?: string | number | boolean | Record<string, unknown> | unknown[] | null;
  after?: string | number | boolean | Record<string, unknown> | unknown[] | null;
  field: string;
};

export type ConfigurationWarning = {
  /** Where it is in the body. */
  field: string;
  sentence: string;
};

export type ContextSchema = {
  type?: string;
  /** The fields that are used, nested. `x-used-by` lists the parts of notifications that use a field. */
  properties?: Record<string, unknown>;
  /** Template parts with too many names to analyse. They are not part of this schema. */
  'x-not-checked'?: UsedBy[];
  '$schema'?: string;
  /** The fields that every context must have. */
  required?: string[];
};

export type Counts = {
  total: number;
  /** To be sent, now or later. */
  pending: number;
  sent: number;
  /** Not sent, because a gate stopped them. */
  skipped: number;
  /** Given up after their last attempt, or because no retry can help. */
  dead: number;
};

export type CreateAcknowledge = {
  /** `anyone`: one acknowledgement ends the steps for all users. `each`: it ends them for the user who acknowledged. */
  by?: 'anyone' | 'each';
  /**
   * So long after it, an acknowledgement lapses, and the steps continue with those that are due by then: `90s`, `10m`, `2h` or `1d`, or a number of
   * seconds, from a minute to 30 days. Left out: it never does. `by` is `anyone` then, if it is left out.
   */
  for?: string | number;
};

export type CreateAddress = {
  /** Kind of address: `email`, `phone` or a kind of your own. */
  name: string;
  /**
   * An `email` must be an e-mail address. A `phone` must be an international number: `+` and 7 to 15 digits; separators are
   * dropped.
   */
  value: string;
};

export type CreateApiKey = {
  /** The permissions of the key: some or all of those of your own key. */
  permissions: ('system:ping' | 'organization:read' | 'organization:write' | 'configuration:read' | 'configuration:write' | 'channel:write' | 'user:read' | 'user:write' | 'user:export' | 'preference:read' | 'preference:write' | 'device:read' | 'device:write' | 'event:list' | 'event:trigger' | 'event:trigger-critical' | 'event:write' | 'notification:read' | 'notification:write' | 'occurrence:read' | 'occurrence:write' | 'distributionlist:read' | 'distributionlist:write' | 'apikey:read' | 'apikey:write' | 'member:read' | 'member:write' | 'token:create' | 'audit:read' | 'suppression:read' | 'suppression:write' | 'upload:write')[];
  /** When it expires; not later than your own key. Default: when your own key expires. */
  expires_at?: string;
  /** Requests a second that each process accepts. If your own key has a limit, the new key shares it: leave this out. */
  rate_limit?: number;
  /** The purpose of the key. The ping operation returns it. */
  name: string;
  /** Slug of the project to bind the key to. Default: the reach of your own key. */
  project?: string;
  /** Slug of the application to bind the key to. Give its `project` too. */
  application?: string;
};

export type CreateApplication = {
  /** While false, no messages of its events are sent: they wait until it is true again. */
  enabled?: boolean;
  slug: string;
  name: string;
};

export type CreateCategory = {
  slug: string;
  name: string;
  /**
   * What counts for users who have not chosen. `required`: everyone gets it, and nobody can refuse it. A change keeps what users have
   * chosen.
   */
  default?: 'on' | 'off' | 'required';
  /**
   * All channel types whose default differs: types that are left out have the default of the category. `GET /api/dispatchers/` lists the
   * types. A `required` category has none.
   */
  channels?: Record<string, 'on' | 'off'>;
  /**
   * How often users may get its messages in one, instead of at once: `daily`, `weekly` or both. Empty: its messages cannot wait. A `required` category
   * is always sent at once.
   */
  frequencies?: ('daily' | 'weekly')[];
  /** When messages are sent that users get once a day or a week, by the clock of the user. Those of a week come on Monday. */
  digest_at?: string;
  /** Shown to users who choose. */
  description?: string;
};

export type CreateChannel = {
  name: string;
  slug: string;
  /** The dispatcher that sends the messages; cannot be changed. */
  type: string;
  /**
   * All settings of the channel: a change removes settings that it leaves out. `GET /api/dispatchers/` lists the settings of each type. Secrets
   * are masked in responses; a mask that is sent back keeps the secret.
   */
  config?: Record<string, unknown>;
  /** Slug of another channel of the same project or of the organization. It sends a message after this channel gave up; null: none. */
  fallback?: string | null;
  /** While false, only test messages are sent over it; all other messages wait until it is true again. */
  enabled?: boolean;
};

export type CreatedApiKey = {
  id: number;
  permissions: ('system:ping' | 'organization:read' | 'organization:write' | 'configuration:read' | 'configuration:write' | 'channel:write' | 'user:read' | 'user:write' | 'user:export' | 'preference:read' | 'preference:write' | 'device:read' | 'device:write' | 'event:list' | 'event:trigger' | 'event:trigger-critical' | 'event:write' | 'notification:read' | 'notification:write' | 'occurrence:read' | 'occurrence:write' | 'distributionlist:read' | 'distributionlist:write' | 'apikey:read' | 'apikey:write' | 'member:read' | 'member:write' | 'token:create' | 'audit:read' | 'suppression:read' | 'suppression:write' | 'upload:write')[];
  /** Slug of the project that it is bound to; null: none. */
  project: string | null;
  /** Slug of the application that it is bound to; null: none. */
  application: string | null;
  created_at: string;
  /** When it expires; null: never. */
  expires_at: string | null;
  /** Requests a second that each process accepts, together with the keys that it was created with or has created; null: no limit. */
  rate_limit: number | null;
  name: string;
  /** The text of the key. It is shown only once. */
  key: string;
};

export type CreateDigest = {
  /** A field of the context, such as `order.id`. Each of its values has a digest of its own. */
  key?: string;
  /** Whether each item starts the window again. */
  sliding?: boolean;
  /** It is sent so long after its first item: `90s`, `15m`, `2h` or `1d`, or a number of seconds. At most 7 days. */
  window?: string | number;
  /** It is sent at this time of these days, by the recipient's clock. */
  schedule?: (CreateDigestSchedule);
  /** It is sent as soon as it has so many items. */
  max_items?: number;
  /** `now`: the first message is sent at once, and only those that follow are gathered. `wait`: the first one waits too. */
  first?: 'now' | 'wait';
};

export type CreateDigestSchedule = { at: string; days?: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[] };

export type CreateDistributionList = {
  /** Unique in the project; upper and lower case count as the same. Spaces at both ends are removed. */
  name: string;
  /** Whether users join and leave the list themselves: on the preference page, and with a recipient token. An organization may have 200 open lists. */
  open?: boolean;
  /** Shown to users who may join. */
  description?: string;
};

export type CreateDraft = {
  /** The fields of a notification. They need not be valid, but each has its place, and `templates` is a list of objects. */
  notification: (EditedNotification);
  /** The notification as it was when the editing began. Left out or null: it did not exist. */
  base?: EditedNotification | null;
  /** The `ETag` of the notification at that time. */
  base_etag?: string | null;
  /** The id of the notification that it changes, or a name of one that does not exist yet: `new`, or `new-` with letters and digits. */
  draft: string;
};

export type CreatedSigningSecret = {
  id: number;
  /** Who signs with it: the `organization`, which got it once, or the `service`, for the tokens that it creates. */
  held_by: 'organization' | 'service';
  created_at: string;
  /** Its name in the header of tokens. */
  kid: string;
  name: string;
  /** The text of the secret, whose bytes are the key of HS256. It is shown only once. */
  secret: string;
};

export type CreatedUser = {
  id: number;
  email: string;
  /** Identifier in URLs: the e-mail address. */
  username: string;
  first_name: string;
  last_name: string;
  /** Free-form JSON. */
  custom_fields: Record<string, unknown>;
};

export type CreateEvent = {
  name: string;
  slug: string;
  /** Days to keep its occurrences; null: the default of the service. */
  retention_days?: number | null;
  /** An occurrence that would reach more users is held until someone approves it; null: no ceiling. */
  max_recipients?: number | null;
  /** Slug of a category of the project, which users can choose or refuse; null: its messages are always sent. */
  category?: string | null;
  /**
   * Slug of an event of the application: a trigger ends the open steps of its notifications whose `thread` has the same value in the context of this
   * trigger. null: it ends none.
   */
  resolves_event?: string | null;
  /** While false, its occurrences wait: they resume when it is true again. */
  enabled?: boolean;
};

export type CreateNotification = {
  /** A JMESPath expression over the context; null: it always matches. */
  when?: string | null;
  /** A filter over the organization's users, in addition to the lists; null: none. */
  audience?: Record<string, unknown> | null;
  /**
   * Whom it means instead of lists and an audience, which must be empty then. `recipients`: only the users in `options.recipients` of the
   * trigger; a trigger without them is refused. `told`: those who had a message with steps about the thread that the trigger resolves with `resolves_event` or `resolves_thread`. `context`: the users that the context names. Null: its lists and audience.
   */
  to?: 'recipients' | 'told' | {
    /** A JMESPath expression over the context. Its value is a username, or a list of at most 1,000 usernames. */
    context: string;
  } | null;
  /** When its messages may be sent, by the recipient's clock; null: always. Posts to rooms do not wait. */
  window?: CreateWeeklyRange | null;
  /** How its messages to a user are gathered into one; null: each is sent. Posts to rooms are not gathered. */
  digest?: CreateDigest | null;
  /** The most messages of it for a user; null: no limit. Posts to rooms are not counted. */
  limit?: CreateNotificationLimit | null;
  /**
   * Its channels by step: each later step follows when nothing came of the steps before. Every channel with a template belongs to one step. Null: all
   * at once. Posts to rooms belong into the first step.
   */
  steps?: CreateStep[] | null;
  /** Whose acknowledgement ends its steps for a user, and when it lapses; null: anyone's, and never. It needs steps. */
  acknowledge?: CreateAcknowledge | null;
  /**
   * A field of the context, such as `order.id`, that says what a message is about. On a phone and in a browser, the newest message about one thing takes
   * the place of the one before, and messages with the same value are shown together. A message without the field replaces none. Null: none does.
   */
  thread?: string | null;
  enabled?: boolean;
  /**
   * Names of distribution lists of the project. They replace the current ones.
   * One is needed, unless there is an audience or `to`, or all templates are posts to rooms.
   */
  distribution_lists?: string[];
  /** Unique in the event. */
  name: string;
  /** One for each channel. */
  templates: CreateTemplate[];
};

export type CreateNotificationLimit = {
  count: number;
  /** The period begins with the minute, hour, day or week of the user's clock. */
  per: 'minute' | 'hour' | 'day' | 'week';
  /** A field of the context, such as `order.id`. Each of its values has a limit of its own. */
  key?: string;
  /** What becomes of the messages above it: `drop`: they are not sent. `digest`: they are gathered into one message. */
  then?: 'drop' | 'digest';
};

export type CreateOrganization = {
  /** Identifier in URLs; cannot be changed. */
  slug: string;
  name: string;
};

export type CreateProject = {
  /** While false, no messages of its events are sent: they wait until it is true again. */
  enabled?: boolean;
  slug: string;
  name: string;
};

export type CreateRecipientToken = {
  /** What it reaches. Default: `inbox` and `preferences`. A token with `devices` registers devices, which get messages for longer than the token lasts. */
  scopes?: ('inbox' | 'preferences' | 'devices')[];
  /** How long it is valid: `15m`, `1h`, or a number of seconds, 24 hours at most. It never outlives your own key. Default: `1h`. */
  expires_in?: string | number;
};

export type CreateRepeat = {
  /** How often at most, besides the first time. The next step follows after the last time. */
  times: number;
  /** So long after the message before: `90s`, `10m`, `2h` or `1d`, or a number of seconds, from a minute to 30 days. */
  every: string | number;
};

export type CreateSession = {
  /** An API key. Give either this or `link`. */
  key?: string;
  /** The part of a one-time link behind `#t=`, as `npx carillon console` prints it. */
  link?: string;
};

export type CreateSessionLink = {
  /** The e-mail of a member of any organization. */
  email: string;
};

export type CreateSigningSecret = {
  /** Who signs with it. */
  name: string;
};

export type CreateStep = {
  /** Slugs of channels that the notification has templates for. A channel belongs to one step. */
  channels: string[];
  /**
   * The evidence that ends the steps for a user, about any message of the steps before. `sent`: a channel accepted it. `delivered`: the provider
   * reported that it arrived, or it is in the inbox. `seen`: the provider reported that it was opened, or it was shown in the inbox; openings by
   * machines do not count. `read`: it was read in the inbox. `acknowledged`: a user acknowledged the occurrence. Each includes those after it. Left out: the step is
   * taken in any case. The first step has it only with `repeat`, whose repetitions it ends.
   */
  unless?: 'sent' | 'delivered' | 'seen' | 'read' | 'acknowledged';
  /**
   * So long after the first message of the step before was sent to the user, or, if none was, after it was decided that none is: `90s`, `10m`, `2h`
   * or `1d`, or a number of seconds, at most 30 days. The first step has none, every other one needs it.
   */
  after?: string | number;
  /** How it is taken again, until its evidence is there; left out: it is taken once. */
  repeat?: (CreateRepeat);
  /**
   * Whom it means, instead of the users of the step before. `after` counts from the first message of that step, whoever got it, and `unless` asks for
   * the occurrence as a whole: one message with this evidence ends it. The first step has none. Left out: the users of the step before.
   */
  to?: (CreateStepTo);
  /** When its messages may be sent, by the recipient's clock, in place of the window of the notification; left out: in that window. */
  window?: (CreateWeeklyRange);
};

export type CreateStepTo = {
  /** Names of distribution lists of the project. */
  distribution_lists?: string[];
  /** A filter over the users of the organization, besides the lists; left out: there is none. */
  audience?: Record<string, unknown>;
  /** The name of a distribution list, in place of a list of one. */
  distribution_list?: string;
};

export type CreateSuppression = {
  /** Default: `manual`. */
  cause?: 'hard_bounce' | 'complaint' | 'stop' | 'manual';
  /** When it ends by itself. Default: never. */
  expires_at?: string;
  /** Kind of address: `email`, `phone` or a kind of your own. */
  name: string;
  /**
   * The address, in the form that addresses of users have. Upper and lower case count as the same, and so do the forms of one letter or domain
   * (NFC and NFD, punycode).
   */
  value: string;
  /** Slug of the project whose messages to the address stop. Default: the project that the key is bound to, or all projects. */
  project?: string;
  /** Why, in your words. */
  note?: string;
};

export type CreateTemplate = {
  /** Slug of a channel of the project or the organization. */
  channel: string;
  subject?: string | null;
  text?: string | null;
  /** Inserted values are escaped for HTML. */
  html?: string | null;
  /** Markdown, converted to HTML. Use it instead of `html`. */
  markdown?: string | null;
  /** A whole mail in MJML, converted to HTML when it is written. Use it instead of `html`, and without a layout. */
  mjml?: string | null;
  /**
   * Who sends the message: one mailbox, of the domain of the channel's own `from` or of one of its `from_domains`. Only for e-mail. A message
   * whose rendered sender is of another domain is not sent. Null, or rendered as nothing: the channel's `from`.
   */
  from?: string | null;
  /** Who gets the answers: one mailbox of any domain. Only for e-mail. Null, or rendered as nothing: the channel's `reply_to`. */
  reply_to?: string | null;
  /**
   * More headers of a mail, at most 20: names and Liquid templates. Headers that the service or mail servers write are refused. A header that is
   * rendered as nothing is left out.
   */
  headers?: Record<string, string> | null;
  /**
   * Where a click on the message leads: an http or https URL, or a path on the site that shows it. For inboxes and push
   * messages, as the next three. A rendered URL that is neither is left out, and the delivery says so.
   */
  url?: string | null;
  /** The https URL of a picture. */
  image?: string | null;
  /** Links that the message offers as buttons, at most two. A label is cut after 80 characters. One without a label or a URL is left out. */
  actions?: TemplateAction[] | null;
  /**
   * A JSON object for the app that shows the message, of at most 4,096 bytes, both as it is written and as it is rendered. Its texts are Liquid
   * templates. Keys have letters, digits, `_` and `-`. Push channels take less, and have names that they keep to
   * themselves (`limits` of their type).
   */
  data?: Record<string, unknown> | null;
  /**
   * The template of WhatsApp that is sent in place of the text: outside 24 hours after a person's last message, WhatsApp takes nothing else. Without
   * a text, the values of its parameters take the place of the text, for lists of messages and for a fallback without a template of its own.
   */
  template?: ProviderTemplate | null;
  /**
   * The texts in other languages, by language tag, at most 50. A user gets the language of their locale (`pt-BR`, then `pt`), else that of the
   * organization's locale, else the texts above. Null: none.
   */
  translations?: Record<string, Translation> | null;
  /** The layout around text and HTML: the slug of a layout of the project or the organization, or `default`, which always exists. Null: none. */
  layout?: string | null;
  /**
   * `room`: one post for everyone. The channel must be one room or one URL, and the template cannot use `user`.
   * `person`: one message for each recipient. Default: `room` if the channel is a room.
   */
  per?: 'room' | 'person';
};

export type CreateUser = {
  /** Unique in the organization, ignoring case. It becomes the username, and an address named `email`. */
  email: string;
  first_name?: string;
  last_name?: string;
  /** Free-form JSON. */
  custom_fields?: Record<string, unknown>;
};

export type CreateWeeklyRange = {
  from: string;
  /** Up to `24:00`. If it is earlier than `from`, the range ends on the next day. */
  to: string;
  /** In the order of the week. */
  days?: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
};

export type CustomField = {
  /** What it holds. */
  types: ('string' | 'number' | 'boolean' | 'list')[];
  /** Some of its values, or of the items of its lists. */
  examples: (string | number)[];
  /** Its path, with dots between the keys. An audience names it with `custom_fields.` before it. */
  name: string;
};

export type Delivery = {
  id: number;
  /** The slug of the channel; null when the channel was deleted. */
  channel: string | null;
  /** `room`: one post to the room of the channel; `person`: a message to one user. */
  per: 'room' | 'person';
  /** The username of the recipient; null for a post to a room, and when the user was deleted. */
  user: string | null;
  /** `pending`: waits to be sent, now or at `next_attempt_at`; `sent`; `skipped`: a gate kept it back; `dead`: given up. */
  status: 'pending' | 'sent' | 'skipped' | 'dead';
  /** With `skipped`: the gate that kept it back. */
  gate: 'inactive' | 'locked' | 'no_address' | 'channel_disabled' | 'expired' | 'canceled' | 'opted_out' | 'muted' | 'suppressed' | 'capped' | 'digested' | null;
  /** With `dead`: the reason. */
  reason: string | null;
  /** With `pending`: the time of the next attempt, or of its digest; null: as soon as a worker is free. */
  next_attempt_at: string | null;
  /**
   * With `pending`: why it is not sent at once. `quiet`: the user has quiet hours; `window`: the send window of the notification; `digest`: it
   * is gathered with others; null: nothing, or a failed attempt.
   */
  waits_for: 'quiet' | 'window' | 'digest' | 'send_at' | null;
  /** With the gate `digested`: the digest that carried it; null when it was purged. */
  carried_by: Carrier | null;
  /** For a fallback: the id of the delivery that was given up before. */
  fallback_of: number | null;
  /**
   * How often its step has repeated it: `1` is the first repetition; 0: it has not been repeated, or has no steps. Status and message are those of the last
   * time, `attempts` are those of all.
   */
  repeat: number;
  /**
   * What the provider reported after it had accepted the message, at most: `delayed`, `soft_bounced` (not accepted, but other messages may be),
   * `delivered`, `seen` (opened), `bounced` (the address does not exist), `complained` (marked as spam). Later ones win. Null: nothing was reported.
   */
  report: 'delayed' | 'soft_bounced' | 'delivered' | 'seen' | 'bounced' | 'complained' | null;
  /** All calls to the provider, in order. */
  attempts: Attempt[];
  /** The name of the notification when the event was triggered. */
  notification: string;
};

export type DeliveryDetail = {
  id: number;
  /** The slug of the channel; null when the channel was deleted. */
  channel: string | null;
  /** `room`: one post to the room of the channel; `person`: a message to one user. */
  per: 'room' | 'person';
  /** The username of the recipient; null for a post to a room, and when the user was deleted. */
  user: string | null;
  /** `pending`: waits to be sent, now or at `next_attempt_at`; `sent`; `skipped`: a gate kept it back; `dead`: given up. */
  status: 'pending' | 'sent' | 'skipped' | 'dead';
  /** With `skipped`: the gate that kept it back. */
  gate: 'inactive' | 'locked' | 'no_address' | 'channel_disabled' | 'expired' | 'canceled' | 'opted_out' | 'muted' | 'suppressed' | 'capped' | 'digested' | null;
  /** With `dead`: the reason. */
  reason: string | null;
  /** With `pending`: the time of the next attempt, or of its digest; null: as soon as a worker is free. */
  next_attempt_at: string | null;
  /**
   * With `pending`: why it is not sent at once. `quiet`: the user has quiet hours; `window`: the send window of the notification; `digest`: it
   * is gathered with others; null: nothing, or a failed attempt.
   */
  waits_for: 'quiet' | 'window' | 'digest' | 'send_at' | null;
  /** With the gate `digested`: the digest that carried it; null when it was purged. */
  carried_by: Carrier | null;
  /** For a fallback: the id of the delivery that was given up before. */
  fallback_of: number | null;
  /**
   * How often its step has repeated it: `1` is the first repetition; 0: it has not been repeated, or has no steps. Status and message are those of the last
   * time, `attempts` are those of all.
   */
  repeat: number;
  /**
   * What the provider reported after it had accepted the message, at most: `delayed`, `soft_bounced` (not accepted, but other messages may be),
   * `delivered`, `seen` (opened), `bounced` (the address does not exist), `complained` (marked as spam). Later ones win. Null: nothing was reported.
   */
  report: 'delayed' | 'soft_bounced' | 'delivered' | 'seen' | 'bounced' | 'complained' | null;
  /** All calls to the provider, in order. */
  attempts: Attempt[];
  /** The message as it was sent last; null when nothing was sent. */
  message: Message | null;
  /** What the provider reported about it, the oldest first. At most 100. */
  reports: DeliveryReport[];
  /** What became of it on each device of the user, at most 20. Null: it did not go to registered devices. */
  devices: DeviceResult[] | null;
  /** The name of the notification when the event was triggered. */
  notification: string;
};

export type DeliveryReport = {
  state: 'delayed' | 'soft_bounced' | 'delivered' | 'seen' | 'bounced' | 'complained';
  at: string;
  /** With `seen`: who opened it. A `machine` is a mail program or a scanner of links, which proves only that the message arrived. */
  by: 'human' | 'machine' | 'unknown' | null;
  /** The words of the provider. */
  detail: string;
};

export type Device = {
  platform: 'ios' | 'android' | 'web' | 'other';
  /** The kind of its address, which the channels `fcm`, `apns`, `expo` and `webpush` need. */
  address_kind: 'fcm' | 'apns' | 'expo' | 'webpush';
  /** Of a token for APNs; null: another kind of address. */
  environment: 'production' | 'sandbox' | null;
  locale: string | null;
  time_zone: string | null;
  /** When it was registered for this user; null: it was added as an address. */
  created_at: string | null;
  /** When the app registered it last; null: it was added as an address. */
  last_seen_at: string | null;
  /** Why it gets no messages: the words with which its provider refused it. Null: it gets them. It gets them again when the app registers it. */
  problem: string | null;
  /** The app on the device, such as its bundle id. `webpush`: a subscription of a browser that was added as an address. */
  app: string;
  /** Given by the app. */
  device: string;
  name: string;
  app_version: string;
};

export type DeviceResult = {
  /**
   * `sent`: the provider accepted the message; `retry`: it failed and is tried again; `given_up`: it failed, and was not tried again; `gone`: the provider
   * knows no such device any more, and it was removed from the devices of the user; `set_aside`: the provider refused the device, which gets no messages
   * until its app registers it again; `rejected`: the provider refused this message.
   */
  outcome: 'sent' | 'retry' | 'gone' | 'set_aside' | 'rejected' | 'given_up';
  /** When it answered. */
  at: string;
  app: string;
  device: string;
  platform: string;
  /** What the user called it then. */
  name: string;
  /** The provider's answer. */
  answer: string;
};

export type Digest = {
  /** It is sent at this time of these days. */
  schedule?: (DigestSchedule);
  /** A field of the context, such as `order.id`. Each of its values has a digest of its own. */
  key?: string;
  /** It is sent as soon as it has so many items. */
  max_items: number;
  /** `now`: the first message is sent at once, and only those that follow are gathered. `wait`: the first one waits too. */
  first: 'now' | 'wait';
  /** It is sent so long after its first item: `90s`, `15m`, `2h` or `1d`. */
  window?: string;
  /** Whether each item starts the window again. */
  sliding?: boolean;
};

export type DigestSchedule = { days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[]; at: string };

export type Discarded = {
  /** The number of messages. */
  discarded: number;
};

export type Dispatcher = {
  /** The kind of address that a recipient needs; null: none, or the settings decide. */
  address_kind: string | null;
  /** The parts of a message that it sends. Only with those after `html` among them, templates may have these fields. */
  parts: ('subject' | 'text' | 'html' | 'from' | 'reply_to' | 'headers' | 'url' | 'image' | 'actions' | 'data' | 'template')[];
  /**
   * Whether the settings of its channels can be checked without a message (`POST /api/o/{org}/c/{channel}/check/`); null: they cannot. `charged`: the
   * provider may charge for it.
   */
  settings_check: 'free' | 'charged' | null;
  type: string;
  label: string;
  /**
   * Whether a channel of this type is one room or one URL for everyone: it gets one post for each occurrence and notification. A channel whose settings
   * make it reach each user is no room (`slack` with a bot and no `channel`).
   */
  room: boolean;
  limits: MessageLimits;
  /** Whether phones and browsers show its messages among their notifications. */
  push: boolean;
  fields: ConfigField[];
  /** The providers that report what became of messages; empty: none does. */
  report_setups: ReportSetup[];
};

export type DistributionList = {
  id: number;
  name: string;
  /** The members list. */
  members: string;
};

export type DistributionListSettings = {
  /** Unique in the project; upper and lower case count as the same. Spaces at both ends are removed. */
  name: string;
  /** Whether users join and leave the list themselves: on the preference page, and with a recipient token. An organization may have 200 open lists. */
  open: boolean;
  /** Shown to users who may join. */
  description: string;
};

export type DomainFinding = {
  /** `alignment`: whether DMARC accepts the signature or the envelope sender for the domain of `From`. */
  check: 'spf' | 'dkim' | 'dmarc' | 'alignment';
  /** `missing`: there is no such record. `wrong`: it does not fit the channel. `unknown`: the name servers did not answer in time. */
  state: 'ok' | 'missing' | 'wrong' | 'unknown';
  /** The name of the TXT record; null: it is not about one record. */
  record: string | null;
  /** The TXT record to publish; null: none, or it cannot be known. */
  publish: string | null;
  /** The domain of `From`. */
  domain: string;
  detail: string;
};

export type Draft = {
  /** The id of the notification that it changes, or a name of one that does not exist yet: `new`, or `new-` with letters and digits. */
  draft: string;
  saved_at: string;
  /** The name that the notification has in the draft; empty: none yet. */
  name: string;
  /** Who saved it: the name of the key or the session. */
  saved_by: string;
};

export type DraftContent = {
  /** The id of the notification that it changes, or a name of one that does not exist yet: `new`, or `new-` with letters and digits. */
  draft: string;
  saved_at: string;
  /** The name that the notification has in the draft; empty: none yet. */
  name: string;
  /** Who saved it: the name of the key or the session. */
  saved_by: string;
  /** The fields of the notification as they are in the draft. They need not be valid. */
  notification: (EditedNotification);
  /** The notification as it was when the editing began; null: it did not exist. */
  base: EditedNotification | null;
  /** The `ETag` of the notification at that time. */
  base_etag: string | null;
};

export type DraftNotification = {
  /** Unique in the event. */
  name?: string;
  /** A JMESPath expression over the context; null: it always matches. */
  when?: string | null;
  /** A filter over the organization's users, in addition to the lists; null: none. */
  audience?: Record<string, unknown> | null;
  /**
   * Whom it means instead of lists and an audience, which must be empty then. `recipients`: only the users in `options.recipients` of the
   * trigger; a trigger without them is refused. `told`: those who had a message with steps about the thread that the trigger resolves with `resolves_event` or `resolves_thread`. `context`: the users that the context names. Null: its lists and audience.
   */
  to?: 'recipients' | 'told' | {
    /** A JMESPath expression over the context. Its value is a username, or a list of at most 1,000 usernames. */
    context: string;
  } | null;
  /** When its messages may be sent, by the recipient's clock; null: always. Posts to rooms do not wait. */
  window?: CreateWeeklyRange | null;
  /** How its messages to a user are gathered into one; null: each is sent. Posts to rooms are not gathered. */
  digest?: CreateDigest | null;
  /** The most messages of it for a user; null: no limit. Posts to rooms are not counted. */
  limit?: CreateNotificationLimit | null;
  /**
   * Its channels by step: each later step follows when nothing came of the steps before. Every channel with a template belongs to one step. Null: all
   * at once. Posts to rooms belong into the first step.
   */
  steps?: CreateStep[] | null;
  /** Whose acknowledgement ends its steps for a user, and when it lapses; null: anyone's, and never. It needs steps. */
  acknowledge?: CreateAcknowledge | null;
  /**
   * A field of the context, such as `order.id`, that says what a message is about. On a phone and in a browser, the newest message about one thing takes
   * the place of the one before, and messages with the same value are shown together. A message without the field replaces none. Null: none does.
   */
  thread?: string | null;
  /** One for each channel. They replace the current ones. */
  templates?: CreateTemplate[];
  /** The notification that it replaces. Fields that you leave out keep their values. Without an id, it is a new one. */
  id?: number;
  enabled?: boolean;
  /**
   * Names of distribution lists of the project. They replace the current ones.
   * One is needed, unless there is an audience or `to`, or all templates are posts to rooms.
   */
  distribution_lists?: string[];
};

export type EditedNotification = {
  /** Objects as the templates of a notification, which need not be valid. */
  templates?: Record<string, unknown>[];
  /** As on a notification, or not valid yet. */
  enabled?: Record<string, unknown> | unknown[] | string | number | boolean | null;
  /** As on a notification, or not valid yet. */
  when?: Record<string, unknown> | unknown[] | string | number | boolean | null;
  /** As on a notification, or not valid yet. */
  distribution_lists?: Record<string, unknown> | unknown[] | string | number | boolean | null;
  /** As on a notification, or not valid yet. */
  audience?: Record<string, unknown> | unknown[] | string | number | boolean | null;
  /** As on a notification, or not valid yet. */
  to?: Record<string, unknown> | unknown[] | string | number | boolean | null;
  /** As on a notification, or not valid yet. */
  window?: Record<string, unknown> | unknown[] | string | number | boolean | null;
  /** As on a notification, or not valid yet. */
  digest?: Record<string, unknown> | unknown[] | string | number | boolean | null;
  /** As on a notification, or not valid yet. */
  limit?: Record<string, unknown> | unknown[] | string | number | boolean | null;
  /** As on a notification, or not valid yet. */
  steps?: Record<string, unknown> | unknown[] | string | number | boolean | null;
  /** As on a notification, or not valid yet. */
  acknowledge?: Record<string, unknown> | unknown[] | string | number | boolean | null;
  /** As on a notification, or not valid yet. */
  thread?: Record<string, unknown> | unknown[] | string | number | boolean | null;
  name?: string;
};

export type EndedThread = {
  /** The slug of the event; null: all of the application, with `resolves_thread`. */
  event: string | null;
  /** The field of the context; null: whatever it is, with `resolves_thread`. */
  field: string | null;
};

export type Event = { name: string; slug: string };

export type EventPreference = {
  /** Null: it has none, so the choice does not count. */
  category: string | null;
  /** Slug of the project. */
  project: string;
  /** Its name in an update: project, application and slug. */
  event: string;
  name: string;
  /** Whether nobody can refuse it. */
  required: boolean;
  channels: Preference[];
};

export type EventSettings = {
  name: string;
  slug: string;
  /** Days to keep its occurrences; null: the default of the service. */
  retention_days: number | null;
  /** An occurrence that would reach more users is held until someone approves it; null: no ceiling. */
  max_recipients: number | null;
  /** Slug of a category of the project, which users can choose or refuse; null: its messages are always sent. */
  category: string | null;
  /**
   * Slug of an event of the application: a trigger ends the open steps of its notifications whose `thread` has the same value in the context of this
   * trigger. null: it ends none.
   */
  resolves_event: string | null;
  /** While false, its occurrences wait: they resume when it is true again. */
  enabled: boolean;
};

export type ExplainedChannel = {
  /** The slug of the channel; null when it was deleted. */
  channel: string | null;
  outcome: 'sent' | 'waiting' | 'dead' | 'not_sent';
  /** The gate that kept the message back; null when none did. */
  gate: 'no_user' | 'no_rules' | 'occurrence_failed' | 'disabled' | 'filtered' | 'failed' | 'gone' | 'not_chosen' | 'room' | 'not_meant' | 'other_channel' | 'limited' | 'came_later' | 'step_ended' | 'inactive' | 'locked' | 'no_address' | 'channel_disabled' | 'expired' | 'canceled' | 'opted_out' | 'muted' | 'suppressed' | 'capped' | 'digested' | null;
  sentence: string;
  /** The facts behind the outcome. The keys depend on the outcome and the gate. */
  evidence: Record<string, unknown>;
  /** The id of the delivery; null when there is none. */
  delivery: number | null;
  /** The step of the notification that the channel belongs to; null: it has no steps, or the channel is a fallback. */
  step: number | null;
  /** `stored`: decided when the recipients were resolved; `now`: the same rules, applied now. */
  evaluated: 'stored' | 'now';
};

export type ExplainedOutcomes = { sent: number; waiting: number; dead: number; not_sent: number };

export type ExplainedRule = {
  /** The verdict on the notification for everyone. */
  verdict: 'matched' | 'filtered' | 'disabled' | 'failed';
  sentence: string;
  channels: ExplainedChannel[];
  /** The name of the notification. */
  notification: string;
};

export type ExplainedSchedule = { slot: string; cron: string; time_zone: string };

export type ExplainedTotals = {
  /** The number of deliveries: one for each user, notification and channel. */
  total: number;
  /** The schedule that triggered it; null: none did, or it was long ago. */
  schedule: ExplainedSchedule | null;
  /** The number of deliveries that were not sent, by gate. */
  gates: Record<string, number>;
  rules: ExplainedVerdict[];
  sentence: string;
  outcomes: ExplainedOutcomes;
};

export type ExplainedUser = {
  /** The best outcome of any notification over any channel. */
  outcome: 'sent' | 'waiting' | 'dead' | 'not_sent';
  /** The gate, when the same one kept back every message; otherwise null. */
  gate: 'no_user' | 'no_rules' | 'occurrence_failed' | 'disabled' | 'filtered' | 'failed' | 'gone' | 'not_chosen' | 'room' | 'not_meant' | 'other_channel' | 'limited' | 'came_later' | 'step_ended' | 'inactive' | 'locked' | 'no_address' | 'channel_disabled' | 'expired' | 'canceled' | 'opted_out' | 'muted' | 'suppressed' | 'capped' | 'digested' | null;
  sentence: string;
  /** The schedule that triggered it; null: none did, or it was long ago. */
  schedule: ExplainedSchedule | null;
  /** The notifications as they were when the event was triggered, even if they were edited since. */
  rules: ExplainedRule[];
  /** The username. */
  user: string;
};

export type ExplainedVerdict = {
  verdict: 'matched' | 'filtered' | 'disabled' | 'failed';
  sentence: string;
  /** The name of the notification. */
  notification: string;
};

export type ExpoAddress = {
  /** The push token that Expo gives. */
  token: string;
};

export type FailingChannel = {
  /** The slug of the project that owns the channel; null: the organization owns it. */
  project: string | null;
  /** The time of the first failure since the last message that was sent. */
  failing_since: string | null;
  /** When the channel rests: the time of the next attempt. Null: it does not rest. */
  next_probe_at: string | null;
  /** The messages that wait for it. It stops at 1000. */
  waiting: number;
  /** How the latest attempt for one of them failed, as the provider answered; null: no such attempt is known. */
  last_failure: string | null;
  /** The slug of the channel. */
  channel: string;
};

export type FcmAddress = {
  /** The registration token. */
  token?: string;
  /** The id of the Firebase installation. */
  fid?: string;
};

export type FigureCounts = {
  /** All of them: `sent`, `failed`, `waiting` and `skipped` together. */
  messages: number;
  /** Those that their provider has taken, whatever it reported later. */
  sent: number;
  /** Those that were given up. */
  failed: number;
  /** Those that are to be sent. */
  waiting: number;
  /** Those that a gate stopped, such as a user without an address. */
  skipped: number;
  /** Of `skipped`: users who do not want them. */
  opted_out: number;
  /** Of `sent`: those whose provider has reported that they arrived, and nothing more. */
  delivered: number;
  /** Of `sent`: those that were opened, or whose links were followed. */
  seen: number;
  /** Of `sent`: those that came back. */
  bounced: number;
  /** Of `sent`: those that their users reported as spam. */
  complained: number;
  /**
   * Half of the messages that were sent took at most so many seconds from the trigger until their provider took them; null: none was sent. It is one of 1, 2, 5,
   * 10, 30, 60, 300, 900, 3600, 21600, 86400 and 604800. A time that they had to wait, such as quiet hours or `send_at`, does not count.
   */
  half_within_seconds: number | null;
  /** The same for 95 of 100 messages. */
  most_within_seconds: number | null;
};

export type FigureRow = {
  /** All of them: `sent`, `failed`, `waiting` and `skipped` together. */
  messages: number;
  /** Those that their provider has taken, whatever it reported later. */
  sent: number;
  /** Those that were given up. */
  failed: number;
  /** Those that are to be sent. */
  waiting: number;
  /** Those that a gate stopped, such as a user without an address. */
  skipped: number;
  /** Of `skipped`: users who do not want them. */
  opted_out: number;
  /** Of `sent`: those whose provider has reported that they arrived, and nothing more. */
  delivered: number;
  /** Of `sent`: those that were opened, or whose links were followed. */
  seen: number;
  /** Of `sent`: those that came back. */
  bounced: number;
  /** Of `sent`: those that their users reported as spam. */
  complained: number;
  /**
   * Half of the messages that were sent took at most so many seconds from the trigger until their provider took them; null: none was sent. It is one of 1, 2, 5,
   * 10, 30, 60, 300, 900, 3600, 21600, 86400 and 604800. A time that they had to wait, such as quiet hours or `send_at`, does not count.
   */
  half_within_seconds: number | null;
  /** The same for 95 of 100 messages. */
  most_within_seconds: number | null;
  /**
   * What they have in common, as `by` says: the path of an event (`shop/web/order-paid`), the path of a channel (`shop/hook`, or `mail` of the organization), the slug of a
   * project, a domain, an outcome, or a reason (`skipped/opted_out`). For an hour or a day, when it begins. Null: something that was deleted.
   */
  name: string | null;
};

export type Figures = {
  /** From this time: the beginning of an hour. */
  since: string;
  /** Until before this time: the end of an hour. */
  until: string;
  by: 'hour' | 'day' | 'event' | 'channel' | 'project' | 'domain' | 'outcome' | 'reason';
  /** Hours and days in their order, also those without messages; others with the most messages first. */
  rows: FigureRow[];
  /** The time zone of the organization, in which its days and hours begin. */
  time_zone: string;
  total: FigureCounts;
  /** The messages that are in no row: of domains after the 50 with the most messages, and of events, channels, projects or reasons after the first 100. */
  rest: (FigureCounts);
};

export type Flushed = {
  /** The number of digests that are sent now because of this request. Digests that are being sent already do not count. */
  digests: number;
};

export type Fragment = {
  /** The name that templates use. */
  slug: string;
  /**
   * Inserted values are escaped for HTML. The `{{ content }}` of a layout is the HTML of the template. Null: the layout leaves the HTML alone; of a
   * partial, the text is converted to HTML.
   */
  html: string | null;
  /** The `{{ content }}` of a layout is the text of the template. Null: the layout leaves the text alone; of a partial, the HTML is converted to text. */
  text: string | null;
  /** The HTML of a layout as MJML, instead of `html`. It is converted when it is written. Partials have none. */
  mjml: string | null;
};

export type FragmentUse = {
  /** The id of the notification. */
  notification: number;
  project: string;
  application: string;
  event: string;
  name: string;
  /** The slug of the template's channel. */
  channel: string;
};

export type Health = {
  /** `ok` or `unavailable`; `checks` gives the reason. */
  status: string;
  /** Result of each check: `ok` or the problem. */
  checks: Record<string, string>;
};

export type InboxAccent = {
  /** On a light background. */
  light: string;
  /** On a dark background. */
  dark: string;
};

export type InboxBrand = {
  accent: InboxAccent | null;
  logo: Logo | null;
  /** The organization's own texts of the inbox element, by language and by the name that the element uses. */
  texts: Record<string, Record<string, string>>;
  name: string;
};

export type InboxCategory = { slug: string; name: string };

export type InboxCategoryCount = {
  /** Its unread messages among the newest 1,000 unread ones. */
  unread: number;
  slug: string;
  name: string;
};

export type InboxCounts = {
  /** Messages that are not read; 1000 means 1000 or more. */
  unread: number;
  /** Messages that are not seen; 1000 means 1000 or more. */
  unseen: number;
};

export type InboxEvent = {
  id: number;
  /** Where a click on the message leads: an http or https URL, or a path on your site; null: nowhere. */
  url: string | null;
  /** The https URL of a picture; null: none. */
  image: string | null;
  /** Links to show as buttons, at most two. */
  actions: MessageAction[];
  /** What the template says to your app; null: nothing. */
  data: Record<string, unknown> | null;
  /** The category of its event when it was stored; null: none, or it was deleted. */
  category: InboxCategory | null;
  /** The slug of its event; null: the event was deleted. */
  event: string | null;
  /** The id of its occurrence, which may be deleted before the message. Null: stored by a release that did not keep it. */
  occurrence: string | null;
  /**
   * Whether somebody should acknowledge its occurrence. `open`: nobody has. `done`: somebody has, or this user, if each acknowledges for themselves. Null: the message does not
   * ask for it, or its occurrence was canceled, has expired, is resolved or was deleted.
   */
  acknowledge: 'open' | 'done' | null;
  created_at: string;
  /** When the message was first marked as seen or read; null while it is unseen. */
  seen_at: string | null;
  /** When the message was marked as read; null while it is unread. */
  read_at: string | null;
  /** When the message was archived; null while it is in the inbox. */
  archived_at: string | null;
  /** When a snoozed message returns; null: it is not snoozed. */
  snoozed_until: string | null;
  subject: string;
  text: string;
  html: string;
  counts: InboxCounts;
};

export type InboxMessage = {
  id: number;
  /** Where a click on the message leads: an http or https URL, or a path on your site; null: nowhere. */
  url: string | null;
  /** The https URL of a picture; null: none. */
  image: string | null;
  /** Links to show as buttons, at most two. */
  actions: MessageAction[];
  /** What the template says to your app; null: nothing. */
  data: Record<string, unknown> | null;
  /** The category of its event when it was stored; null: none, or it was deleted. */
  category: InboxCategory | null;
  /** The slug of its event; null: the event was deleted. */
  event: string | null;
  /** The id of its occurrence, which may be deleted before the message. Null: stored by a release that did not keep it. */
  occurrence: string | null;
  /**
   * Whether somebody should acknowledge its occurrence. `open`: nobody has. `done`: somebody has, or this user, if each acknowledges for themselves. Null: the message does not
   * ask for it, or its occurrence was canceled, has expired, is resolved or was deleted.
   */
  acknowledge: 'open' | 'done' | null;
  created_at: string;
  /** When the message was first marked as seen or read; null while it is unseen. */
  seen_at: string | null;
  /** When the message was marked as read; null while it is unread. */
  read_at: string | null;
  /** When the message was archived; null while it is in the inbox. */
  archived_at: string | null;
  /** When a snoozed message returns; null: it is not snoozed. */
  snoozed_until: string | null;
  subject: string;
  text: string;
  html: string;
};

export type ListPreference = {
  /** Slug of the project. */
  project: string;
  /** Its name in an update: project and name. */
  list: string;
  name: string;
  description: string;
  /** Whether the user is an active member. */
  on: boolean;
};

export type LocalTime = {
  /**
   * Without a zone: each user gets the message when their own clock shows it. The zone of the user counts, else that of the organization, else UTC. A
   * post to a room goes by the clock of the organization.
   */
  local: string;
};

export type Logo = {
  /** The width in which it is shown, in pixels. The image itself may be larger. */
  width: number;
  height: number;
  /** Where the service serves it, for everyone who knows the address. Without `PUBLIC_URL` only the path. */
  url: string;
  content_type: string;
};

export type MarkedInbox = {
  /** Messages that are not read; 1000 means 1000 or more. */
  unread: number;
  /** Messages that are not seen; 1000 means 1000 or more. */
  unseen: number;
  /** Messages that were changed. Those that had the state already do not count. */
  changed: number;
};

export type MarkInbox = {
  /**
   * `read` means seen too. `unread` keeps a message seen. Archived and snoozed messages are left out of the list and of the counts. `snoozed` needs
   * `until`; `unsnoozed` brings a message back at once, as it was. `deleted` is for good.
   */
  as: 'seen' | 'read' | 'unread' | 'archived' | 'unarchived' | 'snoozed' | 'unsnoozed' | 'deleted';
  /** Ids of messages. Those that do not exist change nothing. */
  messages?: number[];
  /**
   * All messages up to and including this id. They are those of the inbox; with `unarchived`, those that are archived; with `unsnoozed`, those that
   * are snoozed. Not with `snoozed`.
   */
  up_to?: number;
  /** With `snoozed`: when the messages return. In the future, and at most 366 days ahead. A user can have 1,000 snoozed messages. */
  until?: string;
};

export type MasterSwitch = {
  /** When it was chosen; null: it never was. */
  chosen_at: string | null;
  /** Who chose: the `person`, a `key` on their behalf, or the user with an unsubscribe `link`. */
  chosen_by: 'person' | 'key' | 'link' | null;
  /** Why the address for it is not used in the whole organization; null: it is used. `categories` say it for each project. */
  suppressed: 'hard_bounce' | 'complaint' | 'stop' | 'manual' | null;
  type: string;
  /** While false, nothing is sent over it, except messages of required categories and of events without a category. */
  on: boolean;
};

export type Member = {
  id: number;
  address: string;
  /** The username of the user. */
  user: string;
  /** The slug of the member's channel; without a chosen channel, the kind of the address. */
  channel: string;
  /** Whether the member receives messages. */
  active: boolean;
};

export type MemberLink = {
  /** Works once. Whoever opens it signs in as the member: give it to nobody else. Null: it was mailed. */
  url: string | null;
  /** Where it was mailed to; null: the service has no mail server for it. */
  mailed_to: string | null;
  expires_at: string;
};

export type Membership = {
  /** The address that the list uses. */
  address: (Address);
  /** Slug of the channel that reaches the user; null: every channel of the notification. */
  channel: string | null;
  /** Slug of the project. */
  project: string;
  /** Name of the list. */
  distribution_list: string;
  /** Whether the user receives messages of the list. */
  active: boolean;
};

export type Message = {
  /** The sender that the template sets; null: the channel's `from`. */
  from: string | null;
  /** Who gets the answers, if the template sets it; null: the channel's `reply_to`. */
  reply_to: string | null;
  /** The headers that the template sets; null: none. */
  headers: Record<string, string> | null;
  /** Where a click on the message leads; null: the template sets nothing. */
  url: string | null;
  /** The URL of a picture; null: none. */
  image: string | null;
  /** Its buttons; null: none. */
  actions: MessageAction[] | null;
  /** For the app that shows the message; null: none. */
  data: Record<string, unknown> | null;
  /** The template of the provider that is sent in place of the text; null: none. */
  template: RenderedTemplate | null;
  /** What was left out of these or cut, and why. Empty: nothing. */
  left_out: string[];
  /** Its language, and why; null: the template has no translations. */
  language: UsedLanguage | null;
  /** The address of the recipient; empty when the channel needs none. */
  recipient: string;
  subject: string;
  text: string;
  html: string;
};

export type MessageAction = {
  label: string;
  /** An http or https URL, or a path on the site that shows the message. */
  url: string;
};

export type MessageCheck = {
  /** `error`: recipients get something that is broken. `warning`: some of them do, or it looks bad. `hint`: good to know. */
  level: 'error' | 'warning' | 'hint';
  id: string;
  /** What is wrong, and what to do. */
  sentence: string;
};

export type MessageLimit = {
  count: number;
  /** The period begins with the minute, hour, day or week of the user's clock. */
  per: 'minute' | 'hour' | 'day' | 'week';
};

export type MessageLimits = {
  /** The most characters of the subject, in UTF-16 units; a longer one is cut. */
  subject: number | null;
  /** The same for the text. */
  text: number | null;
  /** The most bytes of a whole message as it is sent to the provider. */
  bytes: number | null;
  /** The most bytes of `data` as JSON. */
  data_bytes: number | null;
  /** Keys that `data` cannot have at its top. One that ends with `*` means all that begin so. */
  reserved_data: string[];
};

export type Messages = {
  /** By language tag, then by key. */
  messages: Record<string, Record<string, string | Record<string, string>>>;
};

export type Minute = {
  minute: string;
  /** Occurrences that were created in this minute, also by digests. It stops at 2000. */
  triggers: number;
};

export type MutedThread = {
  chosen_at: string;
  /** Who muted it: the `person`, a `key` on their behalf, or the user with the `link` of a message. */
  chosen_by: 'person' | 'key' | 'link';
  /** When it ends by itself. */
  ends_at: string;
  /** Project and slug. */
  application: string;
  /** The `thread` of the notifications: a field of the context. */
  thread: string;
  /** Its value. */
  value: string;
};

export type MuteThread = {
  /** Its value. A number is its digits. */
  value: string;
  /** `false` ends it. */
  muted?: boolean;
  /** Project and slug. */
  application: string;
  /** The `thread` of the notifications: a field of the context. */
  thread: string;
};

export type NamedFile = {
  filename: string;
  /** With it, the file is an inline image. */
  cid?: string;
  /** Left out: `application/octet-stream`. */
  content_type?: string;
};

export type Notification = {
  id: number;
  /** A JMESPath expression over the context; null: it always matches. */
  when: string | null;
  /** A filter over the organization's users, in addition to the lists; null: none. */
  audience: Record<string, unknown> | null;
  /**
   * Whom it means instead of lists and an audience. `recipients`: only the users in `options.recipients` of the trigger. `told`: those who had a message about what the trigger
   * resolves. `context`: the users that the context names. Null: its lists and audience.
   */
  to: 'recipients' | 'told' | {
    /** A JMESPath expression over the context. Its value is a username, or a list of at most 1,000 usernames. */
    context: string;
  } | null;
  /** When its messages may be sent, by the recipient's clock; null: always. Posts to rooms do not wait. */
  window: WeeklyRange | null;
  /** How its messages to a user are gathered into one; null: each is sent. Posts to rooms are not gathered. */
  digest: Digest | null;
  /** The most messages of it for a user; null: no limit. Posts to rooms are not counted. */
  limit: NotificationLimit | null;
  /** Its channels by step; null: all at once. */
  steps: Step[] | null;
  /** Whose acknowledgement ends its steps for a user, and when it lapses; null: anyone's, and never. */
  acknowledge: Acknowledge | null;
  /**
   * A field of the context, such as `order.id`, that says what a message is about. On a phone and in a browser, the newest message about one thing takes
   * the place of the one before, and messages with the same value are shown together. A message without the field replaces none. Null: none does.
   */
  thread: string | null;
  templates: Template[];
  /** The texts of its templates that are not translated, or not again since the original has changed. Only read. */
  translation_gaps: TranslationGap[];
  name: string;
  enabled: boolean;
  /** Names of distribution lists of the project. */
  distribution_lists: string[];
};

export type NotificationLimit = {
  count: number;
  /** The period begins with the minute, hour, day or week of the user's clock. */
  per: 'minute' | 'hour' | 'day' | 'week';
  /** A field of the context, such as `order.id`. Each of its values has a limit of its own. */
  key?: string;
  /** What becomes of the messages above it: `drop`: they are not sent. `digest`: they are gathered into one message. */
  then: 'drop' | 'digest';
};

export type Occurrence = {
  id: string;
  /**
   * `pending`: it waits for a worker, or for its `send_at`; `expanding`: its recipients are being resolved; `expanded`: all its
   * deliveries exist; `canceled`: somebody canceled it; `failed`: the recipients could not be resolved; `held`: it would reach more
   * users than `max_recipients` of its event, and waits until somebody approves or cancels it.
   */
  status: 'pending' | 'expanding' | 'expanded' | 'canceled' | 'failed' | 'held';
  created_at: string;
  /** The priority that the trigger asked for; null: none. */
  priority: 'critical' | 'normal' | 'bulk' | null;
  /** Nothing is sent before this time. */
  send_at: string | null;
  /** The time on the clock of each user at which the message is sent to them; null: the trigger named none. */
  send_at_local: string | null;
  /** Messages that are not sent by this time are skipped. */
  expires_at: string | null;
  /** When all its recipients had been resolved. */
  expanded_at: string | null;
  /** When somebody canceled it. */
  canceled_at: string | null;
  /** When somebody approved it after it was held. */
  approved_at: string | null;
};

export type OccurrenceDetail = {
  id: string;
  /**
   * `pending`: it waits for a worker, or for its `send_at`; `expanding`: its recipients are being resolved; `expanded`: all its
   * deliveries exist; `canceled`: somebody canceled it; `failed`: the recipients could not be resolved; `held`: it would reach more
   * users than `max_recipients` of its event, and waits until somebody approves or cancels it.
   */
  status: 'pending' | 'expanding' | 'expanded' | 'canceled' | 'failed' | 'held';
  created_at: string;
  /** The priority that the trigger asked for; null: none. */
  priority: 'critical' | 'normal' | 'bulk' | null;
  /** Nothing is sent before this time. */
  send_at: string | null;
  /** The time on the clock of each user at which the message is sent to them; null: the trigger named none. */
  send_at_local: string | null;
  /** Messages that are not sent by this time are skipped. */
  expires_at: string | null;
  /** When all its recipients had been resolved. */
  expanded_at: string | null;
  /** When somebody canceled it. */
  canceled_at: string | null;
  /** When somebody approved it after it was held. */
  approved_at: string | null;
  /** The files that its messages carry. */
  attachments: CarriedFile[];
  /** With `failed`: the reason. */
  problem: string | null;
  /** What is probably a mistake; empty: nothing. */
  warnings: OccurrenceWarning[];
  /** Who acknowledged it, the first 20; empty: nobody. */
  acknowledgements: Acknowledgement[];
  /** The triggers that ended the steps of its notifications, at most one of each; empty: none did. */
  resolutions: ThreadResolution[];
  /** The threads whose steps the trigger ended, if there were any; empty: it ends none. */
  ended: EndedThread[];
  /**
   * When its next step is due at the earliest. If it is over or acknowledged by then, the step sends nothing. Null: no step follows, or it waits for
   * another reason.
   */
  next_step_at: string | null;
  /** What became of its steps; null: no notification that applies has steps. */
  steps: StepsOutcome | null;
  /** The number of skipped deliveries of each gate. */
  gates: {
    inactive?: number;
    locked?: number;
    no_address?: number;
    channel_disabled?: number;
    expired?: number;
    canceled?: number;
    opted_out?: number;
    muted?: number;
    suppressed?: number;
    capped?: number;
    digested?: number;
  };
  /** Every notification of the event, as it was when the event was triggered. Empty while the occurrence is `pending`. */
  rules: Rule[];
  /** The data of the trigger. */
  context: Record<string, unknown>;
  /** The options of the trigger, without its attachments. */
  options: Record<string, unknown>;
  /** Whether it is finished: no delivery is pending, and no more are created. */
  done: boolean;
  counts: Counts;
  event: string;
  application: string;
  project: string;
};

export type OccurrenceSteps = {
  /** The first acknowledgement that has not lapsed; null: there is none. */
  acknowledgement: Acknowledgement | null;
  /** The first trigger that ended the steps of a notification; null: none did. */
  resolution: StepsResolution | null;
  /**
   * When its next step is due at the earliest. If it is over or acknowledged by then, the step sends nothing. Null: no step follows, or it waits for
   * another reason.
   */
  next_at: string | null;
  /**
   * Whether it is open: a step asks for an acknowledgement, and nothing has ended the steps. An acknowledgement ends them, too, unless an event with
   * `resolves_event` says when this one is over: then it is open until that.
   */
  open: boolean;
};

export type OccurrenceWarning = {
  /**
   * `unknown_users`: `recipients` or `limit_to` name somebody who is not a user now; `nobody`: the trigger reached nobody;
   * `nothing_ended`: its event ends the steps of another one, and the trigger ended none.
   */
  kind: 'unknown_users' | 'nobody' | 'nothing_ended';
  detail: string;
};

export type Organization = {
  name: string;
  slug: string;
  /** The users list. */
  users: string;
  /** The projects list. */
  projects: string;
  /** The channels list. */
  channels: string;
};

export type OrganizationMember = {
  name: string | null;
  /** What the member may do: `GET /api/roles/` lists the permissions of each role. */
  role: 'viewer' | 'support' | 'editor' | 'administrator';
  /** Slug of the project that the role is for; null: the whole organization. */
  project: string | null;
  invited_at: string;
  /** When the member last signed in; null: never. */
  signed_in_at: string | null;
  /** How many sessions the member has at the moment. */
  sessions: number;
  email: string;
  /** Who added the member, as in the audit log. */
  invited_by: string;
};

export type OrganizationQuotas = {
  /** When `stored_mb` was last measured. What was triggered since then is added to it; null: not measured yet. */
  measured_at: string | null;
  /** Triggers and replays a second, over all keys, in each process of the service. */
  triggers_per_second: (Quota);
  /**
   * Megabytes stored: occurrences with their deliveries and messages, in-app messages, notifications, users, the audit log. An estimate. At the
   * quota, nothing more can be triggered or created; reading, changing and deleting still work.
   */
  stored_mb: (Quota);
  /** Notifications of one event. `used`: of the event with most. */
  notifications_per_event: (Quota);
  /** Kilobytes that the notifications of one event take with their templates. `used`: of the largest event. */
  ruleset_kb: (Quota);
  /** How many days `options.send_at` of a trigger may be ahead. */
  send_at_days: (Quota);
  /** Schedules of its events. */
  schedules: (Quota);
  /** Megabytes of files: uploads, and files that occurrences carry. Files with the same bytes count once. */
  files_mb: (Quota);
  /** Layouts and partials of the organization and its projects. */
  layouts: (Quota);
};

export type OrganizationSettings = {
  /** The clock of users without a time zone of their own; null: UTC. */
  time_zone: string | null;
  /** When messages wait, for users without quiet hours of their own; null: never. */
  quiet_hours: WeeklyRange[] | null;
  /** The language and region that templates format for, for users without a locale of their own and in rooms; null: `en`. */
  locale: string | null;
  /** The most messages for one user, over all events with a category that is not `required`; null: no limit. */
  limit: MessageLimit | null;
  /**
   * The color of the pages that recipients see, of the inbox element, and of layouts (`brand.color`); null: ours. Where it could not be read, pages and the
   * element show it darker or lighter.
   */
  color: string | null;
  /** The line at the end of mails with the layout `default` (`brand.address`); null: none. */
  address: string | null;
  /** The links at the end of mails with the layout `default` (`brand.links`); null: none. */
  links: BrandLink[] | null;
  /** The image in mails with the layout `default` (`brand.logo`), on the pages that recipients see, and in the inbox element; null: none. */
  logo: Logo | null;
  /** Texts that replace those of the pages that recipients see and of the inbox element, by language and name; null: none. */
  page_texts: Record<string, Record<string, string>> | null;
  /** Who is told of channels that fail, of occurrences that are held, and of messages that wait too long; null: nobody. */
  alerts: Alerts | null;
  /** The web pages that may send requests with recipient tokens (CORS). */
  origins: string[];
};

export type Ping = {
  /** Name of the API key. */
  token: string;
};

export type PlacedOccurrence = {
  id: string;
  /**
   * `pending`: it waits for a worker, or for its `send_at`; `expanding`: its recipients are being resolved; `expanded`: all its
   * deliveries exist; `canceled`: somebody canceled it; `failed`: the recipients could not be resolved; `held`: it would reach more
   * users than `max_recipients` of its event, and waits until somebody approves or cancels it.
   */
  status: 'pending' | 'expanding' | 'expanded' | 'canceled' | 'failed' | 'held';
  created_at: string;
  /** The priority that the trigger asked for; null: none. */
  priority: 'critical' | 'normal' | 'bulk' | null;
  /** Nothing is sent before this time. */
  send_at: string | null;
  /** The time on the clock of each user at which the message is sent to them; null: the trigger named none. */
  send_at_local: string | null;
  /** Messages that are not sent by this time are skipped. */
  expires_at: string | null;
  /** When all its recipients had been resolved. */
  expanded_at: string | null;
  /** When somebody canceled it. */
  canceled_at: string | null;
  /** When somebody approved it after it was held. */
  approved_at: string | null;
  /** Only with `steps=1`: what became of its steps; null: no notification that applies has steps. */
  steps?: OccurrenceSteps | null;
  /** Only with `counts=1`: its deliveries by their status, the first 1,000 of them. */
  counts?: (Counts);
  event: string;
  application: string;
  project: string;
};

export type Preference = {
  /**
   * What decided: `suppressed` (the address is not used), `required` (the category), the user's choice about `channel` (the master
   * switch), `event_channel`, `event`, `category_channel` or `category`, the category's `channel_default` or `default`, or
   * `transactional` (the event has no category).
   */
  source: 'suppressed' | 'required' | 'channel' | 'event_channel' | 'event' | 'category_channel' | 'category' | 'channel_default' | 'default' | 'transactional';
  /** When the choice that decided was made; null: no choice decided. */
  chosen_at: string | null;
  /** Who made it: the `person`, a `key` on their behalf, or the user with an unsubscribe `link`. */
  chosen_by: 'person' | 'key' | 'link' | null;
  /** With `suppressed`: why the address is not used. */
  cause: 'hard_bounce' | 'complaint' | 'stop' | 'manual' | null;
  type: string;
  on: boolean;
};

export type Preferences = {
  /** What the user has muted, the newest first. */
  muted_threads: MutedThread[];
  channels: MasterSwitch[];
  /** All categories, ordered by project and slug. */
  categories: CategoryPreference[];
  /** Only events that the user has chosen about. */
  events: EventPreference[];
  /** The open lists of the organization, ordered by project and name. */
  lists: ListPreference[];
};

export type Preview = {
  /** More headers of a mail. */
  headers?: Record<string, string>;
  /** Links that the message offers as buttons, at most two. */
  actions?: TemplateAction[];
  /** A JSON object for the app that shows the message. */
  data?: Record<string, unknown>;
  /** The template of WhatsApp that is sent in place of the text. */
  template?: (ProviderTemplate);
  /** The texts in other languages, as on a template of a notification. */
  translations?: Record<string, Translation>;
  /** A draft that takes the place of the layout. */
  layout_draft?: (PutFragment);
  /** Drafts that take the place of partials, by slug. */
  partial_drafts?: Record<string, PutFragment>;
  /**
   * As on a template of a notification. `room`: one post for everyone, which has no user. `person`: one message for each recipient.
   * Left out: `room` if the channel is a room.
   */
  per?: 'room' | 'person';
  /**
   * The id of an occurrence of the event, instead of `context`: its context, locale, digest and files are used. This also requires the
   * permission `occurrence:read`.
   */
  occurrence?: string;
  /** Files that a trigger would attach: templates see them as `occurrence.attachments`. Not together with `occurrence`, and not in a test message. */
  attachments?: NamedFile[];
  /** A Liquid template, like the other parts. The rendered subject is one line. */
  subject?: string;
  /** Left out: derived from the HTML. */
  text?: string;
  html?: string;
  /** Markdown, instead of `html`. */
  markdown?: string;
  /** A whole mail in MJML, instead of `html`. */
  mjml?: string;
  /** The sender of a mail. */
  from?: string;
  /** Who gets the answers to a mail. */
  reply_to?: string;
  /** Where a click on a message in an inbox, or on a push message, leads. */
  url?: string;
  /** The https URL of a picture. */
  image?: string;
  /** Renders it for this locale, as `options.locale` of a trigger does. Left out: the locale of the user, else of the organization. */
  locale?: string;
  /** The slug of a layout of the project or the organization, or `default`. Left out: none. */
  layout?: string;
  /**
   * The slug of a channel of the project or the organization. Left out: a sample channel,
   * `{ slug: 'sample', name: 'Sample', type: 'inbox' }`.
   */
  channel?: string;
  /**
   * The username of a user. This also requires the permission `user:read`. Left out: a sample user, Sam Sample <sam@example.com>, without
   * custom fields. A post to a room has no user.
   */
  user?: string;
  /** The context, as in a trigger. */
  context?: Record<string, unknown>;
};

export type PreviewAudience = {
  /** A filter over the organization's users; null or left out: all of them. */
  audience?: Record<string, unknown> | null;
  /** Only members of the distribution list with this id. */
  list?: number;
  /** Only users who have each of these words in the e-mail, a name, or an address. */
  search?: string;
  /** Only users with this locale of their own. A language, such as `de`, includes its regions. */
  locale?: string;
};

export type Previewed = {
  /** The sender that the template sets; null: the channel's `from`. */
  from: string | null;
  /** Who gets the answers, if the template sets it; null: the channel's `reply_to`. */
  reply_to: string | null;
  /** The headers that the template sets; null: none. */
  headers: Record<string, string> | null;
  /** Where a click on the message leads; null: the template sets nothing. */
  url: string | null;
  /** The URL of a picture; null: none. */
  image: string | null;
  /** Its buttons; null: none. */
  actions: MessageAction[] | null;
  /** For the app that shows the message; null: none. */
  data: Record<string, unknown> | null;
  /** The template of the provider that is sent in place of the text; null: none. */
  template: RenderedTemplate | null;
  /** What was left out of these or cut, and why. Empty: nothing. */
  left_out: string[];
  /** Fields that the template needs and that have no value; null when the template has too many names to analyse. */
  missing: string[] | null;
  /**
   * Fields without a value that the template can do without: it only tests them, has a `default` for them or uses them inside a
   * condition. Null when the template has too many names to analyse.
   */
  optional: string[] | null;
  /**
   * The headers of the mail that matter to its reader, with those that the channel adds: `From`, `To`, `Reply-To`, `List-Unsubscribe`. Links
   * in them do not work. Null: the channel does not send mails.
   */
  head: Record<string, string> | null;
  /** The size of the HTML. Gmail cuts it after 102 KB. */
  html_bytes: number;
  /** The files of `occurrence`, or those that the body names. */
  attachments: CarriedFile[];
  /** What a mail tool would say about the message. Empty: nothing. */
  checks: MessageCheck[];
  /** Its language, and why; null: the template has no translations. */
  language: UsedLanguage | null;
  subject: string;
  text: string;
  html: string;
};

export type PreviewedAudience = {
  /** The number of users in the audience, among those that were checked. */
  users: number;
  /** The number of users that were checked. */
  checked: number;
  /** The custom fields of the latest 500 users, at most 200. Users with more than 4 KB of them are left out. */
  custom_fields: CustomField[];
  /** Whether all users of the organization were checked. */
  complete: boolean;
  /** The usernames of the first users in the audience, at most 10. */
  sample: string[];
};

/** An error (RFC 9457). */
export type Problem = {
  /** The kind of problem. */
  type: string;
  title: string;
  /** The HTTP status. */
  status: number;
  detail: string;
  /** With 400: the problems of each invalid field. */
  errors?: Record<string, string[]>;
  /** With 400: the same problems for programs. `codes.email[0]` belongs to `errors.email[0]`. Codes may be added. */
  codes?: Record<string, ('already_exists' | 'ambiguous' | 'blank' | 'conflict' | 'duplicate' | 'invalid_condition' | 'invalid_format' | 'invalid_template' | 'invalid_type' | 'not_allowed' | 'not_found' | 'out_of_range' | 'required' | 'too_large' | 'too_long' | 'too_many' | 'too_short' | 'too_small' | 'unknown_field' | 'unknown_value')[]>;
  /** With 500 and above: search the logs for this id. */
  request_id?: string;
};

export type Progress = {
  total: number;
  /** To be sent, now or later. */
  pending: number;
  sent: number;
  /** Not sent, because a gate stopped them. */
  skipped: number;
  /** Given up after their last attempt, or because no retry can help. */
  dead: number;
  status: 'pending' | 'expanding' | 'expanded' | 'canceled' | 'failed' | 'held';
};

export type Project = {
  name: string;
  slug: string;
  /** The applications list. */
  applications: string;
  /** The channels list. */
  channels: string;
  /** The distribution lists. */
  distribution_lists: string;
};

export type ProjectSettings = { name: string; slug: string; enabled: boolean };

export type ProviderTemplate = {
  /**
   * The values of its parameters: `header` and `body`, each as a list by position or as a map by name, and `buttons`, a list by the position of the
   * button, with null for a button without one. Each is a Liquid text.
   */
  parameters?: Record<string, unknown> | null;
  name: string;
  language: string;
};

export type PutDevice = {
  platform: 'ios' | 'android' | 'web' | 'other';
  /** An address for Firebase Cloud Messaging. */
  fcm?: (FcmAddress);
  /** An address for the Apple Push Notification service. */
  apns?: (ApnsAddress);
  /** An address for the push service of Expo. */
  expo?: (ExpoAddress);
  /** The push subscription of a browser. */
  webpush?: (WebpushAddress);
  /** The language and region of the device. */
  locale?: string | null;
  /** The IANA name of the device's time zone. */
  time_zone?: string | null;
  /** What the user calls the device. */
  name?: string;
  app_version?: string;
};

export type PutDraft = {
  /** The fields of a notification. They need not be valid, but each has its place, and `templates` is a list of objects. */
  notification: (EditedNotification);
  /** The notification as it was when the editing began. Left out or null: it did not exist. */
  base?: EditedNotification | null;
  /** The `ETag` of the notification at that time. */
  base_etag?: string | null;
};

export type PutFragment = {
  /**
   * Inserted values are escaped for HTML. The `{{ content }}` of a layout is the HTML of the template. Null: the layout leaves the HTML alone; of a
   * partial, the text is converted to HTML.
   */
  html?: string | null;
  /** The `{{ content }}` of a layout is the text of the template. Null: the layout leaves the text alone; of a partial, the HTML is converted to text. */
  text?: string | null;
  /** The HTML of a layout as MJML, instead of `html`. It is converted when it is written. Partials have none. */
  mjml?: string | null;
};

export type PutMembership = {
  /** One of the addresses of the user. */
  address?: (CreateAddress);
  /** Slug of a channel of the project or the organization; null: every channel of the notification. */
  channel?: string | null;
  /** Whether the user receives messages of the list. */
  active?: boolean;
  /** Slug of the project. */
  project: string;
  /** Name of the list, in upper or lower case. */
  distribution_list: string;
};

export type PutMessages = {
  /**
   * By language tag, then by key: at most 50 languages with 2,000 messages of 2,000 characters each, and 1 MB in all. Keys may be nested:
   * `{ "order": { "paid": "Bezahlt" } }` has the key `order.paid`. `{name}` in a text stands for an argument of the filter.
   */
  messages: Record<string, Record<string, unknown>>;
};

export type PutOrganizationMember = {
  /** To show, also in the audit log. Null: none. */
  name?: string | null;
  /** A role whose permissions your own key has. Required for a new member. */
  role?: 'viewer' | 'support' | 'editor' | 'administrator';
  /** Slug of the project that the role is for; null: the whole organization. Default for a new member: the reach of your own key. */
  project?: string | null;
};

export type PutSchedule = {
  /**
   * The options of each trigger, without `send_at` and `expires_at`. `recipients` must be usernames. `critical` also needs the permission
   * `event:trigger-critical`.
   */
  options?: (TriggerOptions);
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  cron: string;
  /** The IANA name of the time zone whose clock counts. Left out: UTC. */
  time_zone?: string;
  /** The context of each trigger. */
  context?: Record<string, unknown>;
  /** false: it is paused. Slots that come meanwhile are not run later. */
  enabled?: boolean;
};

export type PutStatusWebhook = {
  /** The outcomes to report. Left out: `sent`, `failed` and `dead`, which need no report of the provider. */
  outcomes?: ('sent' | 'failed' | 'dead' | 'soft_bounced' | 'delivered' | 'seen' | 'bounced' | 'complained' | 'acknowledged')[];
  url: string;
  /**
   * The secret that signs each request: whsec_ and base64 of at least 24 bytes. Send the mask to keep the stored secret, unless the origin of
   * `url` changes.
   */
  secret: string;
  enabled?: boolean;
};

export type PutUserProfile = {
  /** Unique in the organization, ignoring case. It becomes the username, and an address named `email`. */
  email?: string;
  locked?: boolean;
  /** The IANA name of a time zone; null: that of the organization. */
  time_zone?: string | null;
  /**
   * When messages to the user wait; null: the quiet hours of the organization. An empty list: none. At least one hour of the week must
   * be free.
   */
  quiet_hours?: CreateWeeklyRange[] | null;
  /** A BCP 47 language tag; null: that of the organization. */
  locale?: string | null;
  /** Addresses besides the e-mail, which every user has. */
  addresses?: CreateAddress[];
  first_name?: string;
  last_name?: string;
  /** Free-form JSON. */
  custom_fields?: Record<string, unknown>;
  /** All lists that the user is on afterwards. Needs `distributionlist:write`, too. */
  memberships?: PutMembership[];
  /** Everything that the user has chosen afterwards. Needs `preference:write`, too. */
  preferences?: (UpdatePreferences);
};

export type Quota = {
  /** The most that the organization may use. */
  limit: number;
  /** How much it uses; null: not counted. */
  used: number | null;
  /** Whether it is the default of the service. */
  is_default: boolean;
};

export type Recipient = {
  /** Unique in the organization, ignoring case. It becomes the username, and an address named `email`. */
  email: string;
  /** The IANA name of a time zone; null: that of the organization. */
  time_zone?: string | null;
  /** A BCP 47 language tag; null: that of the organization. */
  locale?: string | null;
  first_name?: string;
  last_name?: string;
  /** Free-form JSON. */
  custom_fields?: Record<string, unknown>;
  /** Addresses that are added, besides the e-mail. */
  addresses?: CreateAddress[];
};

export type RecipientToken = {
  expires_at: string;
  scopes: ('inbox' | 'preferences' | 'devices')[];
  /** A JSON Web Token. Send it as `Authorization: Bearer <token>`. */
  token: string;
};

export type RenderedTemplate = {
  /** The values of its parameters, by part; null: it has none. */
  parameters: Record<string, unknown> | null;
  name: string;
  language: string;
};

export type Repeat = {
  /** How often at most, besides the first time. The next step follows after the last time. */
  times: number;
  /** So long after the message before: `90s`, `10m`, `2h` or `1d`, at least a minute. */
  every: string;
};

export type Replay = {
  /** Only for these users, by e-mail or username. Rooms get no post then, and no thread is resolved again. */
  limit_to?: string[];
  /** Only these notifications, by their names of today. */
  notifications?: string[];
};

export type Replayed = {
  /** The identifier of the new occurrence. */
  occurrence: string;
};

export type ReportSetup = {
  /** The value of the setting `report_service`; null: the type has one provider. */
  service: string | null;
  /** What to set up at the provider. The URL is `/reports/{org}/{channel}`, or `/reports/{org}/{prj}/{channel}` for a channel of a project. */
  steps: string;
};

export type Retry = {
  /** The id of the only delivery to retry. */
  delivery?: number;
};

export type Retrying = {
  /** The number of deliveries. */
  retrying: number;
};

export type RevisedNotification = {
  /** The id of the notification. */
  notification: number;
  change: 'created' | 'updated' | 'deleted';
  /** The notification since then; null: it was deleted. */
  rule: RevisedRule | null;
  name: string;
};

export type RevisedRule = {
  /** A JMESPath expression over the context; null: it always matches. */
  when: string | null;
  /** A filter over the organization's users, in addition to the lists; null: none. */
  audience: Record<string, unknown> | null;
  /**
   * Whom it means instead of lists and an audience. `recipients`: only the users in `options.recipients` of the trigger. `told`: those who had a message about what the trigger
   * resolves. `context`: the users that the context names. Null: its lists and audience.
   */
  to: 'recipients' | 'told' | {
    /** A JMESPath expression over the context. Its value is a username, or a list of at most 1,000 usernames. */
    context: string;
  } | null;
  /** When its messages may be sent, by the recipient's clock; null: always. Posts to rooms do not wait. */
  window: WeeklyRange | null;
  /** How its messages to a user are gathered into one; null: each is sent. Posts to rooms are not gathered. */
  digest: Digest | null;
  /** The most messages of it for a user; null: no limit. Posts to rooms are not counted. */
  limit: NotificationLimit | null;
  /** Its channels by step; null: all at once. */
  steps: Step[] | null;
  /** Whose acknowledgement ends its steps for a user, and when it lapses; null: anyone's, and never. */
  acknowledge: Acknowledge | null;
  /**
   * A field of the context, such as `order.id`, that says what a message is about. On a phone and in a browser, the newest message about one thing takes
   * the place of the one before, and messages with the same value are shown together. A message without the field replaces none. Null: none does.
   */
  thread: string | null;
  name: string;
  enabled: boolean;
  /** Names of distribution lists of the project. */
  distribution_lists: string[];
  templates: RevisedTemplate[];
};

export type RevisedTemplate = {
  subject: string | null;
  text: string | null;
  /** Inserted values are escaped for HTML. */
  html: string | null;
  /** Markdown, converted to HTML. Use it instead of `html`. */
  markdown: string | null;
  /** A whole mail in MJML, converted to HTML when it is written. Use it instead of `html`, and without a layout. */
  mjml: string | null;
  /**
   * Who sends the message: one mailbox, of the domain of the channel's own `from` or of one of its `from_domains`. Only for e-mail. A message
   * whose rendered sender is of another domain is not sent. Null, or rendered as nothing: the channel's `from`.
   */
  from: string | null;
  /** Who gets the answers: one mailbox of any domain. Only for e-mail. Null, or rendered as nothing: the channel's `reply_to`. */
  reply_to: string | null;
  /**
   * More headers of a mail, at most 20: names and Liquid templates. Headers that the service or mail servers write are refused. A header that is
   * rendered as nothing is left out.
   */
  headers: Record<string, string> | null;
  /**
   * Where a click on the message leads: an http or https URL, or a path on the site that shows it. For inboxes and push
   * messages, as the next three. A rendered URL that is neither is left out, and the delivery says so.
   */
  url: string | null;
  /** The https URL of a picture. */
  image: string | null;
  /** Links that the message offers as buttons, at most two. A label is cut after 80 characters. One without a label or a URL is left out. */
  actions: TemplateAction[] | null;
  /**
   * A JSON object for the app that shows the message, of at most 4,096 bytes, both as it is written and as it is rendered. Its texts are Liquid
   * templates. Keys have letters, digits, `_` and `-`. Push channels take less, and have names that they keep to
   * themselves (`limits` of their type).
   */
  data: Record<string, unknown> | null;
  /**
   * The template of WhatsApp that is sent in place of the text: outside 24 hours after a person's last message, WhatsApp takes nothing else. Without
   * a text, the values of its parameters take the place of the text, for lists of messages and for a fallback without a template of its own.
   */
  template: ProviderTemplate | null;
  /**
   * The texts in other languages, by language tag, at most 50. A user gets the language of their locale (`pt-BR`, then `pt`), else that of the
   * organization's locale, else the texts above. Null: none.
   */
  translations: Record<string, Translation> | null;
  /** The layout around text and HTML: the slug of a layout of the project or the organization, or `default`, which always exists. Null: none. */
  layout: string | null;
  /**
   * `room`: one post for everyone. The channel must be one room or one URL, and the template cannot use `user`.
   * `person`: one message for each recipient. Default: `room` if the channel is a room.
   */
  per: 'room' | 'person';
  /** The slug of the channel; null when the channel was deleted. */
  channel: string | null;
};

export type Revision = {
  id: number;
  created_at: string;
  /** When another revision replaced it; null: it is in force. */
  superseded_at: string | null;
  /**
   * Who made it: the name of a key, a command or a database user. Null without the permission `audit:read` of the organization, and if the
   * audit log does not know.
   */
  actor: string | null;
  /** The notifications that differ from the revision before it in this list. */
  changes: RevisedNotification[];
};

export type Role = {
  /** Each role has all permissions of the one before it. */
  name: 'viewer' | 'support' | 'editor' | 'administrator';
  permissions: ('system:ping' | 'organization:read' | 'organization:write' | 'configuration:read' | 'configuration:write' | 'channel:write' | 'user:read' | 'user:write' | 'user:export' | 'preference:read' | 'preference:write' | 'device:read' | 'device:write' | 'event:list' | 'event:trigger' | 'event:trigger-critical' | 'event:write' | 'notification:read' | 'notification:write' | 'occurrence:read' | 'occurrence:write' | 'distributionlist:read' | 'distributionlist:write' | 'apikey:read' | 'apikey:write' | 'member:read' | 'member:write' | 'token:create' | 'audit:read' | 'suppression:read' | 'suppression:write' | 'upload:write')[];
};

export type Rule = {
  /**
   * `matched`: it applies; `filtered`: its condition is false; `disabled`: it was switched off; `failed`: its condition could not be
   * evaluated.
   */
  verdict: 'matched' | 'filtered' | 'disabled' | 'failed';
  /** With `failed`: the reason. */
  reason: string | null;
  channels: RuleChannel[];
  /** The name of the notification when the event was triggered. */
  notification: string;
};

export type RuleChannel = {
  /** The slug of the channel; null: it was deleted. */
  channel: string | null;
  /**
   * `open`: messages are sent over it, or wait while it is switched off; `later`: the same in a later step; `disabled`: it was switched off, and an earlier release did not
   * send over it; `not_chosen`: the trigger chose other channels, or a replay other notifications; `limited`: the trigger was limited to some users, and the channel posts to a room; `gone`: it was deleted; `fallback`: it was used because another channel gave up.
   */
  verdict: 'open' | 'later' | 'disabled' | 'not_chosen' | 'limited' | 'gone' | 'fallback';
  counts: Counts;
};

export type Schedule = {
  options: (TriggerOptions);
  /** The next five slots; none while it is paused. */
  next_runs: string[];
  /** The last 100 slots, newest first. */
  last_runs: ScheduleRun[];
  cron: string;
  time_zone: string;
  /** The context of each trigger. */
  context: Record<string, unknown>;
  /** While false, it is paused. */
  enabled: boolean;
};

export type ScheduleRun = {
  slot: string;
  /** The occurrence that it stored; null: it was skipped. */
  occurrence: string | null;
  /** Why it was skipped. */
  skipped: string | null;
};

export type SendingOccurrence = {
  occurrence: string;
  /** `pending` and `expanding`: its recipients are not all found yet, and more messages follow. */
  status: 'pending' | 'expanding' | 'expanded' | 'canceled' | 'failed' | 'held';
  created_at: string;
  /** Its messages that were sent, among the first 10,000. */
  sent: number;
  /** Its messages that are still to be sent. It stops at 10,000. */
  waiting: number;
  project: string;
  application: string;
  event: string;
};

export type Session = {
  id: number;
  /** How they signed in: with an API key, with a one-time link, or at an OpenID provider. */
  via: 'key' | 'link' | 'oidc';
  /** The e-mail of the member, or who signed in at the OpenID provider; null for the others. */
  person: string | null;
  /** Slug of the organization; null: all organizations. */
  organization: string | null;
  /** Slug of the project that the session is bound to; null: none. */
  project: string | null;
  /** Slug of the application that the session is bound to; null: none. */
  application: string | null;
  permissions: ('system:ping' | 'organization:read' | 'organization:write' | 'configuration:read' | 'configuration:write' | 'channel:write' | 'user:read' | 'user:write' | 'user:export' | 'preference:read' | 'preference:write' | 'device:read' | 'device:write' | 'event:list' | 'event:trigger' | 'event:trigger-critical' | 'event:write' | 'notification:read' | 'notification:write' | 'occurrence:read' | 'occurrence:write' | 'distributionlist:read' | 'distributionlist:write' | 'apikey:read' | 'apikey:write' | 'member:read' | 'member:write' | 'token:create' | 'audit:read' | 'suppression:read' | 'suppression:write' | 'upload:write')[];
  created_at: string;
  /** When it was last used, to the minute. Twelve hours later it ends. Null: an API key that was never used. */
  last_used_at: string | null;
  /** When it ends at the latest. Null: an API key that does not expire. */
  expires_at: string | null;
  /** Name of the operator or of the API key, as in the audit log. */
  name: string;
};

export type SessionLink = {
  /** Minutes that a link in a mail works. */
  minutes: number;
  /** Whether it can: an operator has set `SYSTEM_MAIL_URL`. */
  mailed: boolean;
};

export type SessionProvider = {
  name: string;
  /** Lead the browser there. */
  url: string;
};

export type SigningSecret = {
  id: number;
  /** Who signs with it: the `organization`, which got it once, or the `service`, for the tokens that it creates. */
  held_by: 'organization' | 'service';
  created_at: string;
  /** When it was revoked; null: never. */
  revoked_at: string | null;
  /** Its name in the header of tokens. */
  kid: string;
  name: string;
};

export type Simulate = {
  /** The time of the simulated trigger; left out: now. It decides what has expired, and templates see it as the occurrence's time. */
  at?: string;
  /** The draft of a notification, in place of the published one or in addition. It also needs the permission `notification:write`. */
  notification?: (DraftNotification);
  /** Data used by the notification templates. */
  context?: Record<string, unknown>;
  options?: TriggerOptions;
};

export type SimulatedChannel = {
  /** The slug of the channel; null when it was deleted. */
  channel: string | null;
  /** `room`: one post for everyone; `person`: one message for each recipient. */
  per: 'room' | 'person';
  /** `later`: for a later step of the notification. `limited`: the options limit the trigger to some users, and the channel posts to a room. */
  verdict: 'open' | 'later' | 'disabled' | 'not_chosen' | 'limited' | 'gone';
  /** The number of recipients of the notification; 0 for a room. */
  people: number;
  /** How many messages each gate keeps back. */
  gates: Record<string, number>;
  /** How many messages would be sent: one for each recipient whom no gate keeps back, or one post to the room. In a later step: at most. */
  send: number;
};

export type SimulatedEnd = {
  /** The slug of the event; null: all of the application, with `resolves_thread`. */
  event: string | null;
  /** The field of the context; null: whatever it is, with `resolves_thread`. */
  field: string | null;
  /** How many occurrences have open steps about it, of the newest 1,000 of each event. */
  occurrences: number;
  /** What the steps are about. */
  value: string;
};

export type SimulatedMessage = {
  /** The sender that the template sets; null: the channel's `from`. */
  from: string | null;
  /** Who gets the answers, if the template sets it; null: the channel's `reply_to`. */
  reply_to: string | null;
  /** The headers that the template sets; null: none. */
  headers: Record<string, string> | null;
  /** Where a click on the message leads; null: the template sets nothing. */
  url: string | null;
  /** The URL of a picture; null: none. */
  image: string | null;
  /** Its buttons; null: none. */
  actions: MessageAction[] | null;
  /** For the app that shows the message; null: none. */
  data: Record<string, unknown> | null;
  /** The template of the provider that is sent in place of the text; null: none. */
  template: RenderedTemplate | null;
  /** What was left out of these or cut, and why. Empty: nothing. */
  left_out: string[];
  /** The username; null for a post to a room. */
  user: string | null;
  /** Its language, and why; null: the template has no translations. */
  language: UsedLanguage | null;
  /** Why the message could not be sent; null when it could. */
  problem: string | null;
  /**
   * Why it would not be sent at once: `quiet`: the user has quiet hours; `window`: the send window of the notification; `digest`: it would be gathered.
   * Limits are not counted in a simulation.
   */
  waits_for: 'quiet' | 'window' | 'digest' | 'send_at' | null;
  /** When it would be sent, alone or with its digest, unless that is full before, or in a later step if it comes to that; null: at once. */
  until: string | null;
  /**
   * With `digest`: the user wants the messages of the category so often, so it would go into the `daily` or the `weekly` digest; null: it would go into
   * a digest of the notification.
   */
  frequency: 'daily' | 'weekly' | null;
  notification: string;
  channel: string;
  /** The address of the recipient; empty when the channel needs none. */
  recipient: string;
  subject: string;
  text: string;
  html: string;
};

export type SimulatedRule = {
  verdict: 'matched' | 'filtered' | 'disabled' | 'failed';
  /** With `failed`: why. */
  reason: string | null;
  channels: SimulatedChannel[];
  /** The name of the notification. */
  notification: string;
};

export type SimulatedStep = {
  /** Its place among the steps of the notification. Steps whose channels the options leave out are left out. */
  step: number;
  /** Which repetition of the step it is; 0: it is the first time. */
  repeat: number;
  /** When it would be taken, if the messages of the steps before are sent at once. */
  at: string;
  /** So long after the step before; null: it is the first. */
  after: string | null;
  /** The evidence that ends the steps for a user; null: none. */
  unless: 'sent' | 'delivered' | 'seen' | 'read' | 'acknowledged' | null;
  sentence: string;
  notification: string;
  channels: string[];
};

export type SimulatedTotals = {
  /** The number of recipients. A user counts once, even with several notifications or channels. A room is nobody. */
  people: number;
  /** How many messages would be sent, without later steps. Only the first ones are rendered: others may still have a problem. */
  messages: number;
  /** How many messages each gate keeps back. */
  gates: Record<string, number>;
};

export type SimulateWarning = {
  /** The notification that the warning is about; null: all of them. */
  notification: string | null;
  /** The channel that the warning is about; null: all of them. */
  channel: string | null;
  kind: 'switched_off' | 'held' | 'no_rules' | 'nothing_matches' | 'rule_failed' | 'no_channel' | 'channel_gone' | 'channel_disabled' | 'channel_problem' | 'unknown_people' | 'expired' | 'nothing_to_resolve' | 'empty_audience' | 'unreached_step' | 'step_waits' | 'template_failed' | 'missing_variables' | 'empty_link' | 'not_checked';
  detail: string;
};

export type Simulation = {
  rules: SimulatedRule[];
  /** The steps of the notifications that have some, in the order of time. */
  time_line: SimulatedStep[];
  /** The threads whose steps the trigger would end: those of `resolves_event` of the event, and of `resolves_thread`. */
  ends: SimulatedEnd[];
  /** The first 20 messages; none without the permission `user:read`. */
  messages: SimulatedMessage[];
  warnings: SimulateWarning[];
  totals: SimulatedTotals;
};

export type StatusWebhook = {
  /**
   * The outcomes that are reported. `failed` is an attempt that will be retried. `soft_bounced`, `delivered`, `seen`, `bounced` and `complained` are what
   * the provider reports later. `acknowledged`: a user acknowledged an occurrence.
   */
  outcomes: ('sent' | 'failed' | 'dead' | 'soft_bounced' | 'delivered' | 'seen' | 'bounced' | 'complained' | 'acknowledged')[];
  url: string;
  /** The secret that signs each request; always masked. */
  secret: string;
  enabled: boolean;
};

export type Step = {
  /** Slugs of channels that the notification has templates for. A channel belongs to one step. */
  channels: string[];
  /**
   * The evidence that ends the steps for a user, about any message of the steps before. `sent`: a channel accepted it. `delivered`: the provider
   * reported that it arrived, or it is in the inbox. `seen`: the provider reported that it was opened, or it was shown in the inbox; openings by
   * machines do not count. `read`: it was read in the inbox. `acknowledged`: a user acknowledged the occurrence. Each includes those after it. Left out: the step is
   * taken in any case. The first step has it only with `repeat`, whose repetitions it ends.
   */
  unless?: 'sent' | 'delivered' | 'seen' | 'read' | 'acknowledged';
  /** How it is taken again, until its evidence is there; left out: it is taken once. */
  repeat?: (Repeat);
  /**
   * Whom it means, instead of the users of the step before. `after` counts from the first message of that step, whoever got it, and `unless` asks for
   * the occurrence as a whole: one message with this evidence ends it. Left out: the users of the step before.
   */
  to?: (StepTo);
  /** When its messages may be sent, by the recipient's clock, in place of the window of the notification; left out: in that window. */
  window?: (WeeklyRange);
  /**
   * So long after the first message of the step before was sent to the user, or, if none was, after it was decided that none is: `90s`, `10m`, `2h`
   * or `1d`. The first step has none, every other one has it.
   */
  after?: string;
};

export type StepsOutcome = {
  /** The first acknowledgement that has not lapsed; null: there is none. */
  acknowledgement: Acknowledgement | null;
  /** The first trigger that ended the steps of a notification; null: none did. */
  resolution: StepsResolution | null;
  /**
   * When its next step is due at the earliest. If it is over or acknowledged by then, the step sends nothing. Null: no step follows, or it waits for
   * another reason.
   */
  next_at: string | null;
  /** What is not sent any more because of the resolution, or of the acknowledgement if it counts for everyone; empty: nothing. */
  stopped: StoppedStep[];
  /**
   * Whether it is open: a step asks for an acknowledgement, and nothing has ended the steps. An acknowledgement ends them, too, unless an event with
   * `resolves_event` says when this one is over: then it is open until that.
   */
  open: boolean;
};

export type StepsResolution = {
  /** The slug of its event, in the same application; null: its occurrence was deleted. */
  event: string | null;
  /** The occurrence of the trigger. */
  occurrence: string;
  at: string;
};

export type StepTo = {
  /** Names of distribution lists of the project. */
  distribution_lists: string[];
  /** A filter over the users of the organization, besides the lists; left out: there is none. */
  audience?: Record<string, unknown>;
};

export type StoppedStep = {
  /** Its place among the steps, from 1. */
  step: number;
  /** `0`: the step was not taken. Otherwise it was, and up to so many repetitions are left out. */
  repeats: number;
  /** The name of the notification. */
  notification: string;
  /** The slugs of its channels. */
  channels: string[];
};

export type Summary = {
  /** Occurrences that wait until somebody approves or cancels them. It stops at 1000. */
  held_occurrences: number;
  /** Deliveries that were given up, of events triggered in the last 24 hours. It stops at 1000. */
  dead_deliveries: number;
  /** Channels whose provider fails, so that their messages wait. */
  resting_channels: number;
  /** Projects, applications, events, notifications and channels that are switched off: the first 100. */
  switched_off: SwitchedOff[];
  /** Triggers whose recipients are not found yet. It stops at 1000. */
  waiting_triggers: number;
  /**
   * Messages that are not sent yet: they are being sent, wait for a rate, for their next attempt, or for the end of quiet hours. Without those
   * that wait for a switch or in a digest. It stops at 1000.
   */
  waiting_messages: number;
  /** The occurrences that are being sent, those with the most messages to come first: five of them. */
  sending: SendingOccurrence[];
  /** What is not sent yet, by the reason why. */
  waiting: WaitingReason[];
  /** Channels that are on, whose provider fails, and for which messages wait, or that rest: the first five. */
  failing_channels: FailingChannel[];
  /** How many seconds ago the oldest job that waits for a worker was due; null: no job waits. */
  oldest_job_seconds: number | null;
  /** The last 60 minutes, oldest first. The last one is not over yet. */
  triggers_per_minute: Minute[];
};

export type Suppression = {
  id: number;
  /** Slug of the project whose messages it stops; null: those of the whole organization. */
  project: string | null;
  /**
   * `hard_bounce`: the address does not exist. `stop`: the recipient answered STOP. `complaint`: the recipient reported a message as spam;
   * messages of a `required` category still go to the address. `manual`: somebody added it.
   */
  cause: 'hard_bounce' | 'complaint' | 'stop' | 'manual';
  /** Why: a `note`, or the `delivery`, its `occurrence`, the provider's `answer`, the time of the answer (`at`) and the `channels` that it came over. */
  evidence: Record<string, unknown>;
  created_at: string;
  /** When it ends by itself; null: never. */
  expires_at: string | null;
  /** Kind of address. */
  name: string;
  value: string;
};

export type SwitchedOff = {
  kind: 'project' | 'application' | 'event' | 'notification' | 'channel';
  /** Its slugs from the project down. A notification has its name at the end; a channel of the organization has one slug. */
  path: string;
};

export type Template = {
  subject: string | null;
  text: string | null;
  /** Inserted values are escaped for HTML. */
  html: string | null;
  /** Markdown, converted to HTML. Use it instead of `html`. */
  markdown: string | null;
  /** A whole mail in MJML, converted to HTML when it is written. Use it instead of `html`, and without a layout. */
  mjml: string | null;
  /**
   * Who sends the message: one mailbox, of the domain of the channel's own `from` or of one of its `from_domains`. Only for e-mail. A message
   * whose rendered sender is of another domain is not sent. Null, or rendered as nothing: the channel's `from`.
   */
  from: string | null;
  /** Who gets the answers: one mailbox of any domain. Only for e-mail. Null, or rendered as nothing: the channel's `reply_to`. */
  reply_to: string | null;
  /**
   * More headers of a mail, at most 20: names and Liquid templates. Headers that the service or mail servers write are refused. A header that is
   * rendered as nothing is left out.
   */
  headers: Record<string, string> | null;
  /**
   * Where a click on the message leads: an http or https URL, or a path on the site that shows it. For inboxes and push
   * messages, as the next three. A rendered URL that is neither is left out, and the delivery says so.
   */
  url: string | null;
  /** The https URL of a picture. */
  image: string | null;
  /** Links that the message offers as buttons, at most two. A label is cut after 80 characters. One without a label or a URL is left out. */
  actions: TemplateAction[] | null;
  /**
   * A JSON object for the app that shows the message, of at most 4,096 bytes, both as it is written and as it is rendered. Its texts are Liquid
   * templates. Keys have letters, digits, `_` and `-`. Push channels take less, and have names that they keep to
   * themselves (`limits` of their type).
   */
  data: Record<string, unknown> | null;
  /**
   * The template of WhatsApp that is sent in place of the text: outside 24 hours after a person's last message, WhatsApp takes nothing else. Without
   * a text, the values of its parameters take the place of the text, for lists of messages and for a fallback without a template of its own.
   */
  template: ProviderTemplate | null;
  /**
   * The texts in other languages, by language tag, at most 50. A user gets the language of their locale (`pt-BR`, then `pt`), else that of the
   * organization's locale, else the texts above. Null: none.
   */
  translations: Record<string, Translation> | null;
  /** The layout around text and HTML: the slug of a layout of the project or the organization, or `default`, which always exists. Null: none. */
  layout: string | null;
  /**
   * `room`: one post for everyone. The channel must be one room or one URL, and the template cannot use `user`.
   * `person`: one message for each recipient. Default: `room` if the channel is a room.
   */
  per: 'room' | 'person';
  /** Slug of a channel of the project or the organization. */
  channel: string;
};

export type TemplateAction = {
  label: string;
  /** An http or https URL, or a path on the site that shows the message. */
  url: string;
};

export type TemplateCheck = {
  /** `wrong`: the provider would refuse the message. `unknown`: the provider could not say, or was not asked. */
  state: 'ok' | 'wrong' | 'unknown';
  /** Null: the state is `ok`. */
  problem: string | null;
  /** The event of the notification: project, application and event. */
  event: string;
  notification: string;
  template: string;
  language: string;
};

export type TestChannel = {
  /** The address to send to, of the kind that the channel uses. Leave it out if the channel needs no address. */
  to?: string;
  subject?: string;
  text?: string;
};

export type TestedChannel = {
  /** `sent`: the provider accepted the message. `rejected`: the provider will never accept it. `retry`: a later attempt may succeed. */
  outcome: 'sent' | 'rejected' | 'retry';
  duration_ms: number;
  /** The response of the provider. */
  answer: string;
};

export type ThreadResolution = {
  /** The occurrence of the trigger. Its event may have a shorter retention. */
  occurrence: string;
  at: string;
  /** The name of the notification; empty while the occurrence is `pending`. */
  notification: string;
};

export type Translation = {
  subject?: string | null;
  text?: string | null;
  /** Replaces the `html` or the `markdown` of the template. */
  html?: string | null;
  /** Replaces the `html` or the `markdown` of the template. */
  markdown?: string | null;
  /** Replaces the `html` or the `mjml` of the template. */
  mjml?: string | null;
  /**
   * Only written, never read: that the translation fits the template as it is now, although only the template has changed. A plan that calls a
   * translation outdated says which text to write here.
   */
  of?: string | null;
};

export type TranslationGap = {
  part: 'subject' | 'text' | 'html' | 'markdown' | 'mjml';
  /** `missing`: the text of the next language in line is sent. `outdated`: it is sent as it is. */
  state: 'missing' | 'outdated';
  /** What to write into `of` of the language if an outdated text still fits; null: it is missing. */
  of: string | null;
  /** The channel of the template. */
  channel: string;
  language: string;
};

export type Trigger = {
  /** Data used by the notification templates. */
  context?: Record<string, unknown>;
  options?: TriggerOptions;
};

export type Triggered = {
  /** The identifier of the new occurrence. */
  occurrence: string;
};

export type TriggerOptions = {
  /** Send only over these channels: slugs of channels of the project or the organization, or channel types such as `email`. */
  channels?: string[];
  /**
   * The users whom notifications with `to: recipients` reach: usernames, or objects that create or change a user in the same transaction. An
   * event with such a notification needs them; other events refuse them. They do not stop posts to rooms, nor notifications with lists or an
   * audience. Objects also need the permission `user:write`, and a key that is not bound to a project.
   */
  recipients?: (string | Recipient)[];
  /** Send only to these users, by e-mail or username. Rooms get no post then, unless `rooms` is true. */
  limit_to?: string[];
  /** Post to rooms, too, although `limit_to` limits the users. */
  rooms?: true;
  /**
   * Send nothing before this time. It may be at most a minute ago, and as far ahead as the quota `send_at_days` allows. With an `Idempotency-Key`
   * it may be up to 24 hours ago: a request that was not stored can be sent again, and its messages are sent at once. With `local`, each user gets the
   * message at that time on their own clock; where that time has passed already, at once.
   */
  send_at?: string | LocalTime;
  /** Messages that are not sent by this time are skipped. It must be in the future. */
  expires_at?: string;
  /** `critical` also needs the permission `event:trigger-critical`. */
  priority?: 'critical' | 'normal' | 'bulk';
  /** The language and region that templates format for, instead of the locale of each user and of the organization: a BCP 47 language tag. */
  locale?: string;
  /**
   * Files for all messages. Mails carry them; other channels get links to them (`occurrence.attachments` in templates). Each is stored once, however many
   * users get it. If they are too large for a channel of the event, the error names the channel and its limit.
   */
  attachments?: Attachment[];
  /** Ends the open steps of all notifications of the application whose `thread` has this value, of occurrences that were triggered before. */
  resolves_thread?: string;
};

export type UpdateAddress = {
  /** New address of the same kind. */
  value?: string;
};

export type UpdateAlerts = {
  /**
   * The usernames of the users who are told, over the first of their addresses whose channel works: an e-mail, if they have one. Names without a user are
   * skipped.
   */
  users?: string[];
  /** Channels that need no address, such as a room of a chat: the slug of one of the organization, or project and slug. */
  channels?: string[];
  /** They are told of a backlog when a message that is due has waited for so many minutes; null: never. */
  waiting_minutes?: number | null;
  /** The most alerts in an hour. The others wait, and are not sent if they are over by then. */
  per_hour?: number;
};

export type UpdateApplication = {
  name?: string;
  /** While false, no messages of its events are sent: they wait until it is true again. */
  enabled?: boolean;
};

export type UpdateCategory = {
  name?: string;
  /**
   * What counts for users who have not chosen. `required`: everyone gets it, and nobody can refuse it. A change keeps what users have
   * chosen.
   */
  default?: 'on' | 'off' | 'required';
  /**
   * All channel types whose default differs: types that are left out have the default of the category. `GET /api/dispatchers/` lists the
   * types. A `required` category has none.
   */
  channels?: Record<string, 'on' | 'off'>;
  /**
   * How often users may get its messages in one, instead of at once: `daily`, `weekly` or both. Empty: its messages cannot wait. A `required` category
   * is always sent at once.
   */
  frequencies?: ('daily' | 'weekly')[];
  /** When messages are sent that users get once a day or a week, by the clock of the user. Those of a week come on Monday. */
  digest_at?: string;
  /** Shown to users who choose. */
  description?: string;
};

export type UpdateChannel = {
  name?: string;
  /**
   * All settings of the channel: a change removes settings that it leaves out. `GET /api/dispatchers/` lists the settings of each type. Secrets
   * are masked in responses; a mask that is sent back keeps the secret.
   */
  config?: Record<string, unknown>;
  /** Slug of another channel of the same project or of the organization. It sends a message after this channel gave up; null: none. */
  fallback?: string | null;
  /** While false, only test messages are sent over it; all other messages wait until it is true again. */
  enabled?: boolean;
};

export type UpdateDistributionList = {
  /** Unique in the project; upper and lower case count as the same. Spaces at both ends are removed. */
  name?: string;
  /** Whether users join and leave the list themselves: on the preference page, and with a recipient token. An organization may have 200 open lists. */
  open?: boolean;
  /** Shown to users who may join. */
  description?: string;
};

export type UpdatedUser = {
  id: number;
  email: string;
  /** Identifier in URLs: the e-mail address. */
  username: string;
  first_name: string;
  last_name: string;
  /** A locked user receives no messages. */
  locked: boolean;
  /** Free-form JSON. */
  custom_fields: Record<string, unknown>;
};

export type UpdateEvent = {
  name?: string;
  /** Days to keep its occurrences; null: the default of the service. */
  retention_days?: number | null;
  /** An occurrence that would reach more users is held until someone approves it; null: no ceiling. */
  max_recipients?: number | null;
  /** Slug of a category of the project, which users can choose or refuse; null: its messages are always sent. */
  category?: string | null;
  /**
   * Slug of an event of the application: a trigger ends the open steps of its notifications whose `thread` has the same value in the context of this
   * trigger. null: it ends none.
   */
  resolves_event?: string | null;
  /** While false, its occurrences wait: they resume when it is true again. */
  enabled?: boolean;
};

export type UpdateLogo = {
  /** A PNG, JPEG or WebP image in base64: at most 256 KB, and 2,000 pixels wide and high. */
  content: string;
};

export type UpdateMember = {
  /** Slug of a channel of the project or the organization; null: every channel of the notification. */
  channel?: string | null;
  /** Whether the member receives messages. */
  active?: boolean;
};

export type UpdateNotification = {
  /** Unique in the event. */
  name?: string;
  /** A JMESPath expression over the context; null: it always matches. */
  when?: string | null;
  /** A filter over the organization's users, in addition to the lists; null: none. */
  audience?: Record<string, unknown> | null;
  /**
   * Whom it means instead of lists and an audience, which must be empty then. `recipients`: only the users in `options.recipients` of the
   * trigger; a trigger without them is refused. `told`: those who had a message with steps about the thread that the trigger resolves with `resolves_event` or `resolves_thread`. `context`: the users that the context names. Null: its lists and audience.
   */
  to?: 'recipients' | 'told' | {
    /** A JMESPath expression over the context. Its value is a username, or a list of at most 1,000 usernames. */
    context: string;
  } | null;
  /** When its messages may be sent, by the recipient's clock; null: always. Posts to rooms do not wait. */
  window?: CreateWeeklyRange | null;
  /** How its messages to a user are gathered into one; null: each is sent. Posts to rooms are not gathered. */
  digest?: CreateDigest | null;
  /** The most messages of it for a user; null: no limit. Posts to rooms are not counted. */
  limit?: CreateNotificationLimit | null;
  /**
   * Its channels by step: each later step follows when nothing came of the steps before. Every channel with a template belongs to one step. Null: all
   * at once. Posts to rooms belong into the first step.
   */
  steps?: CreateStep[] | null;
  /** Whose acknowledgement ends its steps for a user, and when it lapses; null: anyone's, and never. It needs steps. */
  acknowledge?: CreateAcknowledge | null;
  /**
   * A field of the context, such as `order.id`, that says what a message is about. On a phone and in a browser, the newest message about one thing takes
   * the place of the one before, and messages with the same value are shown together. A message without the field replaces none. Null: none does.
   */
  thread?: string | null;
  /** One for each channel. They replace the current ones. */
  templates?: CreateTemplate[];
  enabled?: boolean;
  /**
   * Names of distribution lists of the project. They replace the current ones.
   * One is needed, unless there is an audience or `to`, or all templates are posts to rooms.
   */
  distribution_lists?: string[];
};

export type UpdateOrganization = { name?: string };

export type UpdateOrganizationQuotas = {
  triggers_per_second?: number | null;
  stored_mb?: number | null;
  notifications_per_event?: number | null;
  ruleset_kb?: number | null;
  send_at_days?: number | null;
  schedules?: number | null;
  files_mb?: number | null;
  layouts?: number | null;
};

export type UpdateOrganizationSettings = {
  /** The IANA name of a time zone; null: UTC. */
  time_zone?: string | null;
  /** When messages wait, for users without quiet hours of their own; null: never. At least one hour of the week must be free. */
  quiet_hours?: CreateWeeklyRange[] | null;
  /** A BCP 47 language tag, for users without a locale of their own and in rooms; null: `en`. */
  locale?: string | null;
  /** The most messages for one user, over all events with a category that is not `required`; null: no limit. */
  limit?: MessageLimit | null;
  /** The color of the pages that recipients see, of the inbox element, and of layouts; null: ours. */
  color?: string | null;
  /** The line at the end of mails with the layout `default`; null: none. */
  address?: string | null;
  /** The links at the end of mails with the layout `default`: `https:` or `mailto:`; null: none. */
  links?: BrandLink[] | null;
  /**
   * The image in mails with the layout `default`, on the pages that recipients see, and in the inbox element. Mails that were sent keep theirs: the service serves the last
   * ten. null: none, and the service serves no earlier one either.
   */
  logo?: UpdateLogo | null;
  /**
   * Texts that replace those of the pages that recipients see and of the inbox element, by language and name. They are plain texts of at most 500 characters; `{category}` and
   * others stand for the same values as in our texts. null: none.
   */
  page_texts?: Record<string, Record<string, string>> | null;
  /** The web pages that may send requests with recipient tokens (CORS): scheme, host and port, as in the header `Origin`; null: none. */
  origins?: string[] | null;
  /** Who is told of channels that fail, of occurrences that are held, and of messages that wait too long; null: nobody. */
  alerts?: UpdateAlerts | null;
};

export type UpdatePreferences = {
  /** Everything over a channel type: the master switch. */
  channels?: Record<string, 'on' | 'off' | true | false | null>;
  /**
   * Categories by name: `shop/news`, or `news` if only one project has such a category. A choice for every channel type, or by channel type;
   * `all` then means those without a choice of their own. `frequency` says how often they come outside the app: `at_once`, `daily` or `weekly`, as far as
   * the category allows it. `null` forgets all choices about the category.
   */
  categories?: Record<string, 'on' | 'off' | true | false | null | { frequency?: 'at_once' | 'daily' | 'weekly' | null }>;
  /** Events by name: `shop/web/order-paid`, or a shorter end of it if only one event fits. The same choices as for categories. */
  events?: Record<string, 'on' | 'off' | true | false | null | {  }>;
};

export type UpdateProject = {
  name?: string;
  /** While false, no messages of its events are sent: they wait until it is true again. */
  enabled?: boolean;
};

export type UpdateSchedule = {
  /** false pauses the schedule, true resumes it. Slots that came meanwhile are not run. */
  enabled: boolean;
};

export type UpdateUser = {
  first_name?: string;
  last_name?: string;
  /**
   * How `custom_fields` is applied: `REPLACE` replaces the stored object, `MERGE` merges into it at every depth, `IGNORE`
   * leaves it unchanged.
   */
  _mode?: 'REPLACE' | 'MERGE' | 'IGNORE';
  locked?: boolean;
  /** Free-form JSON. `_mode` decides how it is applied; without `_mode` it is ignored. */
  custom_fields?: Record<string, unknown>;
};

export type UpdateUserSettings = {
  /** The IANA name of a time zone; null: that of the organization. */
  time_zone?: string | null;
  /**
   * When messages to the user wait; null: the quiet hours of the organization. An empty list: none. At least one hour of the week must
   * be free.
   */
  quiet_hours?: CreateWeeklyRange[] | null;
  /** A BCP 47 language tag; null: that of the organization. */
  locale?: string | null;
};

export type Upload = {
  id: string;
  /** Bytes. */
  size: number;
  created_at: string;
  /** Until then, triggers may attach it. Occurrences that carry it keep its bytes until they are deleted. */
  expires_at: string;
  filename: string;
  content_type: string;
  /** The hash of the bytes. Uploads with the same bytes are stored once. */
  sha256: string;
};

export type UsedBy = {
  /** The slug of the template's channel; null for the condition, `to` and `thread`. */
  channel: string | null;
  part: 'when' | 'to' | 'thread' | 'subject' | 'text' | 'html' | 'markdown' | 'mjml' | 'from' | 'reply_to' | 'url' | 'image' | 'headers' | 'actions' | 'data' | 'template';
  /** The name of the notification. It belongs to another event, if this one ends the steps of that event (`resolves_event`): then `part` is `thread`. */
  notification: string;
};

export type UsedLanguage = {
  /** The tag of the translation; null: the template itself. Parts that the translation lacks come from the next language in line. */
  language: string | null;
  /** Whose locale it is; null: neither the user nor the organization has one. */
  by: 'trigger' | 'user' | 'organization' | null;
  /** The locale that the message should have. */
  locale: string;
  sentence: string;
};

export type User = {
  id: number;
  email: string;
  /** Identifier in URLs: the e-mail address. */
  username: string;
  first_name: string;
  last_name: string;
  /** A locked user receives no messages. */
  locked: boolean;
};

export type UserDelivery = {
  id: number;
  /** The slug of the channel; null when the channel was deleted. */
  channel: string | null;
  /** `room`: one post to the room of the channel; `person`: a message to one user. */
  per: 'room' | 'person';
  /** The username of the recipient; null for a post to a room, and when the user was deleted. */
  user: string | null;
  /** `pending`: waits to be sent, now or at `next_attempt_at`; `sent`; `skipped`: a gate kept it back; `dead`: given up. */
  status: 'pending' | 'sent' | 'skipped' | 'dead';
  /** With `skipped`: the gate that kept it back. */
  gate: 'inactive' | 'locked' | 'no_address' | 'channel_disabled' | 'expired' | 'canceled' | 'opted_out' | 'muted' | 'suppressed' | 'capped' | 'digested' | null;
  /** With `dead`: the reason. */
  reason: string | null;
  /** With `pending`: the time of the next attempt, or of its digest; null: as soon as a worker is free. */
  next_attempt_at: string | null;
  /**
   * With `pending`: why it is not sent at once. `quiet`: the user has quiet hours; `window`: the send window of the notification; `digest`: it
   * is gathered with others; null: nothing, or a failed attempt.
   */
  waits_for: 'quiet' | 'window' | 'digest' | 'send_at' | null;
  /** With the gate `digested`: the digest that carried it; null when it was purged. */
  carried_by: Carrier | null;
  /** For a fallback: the id of the delivery that was given up before. */
  fallback_of: number | null;
  /**
   * How often its step has repeated it: `1` is the first repetition; 0: it has not been repeated, or has no steps. Status and message are those of the last
   * time, `attempts` are those of all.
   */
  repeat: number;
  /**
   * What the provider reported after it had accepted the message, at most: `delayed`, `soft_bounced` (not accepted, but other messages may be),
   * `delivered`, `seen` (opened), `bounced` (the address does not exist), `complained` (marked as spam). Later ones win. Null: nothing was reported.
   */
  report: 'delayed' | 'soft_bounced' | 'delivered' | 'seen' | 'bounced' | 'complained' | null;
  /** All calls to the provider, in order. */
  attempts: Attempt[];
  occurrence: string;
  /** When the event was triggered. */
  triggered_at: string;
  event: string;
  application: string;
  project: string;
  /** What became of it, and why. `explain` of the occurrence says more. */
  sentence: string;
  /** The name of the notification when the event was triggered. */
  notification: string;
};

export type UserProfile = {
  email: string;
  first_name: string;
  last_name: string;
  /** A locked user receives no messages. */
  locked: boolean;
  /** Free-form JSON. */
  custom_fields: Record<string, unknown>;
  /** Addresses besides the e-mail, the oldest first. Messages use the oldest of their kind. */
  addresses: Address[];
  /** The clock that counts for the user; null: that of the organization. */
  time_zone: string | null;
  /** When messages to the user wait; null: the quiet hours of the organization. An empty list: none. */
  quiet_hours: WeeklyRange[] | null;
  /** The language and region that templates format for; null: that of the organization. */
  locale: string | null;
  /** The lists that the user is on. Left out for a key without `distributionlist:read`, and in a list of users. */
  memberships?: Membership[];
  /** What the user has chosen. Left out for a key without `preference:read`, and in a list of users. */
  preferences?: (UpdatePreferences);
};

export type UserSettings = {
  /** The clock that counts for the user; null: that of the organization. */
  time_zone: string | null;
  /** When messages to the user wait; null: the quiet hours of the organization. An empty list: none. */
  quiet_hours: WeeklyRange[] | null;
  /** The language and region that templates format for; null: that of the organization. */
  locale: string | null;
};

export type WaitingForChannel = {
  /**
   * Of a channel that is off: the messages that would be sent at once if it were switched on. Messages that are not due yet do not count: they
   * wait for quiet hours, for a digest, or for their next attempt. It stops at 100,000. Of a channel that is on and whose last attempts failed:
   * the messages that are not sent yet, without those that wait for quiet hours or a digest. It stops at 1000. Otherwise 0.
   */
  waiting: number;
  /** Since when the first of them waits. */
  since: string | null;
  /**
   * Of a channel that is on and whose last attempts failed: how the latest attempt for one of these messages failed, as the provider answered;
   * null: no such attempt is known.
   */
  last_failure: string | null;
  /** The latest failed attempt of messages that wait for it, and of those that were given up, of events triggered in the last 24 hours: the newest ten. */
  recent_failures: ChannelFailure[];
};

export type WaitingReason = {
  /**
   * `turn`: it is being sent, or waits for a worker or the rate of its channel. `retry`: an attempt failed, and the next one follows. `channel`: its channel
   * fails. `off`: something is switched off. `quiet`: quiet hours. `window`: the send window of its notification. `digest`: more messages for the same
   * digest. `send_at`: the time that its trigger asks for. `steps`: the next step of its notification. `held`: somebody's approval.
   */
  reason: 'turn' | 'retry' | 'channel' | 'off' | 'steps' | 'held' | 'quiet' | 'window' | 'digest' | 'send_at';
  /** Triggers whose recipients are not found yet, are held, or wait for a step. It counts the first 5000 jobs of each kind. */
  triggers: number;
  /** Messages. It counts the first 5000 of each kind. */
  messages: number;
  /** Since when the first of them waits. */
  since: string | null;
  /** When the first of them is looked at again; null: that depends on something else than the time, or it may be at once. */
  until: string | null;
  /** With `off`: what is switched off. */
  switched_off: SwitchedOff | null;
  /** With `channel`: the slug of its project, if it has one, and its own. */
  channel: string | null;
};

export type WebpushAddress = {
  endpoint: string;
  /** Not used: a push service says when a subscription has ended. */
  expirationTime?: number | null;
  keys: WebpushKeys;
};

export type WebpushKeys = { p256dh: string; auth: string };

export type WeeklyRange = {
  /** In the order of the week. */
  days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
  from: string;
  /** Up to `24:00`. If it is earlier than `from`, the range ends on the next day. */
  to: string;
};

export type Withheld = {
  occurrence: string;
  /** When the event was triggered. */
  triggered_at: string;
  sentence: string;
  project: string;
  application: string;
  event: string;
  /** The names of the notifications. */
  notifications: string[];
};

/** Input and answers of each operation, by path and method. Answers are listed by status. */
export interface Operations {
  '/api/system/ping/': {
    /**
     * Check that the API is reachable and the key is valid.
     *
     * Permission: `system:ping`.
     */
    GET: { answers: { 200: Ping; 400: Problem; 401: Problem; 403: Problem; 429: Problem; 503: Problem } };
  };
  '/api/o/{org}/': {
    /**
     * Retrieve the organization.
     *
     * Permission: `organization:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      answers: {
        200: Organization;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Update the organization.
     *
     * Permission: `organization:write`, with an operator key.
     */
    PATCH: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      body?: UpdateOrganization;
      answers: {
        200: Organization;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Delete the organization with its users, channels and keys.
     *
     * Permission: `organization:write`, with an operator key.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/': {
    /**
     * List the organization's projects.
     *
     * Permission: `organization:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Project[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Create a project.
     *
     * Permission: `organization:write`, with a key of the whole organization.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      body: CreateProject;
      answers: {
        201: ProjectSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/': {
    /**
     * Retrieve a project.
     *
     * Permission: `organization:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
      };
      answers: { 200: Project; 400: Problem; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
    };
    /**
     * Update a project.
     *
     * Permission: `organization:write`, with a key of the whole project.
     */
    PATCH: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body?: UpdateProject;
      answers: {
        200: ProjectSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Delete a project with its distribution lists, channels and keys.
     *
     * Permission: `organization:write`, with a key of the whole organization.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/a/': {
    /**
     * List the project's applications.
     *
     * Permission: `organization:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Application[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Create an application.
     *
     * Permission: `organization:write`, with a key of the whole project.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
      };
      body: CreateApplication;
      answers: {
        201: ApplicationSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/c/': {
    /**
     * List the organization's channels.
     *
     * Permission: `organization:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Channel[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Create a channel of the organization.
     *
     * Permission: `channel:write`, with a key of the whole organization.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      body: CreateChannel;
      answers: {
        201: ChannelSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/c/': {
    /**
     * List the project's channels.
     *
     * Permission: `organization:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Channel[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Create a channel of the project.
     *
     * Permission: `channel:write`, with a key of the whole project.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
      };
      body: CreateChannel;
      answers: {
        201: ChannelSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/u/': {
    /**
     * List the organization's users.
     *
     * With a filter, one request looks through the users for half a second: a page may have fewer items than its limit, or none, although others follow.
     * Its `Link` header leads on.
     *
     * Permission: `user:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** Only users who have each of these words in the e-mail, the first name, the last name, or an address. Upper and lower case are the same. Those for whom each word starts one of these come first, unless there is another filter or an order. */
        search?: string;
        /** Only users in this audience: a filter as notifications have it, as JSON. */
        audience?: string;
        /** Only members of the distribution list with this id. */
        list?: number;
        /** Only users with this locale of their own. A language, such as `de`, includes its regions. */
        locale?: string;
        /** `desc`: the newest first. `email`: by the e-mail. */
        order?: 'desc' | 'email';
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: { 200: User[]; 400: Problem; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
    };
    /**
     * Create a user.
     *
     * A key that is bound to a project or an application cannot: users belong to the organization.
     *
     * Permission: `user:write`, with a key of the whole organization.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      body: CreateUser;
      answers: {
        201: CreatedUser;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/u/{username}/': {
    /**
     * Retrieve a user.
     *
     * Permission: `user:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      answers: { 200: User; 400: Problem; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
    };
    /**
     * Update a user. Fields that are not in the body keep their values.
     *
     * A key that is bound to a project or an application cannot: users belong to the organization.
     *
     * Permission: `user:write`, with a key of the whole organization.
     */
    PATCH: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      body?: UpdateUser;
      answers: {
        200: UpdatedUser;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Update a user, exactly as PATCH does.
     *
     * Permission: `user:write`, with a key of the whole organization.
     */
    PUT: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      body?: UpdateUser;
      answers: {
        200: UpdatedUser;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Delete a user with their addresses, list memberships and inbox. Records of messages sent to them are kept until their retention ends.
     *
     * With `?erase=1` these records lose the data of the user: texts, addresses and the answers of providers, and the addresses in contexts and
     * options of occurrences. Counts, times and outcomes stay. This happens in the background, usually within seconds; what was being sent at
     * that moment follows after 15 minutes. An address that was suppressed stays suppressed: a keyed digest of it is kept. The audit log
     * gets an entry `erase` without personal data. Messages to others, and posts to rooms, keep their texts.
     *
     * Permission: `user:write`, with a key of the whole organization.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      query?: {
        /** Also remove the data of the user from the history of messages. */
        erase?: '1';
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/u/{username}/address/': {
    /**
     * List the user's addresses.
     *
     * Permission: `user:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Address[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Add an address to the user.
     *
     * A key that is bound to a project or an application cannot: messages of other projects would go to the address too.
     *
     * Permission: `user:write`, with a key of the whole organization.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      body: CreateAddress;
      answers: {
        200: Address;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/d/': {
    /**
     * List the project's distribution lists.
     *
     * Permission: `distributionlist:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: DistributionList[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Create a distribution list.
     *
     * Permission: `distributionlist:write`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
      };
      body: CreateDistributionList;
      answers: {
        201: DistributionList;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/d/{pk}/': {
    /**
     * Retrieve a distribution list.
     *
     * Permission: `distributionlist:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Id of the distribution list. */
        pk: number;
      };
      answers: {
        200: DistributionList;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Rename a distribution list, describe it, or let users join and leave it. Fields that you leave out keep their values.
     *
     * Permission: `distributionlist:write`, with a key of the whole project.
     */
    PATCH: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Id of the distribution list. */
        pk: number;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body?: UpdateDistributionList;
      answers: {
        200: DistributionList;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Delete a distribution list. The users in it are kept.
     *
     * Permission: `distributionlist:write`, with a key of the whole project.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Id of the distribution list. */
        pk: number;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/d/{pk}/add/': {
    /**
     * Add recipients to the list: all of them, or none if one is not valid. Existing members are kept as they are. An e-mail without a user in
     * the organization gets one.
     *
     * Permission: `distributionlist:write`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Id of the distribution list. */
        pk: number;
      };
      body: string[];
      answers: {
        200: AddedRecipients;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/d/{pk}/m/': {
    /**
     * List the members of the list.
     *
     * Permission: `distributionlist:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Id of the distribution list. */
        pk: number;
      };
      query?: {
        /** `1`: only members whose channel was chosen. `0`: only the others; their `channel` is the kind of their address. */
        chosen?: '0' | '1';
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Member[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/a/{app}/e/': {
    /**
     * List the application's events.
     *
     * Permission: `event:list`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: { 200: Event[]; 400: Problem; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
    };
    /**
     * Create an event.
     *
     * Permission: `event:write`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
      };
      body: CreateEvent;
      answers: {
        201: EventSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/trigger/': {
    /**
     * Trigger the event: store an occurrence and send its notifications.
     *
     * A request with the same `Idempotency-Key` and the same body within 24 hours creates nothing: it returns the first
     * occurrence, with the header `Idempotent-Replayed: true`. The same key with another body is refused with 409.
     *
     * The priority `critical` also needs the permission `event:trigger-critical`. It is checked after the body: a key without it gets 400
     * for an invalid body, and 403 for a valid one.
     *
     * Permission: `event:trigger`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      query?: {
        /** `strict`: refuse names in `recipients` and `limit_to` that are not users. Otherwise the header `Unknown-Users` and the warnings of the occurrence name them. */
        recipients?: 'strict';
        /** 1: refuse a context that lacks fields which the notifications need. `errors` lists these fields. */
        strict?: 0 | 1;
      };
      headers?: {
        /** The trace of the caller (W3C Trace Context). The trace of the occurrence links to it. */
        traceparent?: string;
        'Idempotency-Key'?: string;
      };
      body?: Trigger;
      answers: {
        201: Triggered;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/health/live': {
    /** Check that the process runs. */
    GET: { answers: { 200: Health; 400: Problem } };
  };
  '/health/ready': {
    /** Check that the process can serve: the database is reachable and its migrations are applied. Answers 503 otherwise. */
    GET: { answers: { 200: Health; 400: Problem; 503: Health } };
  };
  '/api/o/': {
    /**
     * List the organizations that your key reaches; an operator key reaches all.
     *
     * Permission: `organization:read`.
     */
    GET: {
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: { 200: Organization[]; 400: Problem; 401: Problem; 403: Problem; 429: Problem; 503: Problem };
    };
    /**
     * Create an organization.
     *
     * Permission: `organization:write`, with an operator key.
     */
    POST: {
      body: CreateOrganization;
      answers: {
        201: Organization;
        400: Problem;
        401: Problem;
        403: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/settings/': {
    /**
     * Retrieve the settings of a project.
     *
     * Permission: `organization:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
      };
      answers: {
        200: ProjectSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/a/{app}/': {
    /**
     * Retrieve the settings of an application.
     *
     * Permission: `organization:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
      };
      answers: {
        200: ApplicationSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Update an application.
     *
     * Permission: `organization:write`.
     */
    PATCH: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body?: UpdateApplication;
      answers: {
        200: ApplicationSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Delete an application with its keys and status webhook.
     *
     * Permission: `organization:write`, with a key of the whole project.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/quotas/': {
    /**
     * Retrieve the quotas of the organization, and how much of them it uses.
     *
     * Permission: `organization:read`, with a key of the whole organization.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      answers: {
        200: OrganizationQuotas;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Change quotas of the organization.
     *
     * Quotas that you leave out keep their values; null means the default of the service. Every process applies them within five seconds.
     *
     * Permission: `organization:write`, with an operator key.
     */
    PATCH: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body?: UpdateOrganizationQuotas;
      answers: {
        200: OrganizationQuotas;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/a/{app}/status-webhook/': {
    /**
     * Retrieve the status webhook: the URL that receives the outcomes of the application's deliveries.
     *
     * Permission: `organization:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
      };
      answers: {
        200: StatusWebhook;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Set the status webhook. It is replaced as a whole.
     *
     * Permission: `organization:write`.
     */
    PUT: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body: PutStatusWebhook;
      answers: {
        200: StatusWebhook;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Delete the status webhook. The application receives no more outcomes.
     *
     * Permission: `organization:write`.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        412: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/c/{channel}/': {
    /**
     * Retrieve a channel of the organization, with its settings.
     *
     * Permission: `organization:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the channel. */
        channel: string;
      };
      answers: {
        200: ChannelSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Update a channel of the organization.
     *
     * Fields that you leave out keep their values. `config` is replaced as a whole, but a masked secret keeps its value. Waiting
     * messages are sent with the new settings.
     *
     * Permission: `channel:write`, with a key of the whole organization.
     */
    PATCH: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the channel. */
        channel: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body?: UpdateChannel;
      answers: {
        200: ChannelSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Delete a channel of the organization.
     *
     * Permission: `channel:write`, with a key of the whole organization.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the channel. */
        channel: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/c/{channel}/test/': {
    /**
     * Send a test message over a channel of the organization, and return the response of the provider.
     *
     * Permission: `channel:write`, with a key of the whole organization.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the channel. */
        channel: string;
      };
      body?: TestChannel;
      answers: {
        200: TestedChannel;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/c/{channel}/check/': {
    /**
     * Check the settings of a channel of the organization at its provider, and send nothing.
     *
     * Calls the provider with the settings of the channel, and sends no message. The provider has 10 seconds to answer. An organization may have two
     * checks under way. `settings_check` of `GET /api/dispatchers/` says which channel types have such a call. If the settings
     * are right, `templates` compares the templates that notifications name with those of the provider, which has 15 seconds more for them.
     *
     * Permission: `channel:write`, with a key of the whole organization.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the channel. */
        channel: string;
      };
      answers: {
        200: ChannelCheck;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/c/{channel}/domains/': {
    /**
     * Check the DNS records of the domains that a channel of the organization sends mail from.
     *
     * Looks up SPF, the public keys of DKIM and DMARC of the domains of `from` and `from_domains`, and compares them with the settings.
     * After 20 seconds, the rest is `unknown`. An organization may have two checks under way.
     *
     * Permission: `organization:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the channel. */
        channel: string;
      };
      answers: {
        200: ChannelDomains;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/c/{channel}/waiting/': {
    /**
     * Count the messages that wait for a channel of the organization that is off or fails.
     *
     * While a channel is switched off, its messages wait: until it is switched on, until they expire, or for seven days. While its
     * provider fails, they wait for their next attempt.
     *
     * Permission: `occurrence:read`, with a key of the whole organization.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the channel. */
        channel: string;
      };
      answers: {
        200: WaitingForChannel;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/c/{channel}/discard/': {
    /**
     * Discard the messages that wait until a channel of the organization is switched on.
     *
     * Messages that are not due yet are not discarded: they wait for quiet hours, for a digest, or for their next attempt. The gate of
     * a discarded delivery is `canceled`. Nothing waits for a channel that is switched on. This cannot be undone.
     *
     * Permission: `occurrence:write`, with a key of the whole organization.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the channel. */
        channel: string;
      };
      answers: {
        200: Discarded;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/c/{channel}/': {
    /**
     * Retrieve a channel of the project, with its settings.
     *
     * Permission: `organization:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the channel. */
        channel: string;
      };
      answers: {
        200: ChannelSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Update a channel of the project.
     *
     * Fields that you leave out keep their values. `config` is replaced as a whole, but a masked secret keeps its value. Waiting
     * messages are sent with the new settings.
     *
     * Permission: `channel:write`, with a key of the whole project.
     */
    PATCH: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the channel. */
        channel: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body?: UpdateChannel;
      answers: {
        200: ChannelSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Delete a channel of the project.
     *
     * Permission: `channel:write`, with a key of the whole project.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the channel. */
        channel: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/c/{channel}/test/': {
    /**
     * Send a test message over a channel of the project, and return the response of the provider.
     *
     * Permission: `channel:write`, with a key of the whole project.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the channel. */
        channel: string;
      };
      body?: TestChannel;
      answers: {
        200: TestedChannel;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/c/{channel}/check/': {
    /**
     * Check the settings of a channel of the project at its provider, and send nothing.
     *
     * Calls the provider with the settings of the channel, and sends no message. The provider has 10 seconds to answer. An organization may have two
     * checks under way. `settings_check` of `GET /api/dispatchers/` says which channel types have such a call. If the settings
     * are right, `templates` compares the templates that notifications name with those of the provider, which has 15 seconds more for them.
     *
     * Permission: `channel:write`, with a key of the whole project.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the channel. */
        channel: string;
      };
      answers: {
        200: ChannelCheck;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/c/{channel}/domains/': {
    /**
     * Check the DNS records of the domains that a channel of the project sends mail from.
     *
     * Looks up SPF, the public keys of DKIM and DMARC of the domains of `from` and `from_domains`, and compares them with the settings.
     * After 20 seconds, the rest is `unknown`. An organization may have two checks under way.
     *
     * Permission: `organization:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the channel. */
        channel: string;
      };
      answers: {
        200: ChannelDomains;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/c/{channel}/waiting/': {
    /**
     * Count the messages that wait for a channel of the project that is off or fails.
     *
     * While a channel is switched off, its messages wait: until it is switched on, until they expire, or for seven days. While its
     * provider fails, they wait for their next attempt.
     *
     * Permission: `occurrence:read`, with a key of the whole project.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the channel. */
        channel: string;
      };
      answers: {
        200: WaitingForChannel;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/c/{channel}/discard/': {
    /**
     * Discard the messages that wait until a channel of the project is switched on.
     *
     * Messages that are not due yet are not discarded: they wait for quiet hours, for a digest, or for their next attempt. The gate of
     * a discarded delivery is `canceled`. Nothing waits for a channel that is switched on. This cannot be undone.
     *
     * Permission: `occurrence:write`, with a key of the whole project.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the channel. */
        channel: string;
      };
      answers: {
        200: Discarded;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/channel-health/': {
    /**
     * List all channels of the organization and its projects, and whether their providers work.
     *
     * A key that is bound to a project or an application sees the channels of the organization and of its project.
     *
     * Permission: `organization:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: ChannelHealth[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/dispatchers/': {
    /**
     * List the channel types, and the settings of each.
     *
     * Permission: `organization:read`.
     */
    GET: {
      answers: { 200: Dispatcher[]; 400: Problem; 401: Problem; 403: Problem; 429: Problem; 503: Problem };
    };
  };
  '/api/o/{org}/u/{username}/export/': {
    /**
     * Export everything that is stored about a user.
     *
     * The answer is NDJSON: one JSON object a line. The `kind` of a line is `user`, `address`, `device`, `membership`, `preference`, `muted_thread`, `suppression`, `delivery`
     * (with its attempts and its message), `inbox_message`, `acknowledgement` or `audit_entry`. The contexts of occurrences are not part of it: they belong to the system that
     * triggered them, and may hold data of other users.
     *
     * Permission: `user:export`, with a key of the whole organization.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      answers: { 200: string; 400: Problem; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
    };
  };
  '/api/o/{org}/u/{username}/address/{name}/{value}/': {
    /**
     * Change an address. Distribution lists that use the address then use the new one.
     *
     * Permission: `user:write`, with a key of the whole organization.
     */
    PATCH: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
        /** Kind of address. */
        name: string;
        /** The address itself. */
        value: string;
      };
      body?: UpdateAddress;
      answers: {
        200: Address;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Delete an address. If it belongs to a device, the device goes with it.
     *
     * Permission: `user:write`, with a key of the whole organization.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
        /** Kind of address. */
        name: string;
        /** The address itself. */
        value: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/users/': {
    /**
     * List whole users, without their memberships and preferences.
     *
     * `carillon export users` reads them so, and `carillon import users` takes the same fields. An address of a user is an item of `addresses`, except the e-mail.
     * The filters are those of the list of users: with one, a page may have fewer items than its limit, or none, although others follow.
     *
     * Permission: `user:read`, with a key of the whole organization.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** Only users who have each of these words in the e-mail, the first name, the last name, or an address. Upper and lower case are the same. Those for whom each word starts one of these come first, unless there is another filter or an order. */
        search?: string;
        /** Only users in this audience: a filter as notifications have it, as JSON. */
        audience?: string;
        /** Only members of the distribution list with this id. */
        list?: number;
        /** Only users with this locale of their own. A language, such as `de`, includes its regions. */
        locale?: string;
        /** `desc`: the newest first. `email`: by the e-mail. */
        order?: 'desc' | 'email';
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: UserProfile[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Create or replace many whole users.
     *
     * The body is NDJSON: one user a line, as `PUT` of one user takes it, with its `email`. At most 50,000 lines, and 1 MB a line. Lines are stored in
     * batches, in their order. A line that is refused does not stop the others. If the connection breaks, send the lines again: what is stored
     * already does not change.
     *
     * The answer is NDJSON, too, and is sent while the lines are stored. The `kind` of a line is `error` (with `line`, and `errors` and `codes` as in
     * a problem; the first 1,000), `progress` (`lines`, `created`, `replaced` and `refused` so far) or `summary`. The summary is the last line. If its
     * `complete` is false, `detail` says why lines were left out. Without a summary, the answer was cut off.
     *
     * With `mode=merge`, a line changes only what it has: fields that are left out keep their values, `custom_fields` are merged into the stored ones, and
     * `addresses` and `memberships` are added. Lines take no `preferences` then. With `dry_run=1` nothing is stored: the answer says what would be.
     *
     * `memberships` also needs the permission `distributionlist:write`, and `preferences` needs `preference:write`: without it, the line is refused. An organization
     * uploads one body at a time (429).
     *
     * Permission: `user:write`, with a key of the whole organization.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** Check the lines, and store nothing. */
        dry_run?: '1';
        /** Change only what the lines have, instead of replacing whole users. */
        mode?: 'merge';
      };
      body?: string;
      answers: {
        200: string;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/users/{email}/': {
    /**
     * Retrieve a whole user: everything that decides which messages the user gets.
     *
     * You can send the answer back unchanged. Suppressed addresses are not part of it: they belong to the organization.
     *
     * Permission: `user:read`, with a key of the whole organization.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** E-mail of the user: the username. */
        email: string;
      };
      answers: {
        200: UserProfile;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Create or replace a whole user.
     *
     * `first_name`, `last_name` and `custom_fields` are replaced: if you leave them out, they become empty. `locked`, `addresses`, `time_zone`,
     * `quiet_hours`, `locale`, `memberships` and `preferences` are replaced only if they are in the body. `memberships` also needs the permission
     * `distributionlist:write`, and `preferences` needs `preference:write`. An address that a membership uses can only be removed together with the
     * membership.
     *
     * Permission: `user:write`, with a key of the whole organization.
     */
    PUT: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** E-mail of the user: the username. */
        email: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body?: PutUserProfile;
      answers: {
        200: UserProfile;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/audience/preview/': {
    /**
     * Count the users of an audience, or those of other filters, and show some of them. Nothing is stored.
     *
     * It counts for three seconds at most. If there are more users, `complete` is false, and `users` is the number among the first `checked`.
     * Memberships (unless `list` is given), addresses, locks and preferences do not count: a simulation tells what would be sent.
     *
     * Permission: `user:read`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      body?: PreviewAudience;
      answers: {
        200: PreviewedAudience;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/u/{username}/devices/': {
    /**
     * List the user's devices: phones, tablets and browsers that push messages reach.
     *
     * Push subscriptions of browsers that were added as addresses are listed too, with the app `webpush`.
     *
     * Permission: `device:read`. Or a recipient token of the user with the scope `devices`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Device[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/u/{username}/devices/{bundle}/{device}/': {
    /**
     * Register a device, or refresh it.
     *
     * An app does this at each start, and when its push address changes. The body replaces everything that is known about the device. A device
     * belongs to one user of the organization: it moves to the user who registers it, and messages of the user before no longer reach it. If another device has
     * the same push address, this one replaces it. A user has at most 20 devices: the next one replaces the one that was not seen for longest. A
     * device that its provider has refused for good gets messages again.
     *
     * Permission: `device:write`, with a key of the whole organization. Or a recipient token of the user with the scope `devices`.
     */
    PUT: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
        /** The app on the device, such as its bundle id. */
        bundle: string;
        /** Id of the device, which the app gives. */
        device: string;
      };
      body: PutDevice;
      answers: {
        200: Device;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Remove a device of the user: it gets no more messages.
     *
     * An app does this when its user signs out. A distribution list that uses the address of the device loses it.
     *
     * Permission: `device:write`, with a key of the whole organization. Or a recipient token of the user with the scope `devices`.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
        /** The app on the device, such as its bundle id. */
        bundle: string;
        /** Id of the device, which the app gives. */
        device: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/settings/': {
    /**
     * Retrieve the settings of the organization: time zone, quiet hours, locale, limit, brand, origins and alerts.
     *
     * Permission: `organization:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      answers: {
        200: OrganizationSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Change settings of the organization. Fields that you leave out keep their values.
     *
     * A message that waits already keeps its time. When that time comes, the new settings apply.
     *
     * Permission: `organization:write`, with a key of the whole organization.
     */
    PATCH: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body?: UpdateOrganizationSettings;
      answers: {
        200: OrganizationSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/u/{username}/settings/': {
    /**
     * Retrieve the time zone, the quiet hours and the locale of a user.
     *
     * Permission: `user:read`. Or a recipient token of the user with the scope `preferences`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      answers: {
        200: UserSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Change the time zone, the quiet hours or the locale of a user. Fields that you leave out keep their values.
     *
     * Messages to the user that wait for the end of quiet hours, or for a send window, find their time again. A key that is bound to a
     * project or an application cannot: users belong to the organization.
     *
     * Permission: `user:write`, with a key of the whole organization. Or a recipient token of the user with the scope `preferences`.
     */
    PATCH: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body?: UpdateUserSettings;
      answers: {
        200: UserSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/u/{username}/inbox/categories/': {
    /**
     * List the categories of the messages in the inbox.
     *
     * Those of messages that are neither archived nor snoozed, by name, at most 100. Categories of several projects with one slug are one.
     * `unread` counts among the newest 1,000 unread messages.
     *
     * Permission: `user:read`. Or a recipient token of the user with the scope `inbox`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      answers: {
        200: InboxCategoryCount[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/u/{username}/inbox/': {
    /**
     * List the user's in-app messages that are neither archived nor snoozed.
     *
     * A key that is bound to a project or an application gets only the messages of its events, here and in the stream.
     *
     * Permission: `user:read`. Or a recipient token of the user with the scope `inbox`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      query?: {
        /** Only messages in this state. Without it, all that are neither archived nor snoozed. */
        state?: 'unread' | 'unseen' | 'archived' | 'snoozed';
        /** Only messages of events with this category: its slug. Combined with `state`. */
        category?: string;
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: InboxMessage[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/u/{username}/inbox/stream/': {
    /**
     * Follow the user's new in-app messages.
     *
     * Server-sent events: each new message is an event `message` with the message's id, and the message and the counts as `data`, in
     * the order in which they were stored. An event `counts` comes first, and whenever messages were marked, by whomever: its `data` is `{ unread, unseen }`. If the
     * organization has a color, a logo or texts for the inbox element, an event `brand` follows the first counts. With `Last-Event-ID` the stream starts after that id; without it, it starts now. A client that always continues from
     * its last id misses no message and gets none twice. A stream ends after five minutes at most, and after 1,000 messages that were
     * already waiting: connect again, as browsers do.
     *
     * Permission: `user:read`. Or a recipient token of the user with the scope `inbox`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      headers?: {
        /** The last `id` that the client received. */
        'Last-Event-ID'?: number;
      };
      answers: {
        200: AsyncIterable<StreamEvent<InboxEvent | InboxCounts | InboxBrand>>;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/u/{username}/inbox/{message}/read/': {
    /**
     * Mark a message as read.
     *
     * A key that is bound to a project or an application can mark only the messages of its events.
     *
     * Permission: `user:write`. Or a recipient token of the user with the scope `inbox`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
        /** Id of the message in the inbox. */
        message: number;
      };
      answers: {
        200: InboxMessage;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/u/{username}/inbox/mark/': {
    /**
     * Mark messages as seen, read, unread, archived or not archived, snooze or delete them.
     *
     * Marking a message again changes nothing. A snoozed message returns at its time as a new message: unread, with a new id and time. A key that is bound to a project or an application can mark only the messages of its
     * events, and gets their counts.
     *
     * Permission: `user:write`. Or a recipient token of the user with the scope `inbox`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      body: MarkInbox;
      answers: {
        200: MarkedInbox;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/u/{username}/inbox/{message}/acknowledge/': {
    /**
     * Acknowledge the occurrence of a message for its user: they take care of it.
     *
     * With a recipient token only for oneself. The first of a user stays: to acknowledge again changes nothing. A key that is bound to a project or an
     * application can acknowledge only the messages of its events. A message whose occurrence was deleted cannot be acknowledged any more.
     *
     * Permission: `occurrence:write`. Or a recipient token of the user with the scope `inbox`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
        /** Id of the message in the inbox. */
        message: number;
      };
      body?: AcknowledgeMessage;
      answers: {
        200: Acknowledgement;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/u/{username}/inbox/{message}/': {
    /**
     * Delete a message.
     *
     * For good, also if it is archived or snoozed. Its delivery and its occurrence stay. A key that is bound to a project or an application
     * can delete only the messages of its events.
     *
     * Permission: `user:write`. Or a recipient token of the user with the scope `inbox`.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
        /** Id of the message in the inbox. */
        message: number;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/layouts/': {
    /**
     * List the organization's layouts.
     *
     * Permission: `notification:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Fragment[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/layouts/{layout}/': {
    /**
     * Retrieve a layout of the organization.
     *
     * The layout `default` exists always: without a stored one, this is the built-in one.
     *
     * Permission: `notification:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the layout. */
        layout: string;
      };
      answers: {
        200: Fragment;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Create or replace a layout of the organization.
     *
     * Every notification that uses it, itself or through others, gets a new revision. Occurrences that were triggered before are sent as they
     * were. `uses` lists these notifications.
     *
     * Permission: `notification:write`, with a key of the whole organization.
     */
    PUT: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the layout. */
        layout: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body?: PutFragment;
      answers: {
        200: Fragment;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Delete a layout of the organization.
     *
     * Permission: `notification:write`, with a key of the whole organization.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the layout. */
        layout: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/layouts/{layout}/uses/': {
    /**
     * List the templates that a change of a layout of the organization touches.
     *
     * Those that use it themselves, and those that use it through a layout or other partials. The name may be one that is not stored.
     *
     * Permission: `notification:read`, with a key of the whole organization.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the layout. */
        layout: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: FragmentUse[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/layouts/': {
    /**
     * List the project's layouts.
     *
     * Permission: `notification:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Fragment[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/layouts/{layout}/': {
    /**
     * Retrieve a layout of the project.
     *
     * The layout `default` exists always: without a stored one, this is the built-in one.
     *
     * Permission: `notification:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the layout. */
        layout: string;
      };
      answers: {
        200: Fragment;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Create or replace a layout of the project.
     *
     * Every notification that uses it, itself or through others, gets a new revision. Occurrences that were triggered before are sent as they
     * were. `uses` lists these notifications.
     *
     * Permission: `notification:write`, with a key of the whole project.
     */
    PUT: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the layout. */
        layout: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body?: PutFragment;
      answers: {
        200: Fragment;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Delete a layout of the project.
     *
     * Permission: `notification:write`, with a key of the whole project.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the layout. */
        layout: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/layouts/{layout}/uses/': {
    /**
     * List the templates that a change of a layout of the project touches.
     *
     * Those that use it themselves, and those that use it through a layout or other partials. The name may be one that is not stored.
     *
     * Permission: `notification:read`, with a key of the whole project.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the layout. */
        layout: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: FragmentUse[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/partials/': {
    /**
     * List the organization's partials.
     *
     * Permission: `notification:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Fragment[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/partials/{partial}/': {
    /**
     * Retrieve a partial of the organization.
     *
     * The layout `default` exists always: without a stored one, this is the built-in one.
     *
     * Permission: `notification:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the partial. */
        partial: string;
      };
      answers: {
        200: Fragment;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Create or replace a partial of the organization.
     *
     * Every notification that uses it, itself or through others, gets a new revision. Occurrences that were triggered before are sent as they
     * were. `uses` lists these notifications.
     *
     * Permission: `notification:write`, with a key of the whole organization.
     */
    PUT: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the partial. */
        partial: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body?: PutFragment;
      answers: {
        200: Fragment;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Delete a partial of the organization.
     *
     * Permission: `notification:write`, with a key of the whole organization.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the partial. */
        partial: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/partials/{partial}/uses/': {
    /**
     * List the templates that a change of a partial of the organization touches.
     *
     * Those that use it themselves, and those that use it through a layout or other partials. The name may be one that is not stored.
     *
     * Permission: `notification:read`, with a key of the whole organization.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the partial. */
        partial: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: FragmentUse[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/partials/': {
    /**
     * List the project's partials.
     *
     * Permission: `notification:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Fragment[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/partials/{partial}/': {
    /**
     * Retrieve a partial of the project.
     *
     * The layout `default` exists always: without a stored one, this is the built-in one.
     *
     * Permission: `notification:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the partial. */
        partial: string;
      };
      answers: {
        200: Fragment;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Create or replace a partial of the project.
     *
     * Every notification that uses it, itself or through others, gets a new revision. Occurrences that were triggered before are sent as they
     * were. `uses` lists these notifications.
     *
     * Permission: `notification:write`, with a key of the whole project.
     */
    PUT: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the partial. */
        partial: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body?: PutFragment;
      answers: {
        200: Fragment;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Delete a partial of the project.
     *
     * Permission: `notification:write`, with a key of the whole project.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the partial. */
        partial: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/partials/{partial}/uses/': {
    /**
     * List the templates that a change of a partial of the project touches.
     *
     * Those that use it themselves, and those that use it through a layout or other partials. The name may be one that is not stored.
     *
     * Permission: `notification:read`, with a key of the whole project.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the partial. */
        partial: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: FragmentUse[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/d/{pk}/settings/': {
    /**
     * Retrieve the settings of a distribution list: its name, and whether users join it themselves.
     *
     * Permission: `distributionlist:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Id of the distribution list. */
        pk: number;
      };
      answers: {
        200: DistributionListSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/d/{pk}/m/{member}/': {
    /**
     * Update a member: whether it receives messages, and over which channel.
     *
     * Permission: `distributionlist:write`, with a key of the whole project.
     */
    PATCH: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Id of the distribution list. */
        pk: number;
        /** Id of the member. */
        member: number;
      };
      body?: UpdateMember;
      answers: {
        200: Member;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Remove a member from the list. The user is kept.
     *
     * Permission: `distributionlist:write`, with a key of the whole project.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Id of the distribution list. */
        pk: number;
        /** Id of the member. */
        member: number;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/categories/': {
    /**
     * List the project's categories.
     *
     * Permission: `event:list`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Category[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Create a category. A project may have 200 of them, an organization 1,000.
     *
     * Permission: `event:write`, with a key of the whole project.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
      };
      body: CreateCategory;
      answers: {
        201: Category;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/categories/{category}/': {
    /**
     * Retrieve a category.
     *
     * Permission: `event:list`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the category. */
        category: string;
      };
      answers: {
        200: Category;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Update a category.
     *
     * Fields that you leave out keep their values; `channels` is replaced as a whole. What users have chosen is kept. It also
     * counts for messages that wait.
     *
     * Permission: `event:write`, with a key of the whole project.
     */
    PATCH: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the category. */
        category: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body?: UpdateCategory;
      answers: {
        200: Category;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Delete a category, and what users have chosen about it.
     *
     * Permission: `event:write`, with a key of the whole project.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the category. */
        category: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/u/{username}/preferences/': {
    /**
     * Retrieve what a user gets: for each category and channel type whether it is on, and why.
     *
     * The channel types are those of the organization's channels. Events are listed only if the user has chosen about them; other
     * events follow their category. A key that is bound to a project or an application sees only what belongs to it. A recipient token sees
     * only categories of projects that reach the user: by a distribution list, by the audience of a notification, or by an earlier choice.
     * Open lists are those of the whole organization: every user may join them.
     *
     * Permission: `preference:read`. Or a recipient token of the user with the scope `preferences`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      answers: {
        200: Preferences;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Change what a user gets. Choices that are not in the body are kept.
     *
     * Returns the new state. Choices about required categories, and about events without a category, are refused: everyone gets
     * those. A key that is bound to a project or an application cannot: users belong to the organization.
     *
     * Permission: `preference:write`, with a key of the whole organization. Or a recipient token of the user with the scope `preferences`.
     */
    PATCH: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body?: ChangePreferences;
      answers: {
        200: Preferences;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/': {
    /**
     * Retrieve an event with its settings.
     *
     * Permission: `event:list`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      answers: {
        200: EventSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Update an event.
     *
     * Permission: `event:write`.
     */
    PATCH: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body?: UpdateEvent;
      answers: {
        200: EventSettings;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Delete an event with its notifications and occurrences.
     *
     * Permission: `event:write`.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/messages/': {
    /**
     * Retrieve the project's messages, in all languages.
     *
     * Permission: `event:list`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
      };
      answers: {
        200: Messages;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Replace the project's messages, in all languages.
     *
     * Notifications that use a changed message use the new one for the triggers that follow. A message that a template uses cannot be
     * removed from every language.
     *
     * Permission: `event:write`, with a key of the whole project.
     */
    PUT: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body: PutMessages;
      answers: {
        200: Messages;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/schedule/': {
    /**
     * Retrieve the schedule of an event, with its next and its last runs.
     *
     * Permission: `event:list`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      answers: {
        200: Schedule;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Set the schedule of an event. It is replaced as a whole.
     *
     * It also needs the permission `event:trigger`, and for the priority `critical` the permission `event:trigger-critical`.
     *
     * Permission: `event:write`.
     */
    PUT: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body: PutSchedule;
      answers: {
        200: Schedule;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Pause or resume the schedule of an event.
     *
     * To resume it needs the same permissions as to set it.
     *
     * Permission: `event:write`.
     */
    PATCH: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body: UpdateSchedule;
      answers: {
        200: Schedule;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Delete the schedule of an event.
     *
     * Permission: `event:write`.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        412: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/': {
    /**
     * List the notifications of the event, with their templates.
     *
     * Permission: `notification:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Notification[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Create a notification.
     *
     * It applies to later triggers. Occurrences that were triggered before keep their rules.
     *
     * Permission: `notification:write`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      body: CreateNotification;
      answers: {
        201: Notification;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/{notification}/': {
    /**
     * Retrieve a notification.
     *
     * Permission: `notification:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
        /** Id of the notification. */
        notification: number;
      };
      answers: {
        200: Notification;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Update a notification. Fields that you leave out keep their values; `distribution_lists` and `templates` are replaced as a whole.
     *
     * It applies to later triggers. Occurrences that were triggered before keep their rules.
     *
     * Permission: `notification:write`.
     */
    PATCH: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
        /** Id of the notification. */
        notification: number;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body?: UpdateNotification;
      answers: {
        200: Notification;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Delete a notification.
     *
     * Permission: `notification:write`.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
        /** Id of the notification. */
        notification: number;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        412: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/{notification}/flush/': {
    /**
     * Send the open digests of a notification now.
     *
     * A digest gathers the messages of the notification to one user. Messages that are triggered afterwards open a new one.
     *
     * Permission: `notification:write`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
        /** Id of the notification. */
        notification: number;
      };
      answers: { 200: Flushed; 400: Problem; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
    };
  };
  '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/drafts/': {
    /**
     * List the drafts of the event's notifications, and who saved them.
     *
     * A draft is deleted with its notification or event, and 90 days after it was saved.
     *
     * Permission: `notification:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: { 200: Draft[]; 400: Problem; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
    };
    /**
     * Create a draft, unless there is one.
     *
     * A notification has one draft, which all share who may change it. Nothing of a draft is sent. To publish it, create or update the notification,
     * and delete the draft.
     *
     * Permission: `notification:write`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      body: CreateDraft;
      answers: {
        201: DraftContent;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/drafts/{draft}/': {
    /**
     * Retrieve a draft.
     *
     * Permission: `notification:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
        /** The id of the notification that the draft changes, or `new`, or `new-` with letters and digits. */
        draft: string;
      };
      answers: {
        200: DraftContent;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Save a draft. It is created or replaced as a whole.
     *
     * Permission: `notification:write`.
     */
    PUT: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
        /** The id of the notification that the draft changes, or `new`, or `new-` with letters and digits. */
        draft: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      body: PutDraft;
      answers: {
        200: DraftContent;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Discard a draft.
     *
     * Permission: `notification:write`.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
        /** The id of the notification that the draft changes, or `new`, or `new-` with letters and digits. */
        draft: string;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        412: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/simulate/': {
    /**
     * Simulate a trigger of the event: who would be sent which message. It stores nothing and sends nothing.
     *
     * It refuses what a trigger would refuse. It reads users and notifications as they are now. Without the permission `user:read`
     * it shows only numbers: `messages` is empty, and templates are not rendered.
     *
     * With `notification`, it uses this draft of a rule. The draft is refused for the same reasons as a change of the rule, and is not stored. It
     * also needs the permission `notification:write`.
     *
     * Permission: `event:trigger`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      body?: Simulate;
      answers: {
        200: Simulation;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/preview/': {
    /**
     * Preview a draft of a template: the message as it would be sent for this event. Nothing is stored or sent.
     *
     * A draft that is invalid, or that fails with this context, is refused with a 400. The answer names the part
     * and, if known, the line.
     *
     * Permission: `notification:read`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      body?: Preview;
      answers: {
        200: Previewed;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/preview/test/': {
    /**
     * Send a draft of a template to one user, and return the response of the provider.
     *
     * The message is the one that a preview of the same body shows, with its layout, translation, headers and the files of `occurrence`. Its subject begins
     * with `[Test]`. The notification need not exist yet. Conditions do not count either: a simulation says whether they are true. `channel` and `user` are required. Preferences, limits and quiet hours do not count, suppressions and switches do. This also requires the permissions `event:trigger` and
     * `user:read`.
     *
     * Permission: `notification:write`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      body?: Preview;
      answers: {
        200: TestedChannel;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/schema/': {
    /**
     * Get a JSON Schema of the context fields that the event's notifications use.
     *
     * The schema describes the current notifications. A field is required when an enabled notification always needs it. A
     * field is optional when a template only tests it, has a `default` for it or uses it inside a condition, or when the
     * notification has a `when`.
     *
     * Permission: `event:list`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      answers: {
        200: ContextSchema;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/o/': {
    /**
     * List the event's occurrences.
     *
     * Permission: `occurrence:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      query?: {
        /** Only occurrences with this status. */
        status?: 'pending' | 'expanding' | 'expanded' | 'canceled' | 'failed' | 'held';
        /** Only occurrences created at this time or later. */
        since?: string;
        /** Only occurrences created before this time. */
        until?: string;
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Occurrence[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/occurrences/': {
    /**
     * List the occurrences of all events of the organization.
     *
     * A key that is bound to a project or an application sees those of its branch. With `status`, `context` or `open`, one request
     * looks through some of the newest occurrences: about 50,000, or 5,000 with `context` or `open`. A page may have fewer items than `limit`, or none, although others follow. Its
     * `Link` header says so. The same with `outcome`, `reason`, `channel` or `domain`, which find occurrences that have messages for which all of these
     * hold. The figures say in which hours to look, so a message is found some seconds after it has changed. Of an occurrence, the first 10,000
     * messages are looked through: one with more is listed if its event has such messages in its hour.
     *
     * Permission: `occurrence:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** Only occurrences of this event, as project/application/event. */
        event?: string;
        /** Only occurrences with this status. */
        status?: 'pending' | 'expanding' | 'expanded' | 'canceled' | 'failed' | 'held';
        /** Only occurrences created at this time or later. */
        since?: string;
        /** Only occurrences created before this time. */
        until?: string;
        /** Also count the messages of each occurrence by their outcome: the first 1,000 of them. */
        counts?: '1';
        /** Also say what became of the steps of each occurrence. */
        steps?: '1';
        /** Only occurrences that are open: their steps ask for an acknowledgement, and nothing has ended them. */
        open?: '1';
        /** Only occurrences with messages of this outcome. */
        outcome?: 'sent' | 'failed' | 'waiting' | 'skipped';
        /** Only occurrences with messages of this reason: a gate, what was reported, or why they were given up. */
        reason?: 'inactive' | 'locked' | 'no_address' | 'channel_disabled' | 'expired' | 'canceled' | 'opted_out' | 'muted' | 'suppressed' | 'capped' | 'digested' | 'soft_bounced' | 'delivered' | 'seen' | 'bounced' | 'complained' | 'rejected' | 'given_up' | 'other';
        /** Only occurrences with messages over this channel: its slug, or project/channel. */
        channel?: string;
        /** Only occurrences with mails to this domain, sent or failed. */
        domain?: string;
        /** Only occurrences whose context, as JSON, has this text. Upper and lower case are the same. */
        context?: string;
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: PlacedOccurrence[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/occurrences/{occurrence}/': {
    /**
     * Retrieve an occurrence with its outcome.
     *
     * Permission: `occurrence:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Id of the occurrence, as returned by its trigger. */
        occurrence: string;
      };
      answers: {
        200: OccurrenceDetail;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/occurrences/{occurrence}/cancel/': {
    /**
     * Cancel the occurrence: messages that are not sent within two seconds are never sent.
     *
     * Waiting deliveries end as `skipped` with the gate `canceled`; messages already sent are not affected. To cancel a `held`
     * occurrence is to refuse it. Canceling again changes nothing.
     *
     * Permission: `occurrence:write`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Id of the occurrence, as returned by its trigger. */
        occurrence: string;
      };
      answers: {
        200: Canceled;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/occurrences/{occurrence}/approve/': {
    /**
     * Approve a held occurrence: it resumes, no matter how many users it reaches.
     *
     * An occurrence that would reach more users than `max_recipients` of its event is `held`. It creates no deliveries until
     * it is approved. To refuse it, cancel it.
     *
     * Permission: `occurrence:write`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Id of the occurrence, as returned by its trigger. */
        occurrence: string;
      };
      answers: {
        200: Approved;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/occurrences/{occurrence}/acknowledge/': {
    /**
     * Acknowledge the occurrence for a user: somebody takes care of it, and its steps end.
     *
     * An acknowledgement is more than any evidence that a step may ask for in `unless`. It ends the steps for all users, or with
     * `acknowledge: { by: each }` of a notification for this user. The first of a user stays: to acknowledge again changes nothing.
     *
     * Permission: `occurrence:write`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Id of the occurrence, as returned by its trigger. */
        occurrence: string;
      };
      body: AcknowledgeOccurrence;
      answers: {
        200: Acknowledgement;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/occurrences/{occurrence}/retry/': {
    /**
     * Retry all dead deliveries, or one of them.
     *
     * A delivery that the fallback of its channel took over is retried only if you name it. An occurrence that `failed`
     * resumes where it stopped.
     *
     * Permission: `occurrence:write`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Id of the occurrence, as returned by its trigger. */
        occurrence: string;
      };
      body?: Retry;
      answers: {
        200: Retrying;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/occurrences/{occurrence}/replay/': {
    /**
     * Trigger the same event again, with the same context.
     *
     * The current rules apply. The options are kept, except `send_at` and `expires_at`: these times belong to the first trigger.
     * `limit_to` replays for some users only, and `notifications` only some notifications; both have their effect on top of what the trigger chose.
     * Conditions, preferences, limits and quiet hours count again, and whoever got the message before gets it once more.
     * An occurrence with the priority `critical` also needs the permission `event:trigger-critical`.
     *
     * Permission: `occurrence:write`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Id of the occurrence, as returned by its trigger. */
        occurrence: string;
      };
      body?: Replay;
      answers: {
        201: Replayed;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/occurrences/{occurrence}/deliveries/': {
    /**
     * List the occurrence's deliveries, each with its attempts.
     *
     * Permission: `occurrence:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Id of the occurrence, as returned by its trigger. */
        occurrence: string;
      };
      query?: {
        /** Only deliveries with this status. */
        status?: 'pending' | 'sent' | 'skipped' | 'dead';
        /** Only deliveries over the channel with this slug. */
        channel?: string;
        /** Only deliveries to the user with this username. */
        user?: string;
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Delivery[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/occurrences/{occurrence}/deliveries/{delivery}/': {
    /**
     * Retrieve a delivery with its message.
     *
     * Permission: `occurrence:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Id of the occurrence, as returned by its trigger. */
        occurrence: string;
        /** Id of the delivery. */
        delivery: number;
      };
      answers: {
        200: DeliveryDetail;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/u/{username}/deliveries/': {
    /**
     * List the deliveries to a user: what they were sent, and what they were not sent and why.
     *
     * The key also needs the permission `occurrence:read`. A key that is bound to a project or an application sees the deliveries of its
     * branch. A user whom no notification was for has no delivery; `explain` tells why, and `withheld/` lists what a false condition kept back. One request looks through some of the newest deliveries of all
     * users, up to 11 million: a page may have fewer items than `limit`, or none, although others follow. Its `Link` header says so.
     *
     * Permission: `user:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      query?: {
        /** Only deliveries with this status. */
        status?: 'pending' | 'sent' | 'skipped' | 'dead';
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: UserDelivery[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/u/{username}/withheld/': {
    /**
     * List what a user was not sent because a notification applied to nobody: its condition was false, or it was switched off.
     *
     * Such notifications have no deliveries. The rules are those of the time of the trigger, the lists and fields of the user those of now.
     * The key also needs the permission `occurrence:read`. One request looks through some 2,000 of the newest occurrences: a page may have fewer items
     * than `limit`, or none, although others follow. Its `Link` header says so.
     *
     * Permission: `user:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Withheld[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/figures/': {
    /**
     * Count messages by their outcome: for each hour, day, event, channel, project, domain, outcome or reason.
     *
     * A message counts in the hour of its occurrence, whenever it was sent. Figures are a few seconds behind. They stay for a year, also of deleted
     * occurrences. A key that is bound to a project or an application sees those of its branch.
     *
     * Permission: `occurrence:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** Only messages with this outcome. */
        outcome?: 'sent' | 'failed' | 'waiting' | 'skipped';
        /** Only over the channels with this slug. */
        channel?: string;
        /** Only of this event, as project/application/event. Not by domain. */
        event?: string;
        /** Only of this application, as project/application. */
        application?: string;
        /** Only of the project with this slug. */
        project?: string;
        /** Hours that begin before this time. Default: now. */
        until?: string;
        /** From the hour of this time. Default: 7 days before `until`. At most 31 days by hour, 400 days otherwise. */
        since?: string;
        /** What each row counts. Default: `day`. */
        by?: 'hour' | 'day' | 'event' | 'channel' | 'project' | 'domain' | 'outcome' | 'reason';
      };
      answers: { 200: Figures; 400: Problem; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
    };
  };
  '/api/o/{org}/summary/': {
    /**
     * Retrieve what needs attention now: held occurrences, dead deliveries, resting channels, switches that are off, waiting work.
     *
     * A key that is bound to a project or an application cannot: the numbers are those of the whole organization.
     *
     * Permission: `occurrence:read`, with a key of the whole organization.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      answers: { 200: Summary; 400: Problem; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
    };
  };
  '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/revisions/': {
    /**
     * List the past and present notifications and templates of the event.
     *
     * Every change of a notification is a revision. The newest 500 of an event are kept, and older ones for as long as a stored
     * occurrence uses them. The audit log has all changes.
     *
     * Permission: `notification:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Slug of the project. */
        prj: string;
        /** Slug of the application. */
        app: string;
        /** Slug of the event. */
        evt: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Revision[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/suppressions/': {
    /**
     * List the addresses that get no messages. A key that is bound to a project sees those of the project only.
     *
     * Permission: `suppression:read`, with a key of the whole project.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** Only this address. */
        address?: string;
        /** Only addresses that contain this text, in upper or lower case. One request looks through 20,000 suppressions: a page may have fewer items than its limit, or none, and a `Link` to the next one. */
        search?: string;
        /** Only with this cause. */
        cause?: 'hard_bounce' | 'complaint' | 'stop' | 'manual';
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Suppression[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Suppress an address: it gets no messages from now on, also none that wait to be sent again.
     *
     * An address that is suppressed for the same cause gets the new `note` and the new `expires_at`. A key that is bound to a project
     * suppresses the address for the messages of the project. With `dry_run=1` nothing is stored: the answer is what would be, and its `id` may become another one.
     *
     * Permission: `suppression:write`, with a key of the whole project.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** Check the suppression, and store nothing. */
        dry_run?: '1';
      };
      body: CreateSuppression;
      answers: {
        200: Suppression;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/suppressions/{suppression}/': {
    /**
     * Retrieve a suppression with its evidence.
     *
     * Permission: `suppression:read`, with a key of the whole project.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Id of the suppression. */
        suppression: number;
      };
      answers: {
        200: Suppression;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Lift a suppression. The address gets messages again, unless it is also suppressed for another cause.
     *
     * Permission: `suppression:write`, with a key of the whole project.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Id of the suppression. */
        suppression: number;
      };
      headers?: {
        /** The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins. */
        'If-Match'?: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        412: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/uploads/': {
    /**
     * List the uploads that have not expired.
     *
     * Permission: `upload:write`, with a key of the whole organization.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Upload[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Upload a file of up to 50 MB, which triggers attach by its id (`options.attachments`).
     *
     * The body is the file itself, and `Content-Type` its type. Files with the same bytes are stored once. An upload expires after seven
     * days; occurrences that carry the file keep its bytes until they are deleted. An organization may send four files at the same time, and store as many
     * megabytes as its quota `files_mb` says.
     *
     * Permission: `upload:write`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** The name of the file, without a path. */
        filename?: string;
      };
      body?: string;
      answers: {
        201: Upload;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/uploads/{upload}/': {
    /**
     * Retrieve what is known about an upload.
     *
     * Permission: `upload:write`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Id of the upload. */
        upload: string;
      };
      answers: { 200: Upload; 400: Problem; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
    };
    /**
     * Delete an upload. Occurrences that carry the file keep it.
     *
     * Permission: `upload:write`.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Id of the upload. */
        upload: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/occurrences/{occurrence}/explain/': {
    /**
     * Explain why a user was or was not sent a message; without `user`, the outcomes for everyone.
     *
     * To name a `user`, the key needs the permission `user:read` too. Stored deliveries and decisions count first. Where nothing is stored, the notifications as they were at the time of the
     * trigger are applied to the users as they are now; `evaluated` tells which of the two it was.
     *
     * Permission: `occurrence:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Id of the occurrence, as returned by its trigger. */
        occurrence: string;
      };
      query?: {
        /** The username of the user. This also requires the permission `user:read`. */
        user?: string;
      };
      answers: {
        200: ExplainedUser | ExplainedTotals;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/occurrences/{occurrence}/stream/': {
    /**
     * Follow the progress of an occurrence.
     *
     * Server-sent events: `progress` at once and after every change, and `done` when nothing is left to be sent, or when the
     * occurrence was canceled or has failed. Close the stream on `done`: otherwise a browser reconnects. A stream ends after five
     * minutes at most; then connect again.
     *
     * Permission: `occurrence:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Id of the occurrence, as returned by its trigger. */
        occurrence: string;
      };
      answers: {
        200: AsyncIterable<StreamEvent<Progress>>;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/k/': {
    /**
     * List the API keys of the organization that are within the reach of your own key.
     *
     * Permission: `apikey:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: ApiKey[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Create an API key.
     *
     * The reach, permissions and lifetime of the new key cannot exceed those of your own key. If your own key has a rate limit,
     * the new key shares it: the requests of both count together. The text of the new key is shown only once.
     *
     * Permission: `apikey:write`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      body: CreateApiKey;
      answers: {
        201: CreatedApiKey;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/k/{key}/revoke/': {
    /**
     * Revoke an API key.
     *
     * Your own key must have every permission of the key that it revokes. The process that handles this request refuses the key
     * at once; the other processes do so within five seconds, and end its streams. Revoking the key again changes
     * nothing. Keys that were created with the revoked key stay valid: list the keys, and revoke those too if necessary.
     *
     * Permission: `apikey:write`.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Id of the API key. */
        key: number;
      };
      answers: { 200: ApiKey; 400: Problem; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
    };
  };
  '/api/roles/': {
    /**
     * List the built-in roles, and the permissions of each.
     *
     * Permission: `organization:read`.
     */
    GET: { answers: { 200: Role[]; 400: Problem; 401: Problem; 403: Problem; 429: Problem; 503: Problem } };
  };
  '/api/o/{org}/members/': {
    /**
     * List the members of the organization that are within the reach of your own key.
     *
     * Permission: `member:read`, with a key of the whole project.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: OrganizationMember[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/members/{memberEmail}/': {
    /**
     * Add a member, or change the name, the role or the project of one.
     *
     * A new member gets a mail with a link that signs in, if the service has a mail server for it. Fields that are left out keep their values. Your own key must have every permission of the role, and of the role that the member
     * has now. A change counts for the member's sessions, too: in the process that handles this request at once, in the others within five
     * seconds.
     *
     * Permission: `member:write`, with a key of the whole project.
     */
    PUT: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** E-mail of the member. */
        memberEmail: string;
      };
      body?: PutOrganizationMember;
      answers: {
        200: OrganizationMember;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Remove a member and end the member's sessions.
     *
     * Your own key must have every permission of the member. API keys that the member has created stay valid: list the keys, and revoke
     * those too if necessary.
     *
     * Permission: `member:write`, with a key of the whole project.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** E-mail of the member. */
        memberEmail: string;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/members/{memberEmail}/link/': {
    /**
     * Mail a link that signs a member in, or create one.
     *
     * Only if the service has no mail server for it, the answer has the link, which then works for 24 hours; in a mail it works for 15 minutes. It
     * works once, until another one is created. Whoever opens it acts as the member, so your own key must have every permission of the member.
     *
     * Permission: `member:write`, with a key of the whole project.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** E-mail of the member. */
        memberEmail: string;
      };
      answers: {
        201: MemberLink;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/session/link/': {
    /** See whether the service mails links that sign members in. */
    GET: { answers: { 200: SessionLink; 400: Problem } };
    /**
     * Ask for a mail with a link that signs in.
     *
     * The answer is the same for every address. If it is that of a member, the mail has a link for each organization of the member. A link
     * works once; its text behind `#t=` is the `link` of `POST /api/session/`.
     */
    POST: {
      body: CreateSessionLink;
      answers: {
        202: SessionLink;
        400: Problem;
        403: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
      };
    };
  };
  '/api/session/': {
    /**
     * Sign in with an API key or with a one-time link.
     *
     * The answer sets a cookie, for pages of this service in a browser. The session has the reach and the permissions of the key,
     * and shares its rate limit. It ends after 12 hours without a request, after 7 days, with its key, or when somebody ends it. A
     * wrong key or link counts as a wrong key of its address.
     */
    POST: {
      body?: CreateSession;
      answers: {
        201: Session;
        400: Problem;
        401: Problem;
        403: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /** See who is signed in: the session of the cookie, or the API key in a header. */
    GET: { answers: { 200: Session; 400: Problem; 401: Problem; 403: Problem; 429: Problem; 503: Problem } };
    /** Sign out: end the session of the cookie. */
    DELETE: {
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/session/providers/': {
    /** List the OpenID providers where operators can sign in. */
    GET: { answers: { 200: SessionProvider[]; 400: Problem } };
  };
  '/api/o/{org}/session/': {
    /**
     * List the sessions of the organization that are within the reach of your own key.
     *
     * Permission: `apikey:read`.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: Session[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/session/{session}/': {
    /**
     * End a session.
     *
     * Your own key must have every permission of the session. The process that handles this request refuses the session at once; the
     * other processes do so within five seconds, and end its streams.
     *
     * Permission: `apikey:write`.
     */
    DELETE: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Id of the session. */
        session: number;
      };
      answers: {
        204: undefined;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/u/{username}/token/': {
    /**
     * Create a recipient token for the user.
     *
     * It reaches the operations that name a recipient scope, for this user alone, and may go into a browser; a key must not. It stays
     * valid until it expires, the user is locked or deleted, or its signing secret is revoked.
     *
     * Permission: `token:create`, with a key of the whole organization.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Username: the e-mail address. */
        username: string;
      };
      body?: CreateRecipientToken;
      answers: {
        201: RecipientToken;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/signing-secrets/': {
    /**
     * List the secrets that sign recipient tokens, without their texts.
     *
     * Permission: `token:create`, with a key of the whole organization.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: SigningSecret[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Create a signing secret.
     *
     * Your own server signs recipient tokens with it, without a request. The text of the secret is shown only once.
     *
     * Permission: `token:create`, with a key of the whole organization.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      body: CreateSigningSecret;
      answers: {
        201: CreatedSigningSecret;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/signing-secrets/{secret}/revoke/': {
    /**
     * Revoke a signing secret. All tokens that it has signed become invalid.
     *
     * The process that handles this request refuses the tokens at once; the other processes do so within five seconds. Their streams
     * end within seconds. Revoking the secret again changes nothing. The service replaces a secret of its own with the next token that it creates.
     *
     * Permission: `token:create`, with a key of the whole organization.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
        /** Id of the signing secret. */
        secret: number;
      };
      answers: {
        200: SigningSecret;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/audit/': {
    /**
     * List the changes in the organization, and who made them.
     *
     * The list has every change of configuration and users: over the API, with the command line and directly in the database. It has no triggers, because each is an occurrence, and no actions of users in their inbox.
     *
     * Permission: `audit:read`, with a key of the whole organization.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** `asc`: oldest first. `desc`: newest first. */
        order?: 'asc' | 'desc';
        /** Only changes of this kind of resource, such as `channel`. */
        noun?: string;
        /** Only changes by this actor: the name of a key, a command or a database user. */
        actor?: string;
        /** Only changes of resources whose name starts with this, such as `shop/`. */
        name?: string;
        /** Only changes at this time or later. */
        since?: string;
        /** Only changes before this time. */
        until?: string;
        /** Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed. */
        limit?: number;
        /** Where the page starts. Follow the `Link` header of the previous page. */
        after?: string;
      };
      answers: {
        200: AuditEntry[];
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/configuration/': {
    /**
     * Export the organization as a configuration.
     *
     * It has no secrets: each is a reference to an environment variable, `{ "env": "ACME_MAIL_PASSWORD" }`, which `carillon apply` reads.
     * Replace them before you send it back. A key that is bound to a project gets only this project, without anything of the organization itself.
     *
     * It also needs the permissions to read what is in it: `organization:read`, `event:list`, `notification:read` and `distributionlist:read`; with
     * users, `user:read` and `preference:read`.
     *
     * Permission: `configuration:read`, with a key of the whole project.
     */
    GET: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** `1`: with users and the members of lists, at most 10,000 and 4 MB of them. */
        users?: '0' | '1';
      };
      answers: {
        200: Configuration;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        429: Problem;
        503: Problem;
      };
    };
    /**
     * Apply a configuration in one transaction: all of it or nothing.
     *
     * It creates and changes what the configuration lists. What it leaves out is not changed. To apply it again changes nothing.
     *
     * Everything in it needs the permission and the reach that the operation for it needs, such as `channel:write` for channels. A key that is bound
     * to a project may apply this project, and nothing of the organization itself. A 400 names the first 100 mistakes, by their paths:
     * `projects[0].channels[1].config.url`. Of a body with more than 20,000 values it names only the first one that does not fit the schema. References to environment variables and files are refused: the client replaces them.
     *
     * The body may have 4 MB. An organization applies one configuration at a time, in at most 30 seconds.
     *
     * Permission: `configuration:write`, with a key of the whole project.
     */
    PUT: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** How many users of each deletion the answer names. Default: 20. */
        max_names?: number;
        /** `1`: also delete entries that are missing from a list in the configuration. */
        prune?: '0' | '1';
      };
      headers?: {
        /** The `version` of a plan. If the deletions differ from it, nothing is changed. */
        'If-Match'?: string;
      };
      body?: Configuration;
      answers: {
        200: ConfigurationChanges;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        412: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
  '/api/o/{org}/configuration/plan/': {
    /**
     * Say what a configuration would change. It changes nothing.
     *
     * It refuses what applying the configuration would refuse, and needs the same permissions.
     *
     * Permission: `configuration:read`, with a key of the whole project.
     */
    POST: {
      path: {
        /** Slug of the organization. */
        org: string;
      };
      query?: {
        /** How many users of each deletion the answer names. Default: 20. */
        max_names?: number;
        /** `1`: also delete entries that are missing from a list in the configuration. */
        prune?: '0' | '1';
      };
      body?: Configuration;
      answers: {
        200: ConfigurationChanges;
        400: Problem;
        401: Problem;
        403: Problem;
        404: Problem;
        409: Problem;
        413: Problem;
        415: Problem;
        429: Problem;
        503: Problem;
      };
    };
  };
}
