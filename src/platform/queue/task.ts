import type { Priority } from './priority.js';

/** Every kind of job, in one list. Payloads carry ids only. */
export const Task = {
  /** Expands occurrences that were just triggered, and sends their messages and those of closed digests. Workers take many of these jobs at once. */
  Expand: 'expand',
  /** Expands one occurrence in chunks: it is large, or it comes back after a pause, an approval or a failure. */
  ExpandOne: 'expand-one',
  /** Sends the messages of one chunk: some users of one rule and channel of an occurrence. */
  Deliver: 'deliver',
  /** Takes the later steps of a notification of an occurrence, for all its users. */
  Step: 'step',
  /** Marks the waiting deliveries of a canceled occurrence as canceled. */
  Cancel: 'cancel',
  /** Makes the dead deliveries of an occurrence pending again. */
  Retry: 'retry',
  /** Ends the waiting messages of a chunk without sending them: they were discarded, or waited too long for a channel that is off. */
  Skip: 'skip',
  /** Reports the outcomes of some deliveries to the status webhook of their application. */
  Report: 'report',
  /** Writes reports of a provider that came before their delivery was stored. */
  ApplyReports: 'apply-reports',
  /** Removes the data of an erased user from messages, attempts and occurrences. */
  Erase: 'erase',
} as const;

interface ExpandPayload {
  occurrences: string[];
  /** Set if the occurrences carry digests: they have their deliveries already. */
  digests?: true;
}

export interface ExpandOnePayload {
  occurrence: string;
}

export interface DeliverPayload {
  occurrence: string;
  notification: number;
  channel: number;
  /** The job sends to users with `after` < id <= `last`. */
  after: number;
  last: number;
  /** Set when the channel is a fallback without a template of its own: the channel whose template it uses. */
  template: number | null;
  /** Number of the deliveries that one retry or fallback made pending together; null: as they were expanded. */
  lot: string | null;
  priority: Priority;
}

export interface StepPayload {
  occurrence: string;
  notification: number;
  /** For each later step: all users up to this one have got its messages, or will not get them. Left out: nobody has. */
  settled?: number[];
  /** Where it was interrupted; left out: it begins a new pass. */
  pass?: StepPass;
}

/** What is known of the messages of the steps before one with its own users. */
export interface StepSurvey {
  isProven: boolean;
  /** Of the messages of each channel, in milliseconds since 1970. */
  channels: Record<string, StepTimes>;
}

export interface StepTimes {
  /** When the first was sent, and would have been repeated for the last time; null: none was sent. */
  sent: number | null;
  /** When the first that still waits is tried; null: none waits. */
  next: number | null;
  /** When it was decided of the last that it is not sent; null: of none. */
  decided: number | null;
}

export interface StepPass {
  /** Index of the later step. */
  step: number;
  /** Of a step with its own users: what is known until `after`. */
  survey?: StepSurvey;
  /** Of a step with its own users that is taken: the index of the channel, whose users until `after` have got it. */
  telling?: number;
  /** The last user of this step that was looked at. */
  after: number;
  /** The first user of this step who is not due yet. */
  firstWaiting: number | null;
  /** When the next user is due, in milliseconds since 1970; null: nobody waits. */
  next: number | null;
  tookMs: number;
}

/** A deliver job that became a job which skips its deliveries. */
export interface SkipPayload extends DeliverPayload {
  gate: 'canceled' | 'expired';
  evidence: Record<string, unknown> | null;
}

export interface SteerPayload {
  occurrence: string;
  /** The last delivery that was handled. */
  after?: [notification: number, channel: number, user: number] | null;
}

export interface ReportPayload {
  /** The receiver recognises a repeated report by this id. */
  id: string;
  application: number;
  /** When the outcomes were written. */
  at: string;
  deliveries: [delivery: number, attempt: number, outcome: string][];
  /** Instead of deliveries: the id of the acknowledgement that it reports. */
  acknowledgement?: number;
  /** How many attempts have failed. */
  tries: number;
}

/** A report of a provider about one delivery, which it names by our reference or by its own id. */
export interface ProviderReport {
  channel: number;
  organization: number;
  occurrence: string | null;
  delivery: string | null;
  provider_id: string | null;
  event: string;
  state: string;
  at: string;
  by: string | null;
  detail: string;
}

export interface ApplyReportsPayload {
  reports: ProviderReport[];
  /** When they were received. */
  since: string;
}

export interface ErasePayload {
  organization: number;
  user: number;
  /** Their addresses. The only payload with personal data: the rows that had them are gone. */
  addresses: string[];
  /** Where the search through occurrences continues. */
  event?: number;
  after?: string;
  /** The second pass is for messages that were being sent when the user was deleted. */
  isSecond?: boolean;
}

interface Payloads {
  [Task.Expand]: ExpandPayload;
  [Task.ExpandOne]: ExpandOnePayload;
  [Task.Deliver]: DeliverPayload;
  [Task.Step]: StepPayload;
  [Task.Skip]: SkipPayload;
  [Task.Cancel]: SteerPayload;
  [Task.Retry]: SteerPayload;
  [Task.Report]: ReportPayload;
  [Task.ApplyReports]: ApplyReportsPayload;
  [Task.Erase]: ErasePayload;
}

/** A job that a worker has taken. */
export interface Job<Name extends keyof Payloads = keyof Payloads> {
  id: string;
  task: Name;
  organizationId: number;
  lane: string;
  size: number;
  /** How often it was taken, this time included. */
  attempts: number;
  payload: Payloads[Name];
}

/** What is left of a job that has run: it waits for a time, with a new payload if there is one, or until a switch is on again. */
export type Remainder<Payload> = { waitMs: number; payload?: Payload } | { off: [kind: string, id: number] };

/** Tasks that run one job at a time. On `stopping` a task ends early. It returns what is left; nothing: the job is done. */
export type TaskFunctions = {
  [Name in Exclude<keyof Payloads, typeof Task.Expand>]: (
    payload: Payloads[Name],
    stopping: AbortSignal,
  ) => Promise<Remainder<Payloads[Name]> | undefined>;
};

/** SQL for each part of a payload. */
export type SqlOf<Payload> = { [Name in keyof Payload]: string };
