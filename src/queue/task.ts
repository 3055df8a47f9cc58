/** Every kind of job, in one list. Payloads carry ids only. */
export const Task = {
  /** Occurrences whose people are to be worked out. */
  Expand: 'expand',
  /** Some people of one rule and channel of an occurrence, to be sent their messages. */
  Deliver: 'deliver',
} as const;

/** SQL for the one key of a chunk's job: occurrence, notification, channel, after, last. */
export const jobKey = (...parts: string[]) => `concat_ws(':', ${parts.map((part) => `(${part})::text`).join(', ')})`;

export interface ExpandPayload {
  occurrences: string[];
}

export interface DeliverPayload {
  occurrence: string;
  notification: number;
  channel: number;
  /** The users with `after` < id <= `last`. */
  after: number;
  last: number;
}

export interface Payloads {
  [Task.Expand]: ExpandPayload;
  [Task.Deliver]: DeliverPayload;
}

/** One function for every task: a task without one does not compile. It stops early, and hands back the rest, when told to. */
export type TaskFunctions = {
  [Name in keyof Payloads]: (payload: Payloads[Name], stopping: AbortSignal) => Promise<void>;
};
