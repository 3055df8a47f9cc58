import type { FieldError } from '../platform/field/error/field-error.js';
import type { DomainFinding } from './email/domain/domain-finding.js';
import type { MessageLimits } from './message-limits.js';
import type { ReportReader } from './report/report.js';

/** A dispatcher speaks one provider's protocol. It does not know the database or the templates. */
export interface Dispatcher {
  /** The `type` of its channels. */
  readonly type: string;
  /** The name to show. */
  readonly label: string;
  /** The settings of a channel of this type. */
  readonly fields: readonly ConfigField[];
  /** Checks the combination of settings, after each setting was checked alone. Returns the problem, or null. */
  check?(config: ChannelConfig): string | null;
  /** The kind of address that a user needs to be reached; null when no address is needed. */
  readonly addressKind: string | null;
  /** The kind of address, for a dispatcher where it depends on the settings. Secrets in `config` are still encrypted. */
  addressKindFor?(config: Readonly<Record<string, unknown>>): string | null;
  /** Whether its channels are one room or one URL for everyone, unless they need an address. One message is then enough for all users. */
  readonly isRoom?: true;
  /** The parts of a message that it uses. A template may have those besides its text only if they are among them. */
  readonly parts: readonly MessagePart[];
  /** What its provider takes of a message. Left out: no limits are known. */
  readonly messageLimits?: MessageLimits;
  /** Whether a channel with these settings shows how many messages of its reader's inbox are unread. Counting them costs a statement for 50 messages. */
  countsUnread?(config: ChannelConfig): boolean;
  /** Whether its messages carry files. The others have links to them. */
  readonly carriesFiles?: true;
  /** The most bytes of a message with its files, as they are encoded. Secrets in `config` may still be encrypted. */
  maxMessageBytes?(config: Readonly<Record<string, unknown>>): number;
  /** Checks a sender against the channel's settings, before a message is sent. Secrets in `config` may still be encrypted. */
  checkSender?(sender: MessageSender, config: Readonly<Record<string, unknown>>): SenderProblem[];
  /** The headers of a mail that matter to its reader, as text. Left out: its messages are not mails. Secrets in `config` may still be encrypted. */
  shownHead?(message: MailHead, config: Readonly<Record<string, unknown>>): Record<string, string>;
  /** Compares the settings with the DNS records of the domains that its mails come from. `organization`: the slug of the one that asks. A problem: the settings are wrong. */
  checkDomains?(config: ChannelConfig, organization: string): Promise<DomainFinding[] | { problem: string }>;
  /**
   * Tries the settings and sends nothing. Never throws. Left out: its provider has no call for it; null: none for these settings. `organization`: the
   * slug of the one that asks.
   */
  checkSettings?(config: ChannelConfig, organization: string): Promise<SettingsCheck | null>;
  /**
   * Compares templates that messages name with those of the provider, and answers for each in the same order. Never throws. Left out: its provider has
   * none, or no call for it.
   */
  checkTemplates?(
    config: ChannelConfig,
    organization: string,
    templates: readonly NonNullable<RichMessage['template']>[],
  ): Promise<TemplateCheck[]>;
  /** Whether the provider may charge for `checkSettings`. */
  readonly isCheckCharged?: true;
  /** Whether it keeps short-lived tokens of its channels for all processes. They are deleted when the settings change. */
  readonly storesTokens?: true;
  /** Makes one attempt. Never throws: every failure is an outcome. `channelId`: of a stored channel, which its tokens and connections belong to. */
  send(message: Message, config: ChannelConfig, channelId?: number): Promise<Outcome>;
  /** Reads what the provider of a channel reports about its messages; null: the channel has no key to check reports with. */
  reports?(config: ChannelConfig): ReportReader | null;
  /** Whether its messages tell the provider where to report: they need `reportUrl`. */
  readonly tellsReportUrl?: true;
  /** What to set up at the provider, so that it reports to the URL of a channel. */
  readonly reportSetups?: readonly ReportSetup[];
  /** Closes idle connections. */
  close?(): Promise<void>;
}

/** How one provider is told to report. */
interface ReportSetup {
  /** The value of the setting `report_service`, for a type that many providers speak. Null: its own provider. */
  service: string | null;
  /** Full sentences for the person who is signed in there. */
  steps: string;
}

/**
 * Whether a provider accepts the settings of a channel. `answer` is what it said. The fault is that of the `channel` if its settings or its account must
 * be corrected, and that of the `provider` if it could not say.
 */
export type SettingsCheck = { ok: true; answer: string } | { ok: false; answer: string; fault: 'channel' | 'provider' };

/** Whether the provider would take a message with a template. `ok: null`: it is not known, and `problem` says why. */
export type TemplateCheck = { ok: true } | { ok: false | null; problem: string };

type MessagePart =
  | 'subject'
  | 'text'
  | 'html'
  | 'from'
  | 'reply_to'
  | 'headers'
  | 'url'
  | 'image'
  | 'actions'
  | 'data'
  | 'template';

/** Who sends a message, where the channel leaves that to its templates. A part that is left out is as the channel's settings say. */
export interface MessageSender {
  from?: string;
  reply_to?: string;
  /** More headers of a mail, by name. */
  headers?: Readonly<Record<string, string>>;
}

/** What a message has besides its text, for channels that show more. */
export interface RichMessage {
  /** Where a click on it leads: an http or https URL, or a path on the site that shows it. */
  url?: string;
  /** The https URL of a picture. */
  image?: string;
  /** Buttons. */
  actions?: readonly MessageAction[];
  /** For the app that shows the message. */
  data?: Readonly<Record<string, unknown>>;
  /** A template that the provider has, which it sends instead of the text. */
  template?: MessageTemplate;
  /** What was left out of these or cut, and why: full sentences that begin with the name of the part. */
  left_out?: readonly string[];
}

/** A template of the provider, with the values of its parameters. */
interface MessageTemplate {
  name: string;
  language: string;
  parameters?: {
    /** By position, or by name. */
    header?: readonly string[] | Readonly<Record<string, string>> | null;
    body?: readonly string[] | Readonly<Record<string, string>> | null;
    /** By the position of the button. Null: the button has no parameter. */
    buttons?: readonly (string | null)[] | null;
  } | null;
}

/** A link that a message offers as a button. */
interface MessageAction {
  label: string;
  url: string;
}

/** Why a part of a sender cannot be used. The sentence goes on after the name of the part. */
export interface SenderProblem extends FieldError {
  part: 'from' | 'reply_to' | 'headers' | `headers.${string}`;
}

/** One setting of a channel. Secret ones are encrypted at rest and masked when read. */
export interface ConfigField {
  key: string;
  label: string;
  kind: 'string' | 'integer' | 'boolean' | 'url' | 'choice' | 'certificates' | 'private_key' | 'text';
  required: boolean;
  secret: boolean;
  /** For a secret: the settings that decide who gets it. When one of them changes (of a URL, its origin), the secret must be given again. */
  goesTo?: readonly string[];
  /** The allowed values of a `choice`. */
  choices?: readonly string[];
  min?: number;
  max?: number;
  /** Checks a new value further. A stored value that an earlier release accepted stays valid. */
  problem?: (value: string) => string | null;
  help?: string;
}

/** A channel's decrypted settings, checked against its dispatcher's fields. */
export type ChannelConfig = Readonly<Record<string, string | number | boolean>>;

/** One message to one user, or one post to a room, over one channel. */
export interface Message {
  /** The same at every attempt, so that a provider can recognise a repeat. */
  id: string;
  /** The user's address; empty for a dispatcher that needs no address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Left out: the channel's settings say who sends it. */
  sender?: MessageSender;
  /** Left out: it has only its text. */
  rich?: RichMessage;
  /** Where the message comes from and who gets it, for dispatchers that send data in addition to the text. */
  about: {
    occurrence: string;
    organization: string;
    project: string;
    application: string;
    event: string;
    /** Null for a post to a room. */
    user: string | null;
  };
  /** The context of the trigger. */
  context: Readonly<Record<string, unknown>>;
  /** After this it must not arrive any more, as far as the provider can tell. Left out: it may. */
  expiresAt?: Date;
  /** Left out: normal. */
  priority?: 'critical' | 'normal' | 'bulk';
  /** Left out: it is not known which messages are about the same thing. */
  thread?: MessageThread;
  /** The slug of the category of its event. Left out: it has none. */
  category?: string;
  /** How many messages are unread in the inbox of its reader. Left out: its channel does not ask for it. */
  unread?: number;
  /** With a digest: what it carries. `context` is that of its last item. */
  digest?: DigestData;
  /** Left out: it has no files. */
  attachments?: readonly MessageAttachment[];
  /** With a message that the user can unsubscribe from: for dispatchers that tell mail programs. */
  list?: MailingList;
  /** The URL of the channel's reports, for dispatchers that tell it. Left out: the provider could not reach it. */
  reportUrl?: string;
}

/** Which messages are about one thing, for devices that show them. Each ID has at most 64 bytes. */
export interface MessageThread {
  /** Messages with the same one belong together. */
  group: string;
  /** A message takes the place of the one before with the same ID. Letters, digits, `_` and `-`. */
  replaces: string;
}

/** The id by which a device knows what a message replaces: only itself, if it is repeated, or the message before of its thread. */
export const collapseId = ({ id, thread }: Pick<Message, 'id' | 'thread'>): string => thread?.replaces ?? id;

/** What the headers of a mail are made of. */
export type MailHead = Pick<Message, 'to' | 'sender' | 'list'>;

/** A file of a message. */
export interface MessageAttachment {
  filename: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** With it, HTML shows the file by `cid:`. */
  cid?: string;
  /** Where anybody who has the link gets the file, until the link expires; null: without a `PUBLIC_URL`. */
  url: string | null;
  /** For a dispatcher that carries files: base64 in lines of 76 characters. All messages share it. */
  content?: Buffer;
}

/** What a digest carries. */
export interface DigestData {
  count: number;
  /** The contexts of its first items. */
  items: Record<string, unknown>[];
  /** How many items are not in `items`. */
  more: number;
  first_at: string;
  last_at: string;
  /** Of messages of a category that the user wants in one, so often: they may be of several events. Left out: of one notification. */
  frequency?: 'daily' | 'weekly';
}

/** The category of a message, as mail programs see it. */
export interface MailingList {
  name: string;
  /** Looks like a host name. */
  id: string;
  /** A POST to this URL unsubscribes. */
  unsubscribe: string;
}

/** Why an address is of no use any more: it does not exist, or its owner asked the provider to stop. */
export type Suppresses = 'hard_bounce' | 'stop';

/**
 * Whose fault a refusal is. It alone decides what happens:
 *
 * - `recipient`: the message is dead, and its address is suppressed.
 * - `device`: the same, for an address that is one device or browser.
 * - `message`: the message is dead. Other messages to the address, and other messages over the channel, are not affected.
 * - `channel`: the credentials, the sender or another setting. The channel pauses; the message waits, and no address is suppressed.
 */
export type Fault = 'recipient' | 'device' | 'message' | 'channel';

/** The result of one attempt; `answer` is the provider's answer. */
export type Outcome =
  /** `providerId` is the id by which the provider's reports name the message. */
  | { kind: 'sent'; answer: string; providerId?: string }
  /**
   * The provider refused the message, and would refuse it again. `cause` says more about the recipient: `stop`, the owner of the address asked
   * the provider to stop; `soft_bounce`, other messages may still arrive, such as after a full mailbox, so the address is suppressed only after
   * several of them (SUPPRESS_AFTER_FAILURES). With `isLocal`, the dispatcher refused the message and did not call the provider. `goneAt`, for the fault
   * `device`: since when the provider knows that the device is gone. `setsAside`: see below.
   */
  | {
      kind: 'rejected';
      answer: string;
      fault: Fault;
      cause?: 'stop' | 'soft_bounce';
      isLocal?: true;
      goneAt?: Date;
      setsAside?: true;
    }
  /**
   * The message may be sent later, but not before `afterSeconds` if the provider gave a time. With `isSlowDown` the provider asks for
   * fewer messages a second: the channel slows down, and the attempt does not count towards the limit. With `mayHaveArrived` the provider
   * got the whole message, but its answer was lost. With `isLocal` the provider was not called: it says nothing about the channel.
   *
   * A retry counts as a failure of the channel. Not if it is `about` the recipient. If it may be about either, it counts once for each
   * recipient: a channel that fails refuses all of them. With `setsAside` that is not so for a device that its app has registered, which has said what
   * it is: such a device gets no messages until it registers again.
   */
  | {
      kind: 'retry';
      answer: string;
      afterSeconds?: number;
      isSlowDown?: true;
      mayHaveArrived?: true;
      isLocal?: true;
      about?: 'recipient' | 'either';
      setsAside?: true;
    };
