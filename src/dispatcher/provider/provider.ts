import type { CompiledWhen } from '../../platform/field/expression/when.js';
import type { ConfigField, Dispatcher, Fault } from '../dispatcher.js';
import type { DescribedReports, NamedReports } from './report/described-reports.js';
import type { ProviderRequest } from './request/request.js';
import type { Variables } from './value.js';

/** A provider file, read and checked. docs/provider-files.md describes each part. */
export interface ProviderFile {
  type: string;
  label: string;
  /** The page that its facts were read from. */
  documentation: string | null;
  parts: Dispatcher['parts'];
  /** The kind of address that a user needs; null: its channels are one room or one URL for everyone. */
  address: string | null;
  /** Why an address is none of this kind; null: it is not checked. */
  addressProblem: ((to: string) => string | null) | null;
  /** With a condition that makes the channel a room after all. JMESPath over `settings`. */
  roomIf: CompiledWhen | null;
  /** The settings of a channel, with those that every mail service has. */
  fields: readonly ConfigField[];
  /** Values of settings that the examples use. */
  samples: Readonly<Record<string, string | number | boolean>>;
  /** Settings that are refused. */
  refuse: readonly RefusedSettings[];
  /** The first whose condition holds is sent. */
  requests: readonly ProviderRequest[];
  /** Whether a request names `message.report_url`. */
  tellsReportUrl: boolean;
  /** Whether a request names `message.unread`. */
  showsUnread: boolean;
  outcomes: readonly OutcomeEntry[];
  limits: ProviderLimits;
  /** How its provider reports; null: it does not. */
  reports: NamedReports | DescribedReports | null;
  /** A call that tells whether the settings are right, and sends nothing. */
  test: ProviderTest | null;
  examples: readonly Example[];
  /** Whether a customer wrote it, and chose its host. */
  isOwn: boolean;
  /** Whether its requests are sent with tokens that all processes share. */
  needsTokens: boolean;
  transport: 'http1' | 'http2';
}

/** Settings that no message can be sent with. */
export interface RefusedSettings {
  /** Whether the settings of a channel are such ones. */
  applies(config: Readonly<Record<string, unknown>>, plain: Variables): boolean;
  because: string;
  /** Whether a message rests with its channel. Otherwise it is tried again until its attempts are used up. */
  pauses: boolean;
}

/** What an answer means. The expressions are JMESPath over the answer. */
export interface OutcomeEntry {
  when: CompiledWhen;
  then: 'sent' | 'retry' | 'rejected';
  providerId: CompiledWhen | null;
  fault: Fault;
  cause: 'stop' | 'soft_bounce' | null;
  slowDown: boolean;
  /** Whether a device that its app has registered gets no messages until it registers again. */
  setsAside: boolean;
  /** Since when a device is gone, in milliseconds since 1970. */
  goneAt: CompiledWhen | null;
  /** What it says about the token of the request. `renew`: another one may do, so the message is sent once more with it. `hold`: it must not be renewed for a while. */
  token: 'renew' | 'hold' | null;
  /** With HTTP/2: the next request needs another connection. */
  newConnection: boolean;
  retryAfter: CompiledWhen | null;
  about: 'recipient' | 'either' | null;
  /** What to do about it, for people; null: the answer says enough. */
  advice: string | null;
  /** Whether the message is sent at once without `message.report_url`, if it had one. */
  withoutReportUrl: boolean;
}

export interface ProviderLimits {
  /** The most UTF-16 units of the subject and of the text; longer ones are cut. */
  subject: number;
  text: number;
  /** The most bytes of a request's body. */
  bodyBytes: number;
  /** Whether the text is cut until the body fits, instead of refusing the message. */
  cutsText: boolean;
  /** The most bytes of `data` as JSON. */
  dataBytes: number;
  /** Names that `data` cannot have at its top. One that ends with `*` means all that begin so. */
  reservedData: readonly string[];
  attachments: boolean;
  /** Whether a message without subject and text is refused. */
  refusesEmpty: boolean;
}

/** A call that tells whether the settings are right, and sends nothing. */
export interface ProviderTest {
  request: ProviderRequest;
  /** JMESPath over the answer. */
  ok: CompiledWhen;
  /** JMESPath over the answer: what of a success is shown. An account has more than its owner may want to show, such as other keys. Null: nothing. */
  show: CompiledWhen | null;
  /** The page that describes the call. */
  documentation: string | null;
  /** Whether the provider may charge for it: then it is made only when somebody asks for it. */
  isCharged: boolean;
  examples: readonly TestExample[];
  /** A call that lists templates of the provider; null: it has none. */
  templates: TemplateListing | null;
}

/** A call that lists the templates of the provider with one name. */
export interface TemplateListing {
  /** The setting without which it cannot be made. */
  needs: string;
  request: ProviderRequest;
  /** JMESPath over the answer: a list of templates. */
  found: CompiledWhen;
  /** JMESPath over the answer: the `page` of the next call; nothing: there is none. */
  next: CompiledWhen;
}

/** An answer to the call, and what it means. */
export interface TestExample extends Pick<Example, 'name' | 'settings' | 'answer' | 'request'> {
  expect: { ok: true } | { ok: false; fault: 'channel' | 'provider' };
}

/** An answer of the provider, and what it means. */
export interface Example {
  /** For people: the answer in a few words. */
  name: string;
  settings: Readonly<Record<string, string | number | boolean>>;
  message: Readonly<Record<string, unknown>>;
  answer: { status: number; headers: Record<string, string>; text: string };
  /** What the provider is sent; null: the example does not say. */
  request: ExpectedRequest | null;
  expect: ExpectedOutcome;
}

export interface ExpectedRequest {
  method?: string;
  url?: string;
  headers?: Readonly<Record<string, string>>;
  json?: unknown;
  form?: Readonly<Record<string, unknown>>;
}

export interface ExpectedOutcome {
  kind: 'sent' | 'retry' | 'rejected';
  provider_id?: string;
  fault?: Fault;
  cause?: string;
  slow_down?: true;
  retry_after?: number;
  about?: string;
  sets_aside?: true;
  gone_at?: number;
}
