import type { CompiledWhen } from '../../../platform/field/expression/when.js';
import type { ReportedEvent, ReportKind, ReportRequest } from '../../report/report.js';
import type { Handshake } from './handshake.js';
import type { Verifier } from './verify/verifier.js';

/** How a file says that its provider reports. docs/provider-files.md describes each part. */
export interface DescribedReports {
  /** One of them must hold. */
  verifiers: readonly Verifier[];
  /** JMESPath over `headers`, `body` and `query`: an event, or a list of them. */
  events: CompiledWhen;
  /** Our states by the provider's names. */
  kinds: Readonly<Record<string, ReportKind>>;
  /** How it tries the URL before it reports; null: it does not. */
  handshake: Handshake | null;
  /** Sentences for the person who is signed in at the provider. */
  setup: string;
  examples: readonly ReportExample[];
}

/** A reader that is code. */
export interface NamedReports {
  reader: string;
  /** The setting with its key. */
  key: string;
}

/** A request of the provider, and what it says. */
export interface ReportExample {
  name: string;
  request: ReportRequest;
  expect: readonly ShownEvent[];
}

/** An event as examples write it. */
export type ShownEvent = Omit<Partial<ReportedEvent>, 'eventId' | 'at' | 'providerId' | 'number'> & {
  event_id?: string;
  at?: string;
  provider_id?: string;
  address?: string;
};
