/** A dispatcher speaks one provider's protocol. It knows no database and no template. */
export interface Dispatcher {
  /** The `type` of its channels. */
  readonly type: string;
  /** Name for people. */
  readonly label: string;
  /** The settings of a channel of this type. */
  readonly fields: readonly ConfigField[];
  /** Checks settings against each other, after each was checked alone. Returns the problem, or null. */
  check?(config: ChannelConfig): string | null;
  /** The kind of address that a person needs to be reached; null when no address is needed. */
  readonly addressKind: string | null;
  /** The kind of address, where it depends on which settings are set. Secrets are still encrypted here. */
  addressKindFor?(config: Readonly<Record<string, unknown>>): string | null;
  /** The parts of a message that it uses. */
  readonly parts: readonly MessagePart[];
  /** Makes one attempt. Never throws: every failure is an outcome. */
  send(message: Message, config: ChannelConfig): Promise<Outcome>;
  /** Closes idle connections. */
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
  /** For a secret: the settings that decide where it is sent. When one of them changes, the secret must be given again. */
  goesTo?: readonly string[];
  /** The allowed values of a `choice`. */
  choices?: readonly string[];
  min?: number;
  max?: number;
  help?: string;
}

/** A channel's decrypted settings, checked against its dispatcher's fields. */
export type ChannelConfig = Readonly<Record<string, string | number | boolean>>;

/** One message to one person over one channel. */
export interface Message {
  /** The same at every attempt, so that a provider can recognise a repeat. */
  id: string;
  /** The person's address; empty for a dispatcher that needs no address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Identifiers of the objects behind the message, for providers that carry data. */
  about: {
    occurrence: string;
    organization: string;
    project: string;
    application: string;
    event: string;
    user: string;
  };
}

/** The result of one attempt; `answer` is the provider's answer. */
export type Outcome =
  | { kind: 'sent'; answer: string }
  /** It will never work, so it is not retried. */
  | { kind: 'rejected'; answer: string }
  /** It may work later, but not before `afterSeconds` if the provider gave a time. */
  | { kind: 'retry'; answer: string; afterSeconds?: number };
