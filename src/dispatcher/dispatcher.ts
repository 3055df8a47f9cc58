/** A dispatcher speaks one provider's protocol. It knows no database and no template. */
export interface Dispatcher {
  /** What a channel's `type` says. */
  readonly type: string;
  /** What a person reads. */
  readonly label: string;
  /** What a channel of this type must and may configure. */
  readonly fields: readonly ConfigField[];
  /** What is wrong with settings that are fine one by one; null when nothing is. */
  check?(config: ChannelConfig): string | null;
  /** The kind of address a person needs to be reached this way; none when they need not have any. */
  readonly addressKind: string | null;
  /** The same, where it depends on the settings: which of them are set, secrets unopened. */
  addressKindFor?(config: Readonly<Record<string, unknown>>): string | null;
  /** Which parts of a message it uses. */
  readonly parts: readonly MessagePart[];
  /** One attempt. It never throws: whatever happens is an outcome. */
  send(message: Message, config: ChannelConfig): Promise<Outcome>;
  /** Lets go of kept-open connections. */
  close?(): Promise<void>;
}

export type MessagePart = 'subject' | 'text' | 'html';

/** One setting of a channel. Secret ones are encrypted at rest and masked when read. */
export interface ConfigField {
  key: string;
  label: string;
  kind: 'string' | 'integer' | 'boolean' | 'url' | 'choice';
  required: boolean;
  secret: boolean;
  /** Of a secret that travels: the settings that say where to. When one of them changes, it must be given anew. */
  goesTo?: readonly string[];
  /** The allowed values of a `choice`. */
  choices?: readonly string[];
  min?: number;
  max?: number;
  help?: string;
}

/** A channel's settings in the clear, checked against its dispatcher's fields. */
export type ChannelConfig = Readonly<Record<string, string | number | boolean>>;

/** What is sent to one person over one channel. */
export interface Message {
  /** The same at every attempt: what a provider recognises a repeat by. */
  id: string;
  /** Where the person is reached; empty for a dispatcher that needs no address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Names of what the message is about, for providers that carry data. */
  about: {
    occurrence: string;
    organization: string;
    project: string;
    application: string;
    event: string;
    user: string;
  };
}

/** What became of one attempt; `answer` is the provider's own words. */
export type Outcome =
  | { kind: 'sent'; answer: string }
  /** It will never work: no retry. */
  | { kind: 'rejected'; answer: string }
  /** It may work later, not before `afterSeconds` if the provider named a time. */
  | { kind: 'retry'; answer: string; afterSeconds?: number };
