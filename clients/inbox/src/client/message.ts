/** An in-app message, as the service answers it. */
export interface InboxMessage {
  id: number;
  subject: string;
  text: string;
  html: string;
  /** Where a click leads: an http or https URL, or a path on your site. */
  url: string | null;
  /** The https URL of a picture. */
  image: string | null;
  /** Links to show as buttons. */
  actions: readonly MessageAction[];
  /** What the template says to your app. */
  data: Readonly<Record<string, unknown>> | null;
  category: { slug: string; name: string } | null;
  /** The slug of its event, and the id of its occurrence. */
  event: string | null;
  occurrence: string | null;
  /** `open`: somebody should acknowledge its occurrence. `done`: somebody has. Null: the message does not ask for it, or it is over. */
  acknowledge: 'open' | 'done' | null;
  /** When it was stored, or returned from being snoozed. */
  created_at: string;
  seen_at: string | null;
  read_at: string | null;
  archived_at: string | null;
  /** When a snoozed message returns, as a new message with a new id. */
  snoozed_until: string | null;
}

export interface MessageAction {
  label: string;
  url: string;
}

/** Who takes care of what a message is about. */
export interface Acknowledgement {
  /** The e-mail. */
  user: string;
  at: string;
  note: string;
}

/** A category of the messages in the inbox. */
export interface Category {
  slug: string;
  name: string;
  unread: number;
}

/** Some of the messages. Without a state: those that are neither archived nor snoozed. */
export interface View {
  state?: 'unread' | 'unseen' | 'archived' | 'snoozed';
  /** The slug of a category. */
  category?: string;
}

/** By time: after an organization has moved to another cell, a newer message may have a lower id. */
export const isNewer = (a: InboxMessage, b: InboxMessage) =>
  a.created_at === b.created_at ? a.id > b.id : a.created_at > b.created_at;

/** How many messages are unread, and how many the user has not seen yet. The service counts up to 1,000. */
export interface Counts {
  unread: number;
  unseen: number;
}

/** A page of messages, newest first. */
export interface InboxPage {
  messages: InboxMessage[];
  /** Give it as `after` to get the next page. Null on the last page. */
  next: string | null;
  counts: Counts;
}

export type MarkAs = 'seen' | 'read' | 'unread' | 'archived' | 'unarchived' | 'snoozed' | 'unsnoozed' | 'deleted';

/** Some messages, or all up to and including one. */
export type Which = { messages: number[] } | { upTo: number };

/** `live`: events arrive. `waiting`: the connection was lost, the next attempt waits. `offline`: the browser has no network. */
export type Status = 'connecting' | 'live' | 'waiting' | 'offline';

/** How the organization looks. Null: it has not set this. */
export interface Brand {
  name: string;
  /** Its color, so that text in it can be read on a light and on a dark background. */
  accent: { light: string; dark: string } | null;
  logo: { url: string; width: number; height: number } | null;
  /** Texts of the element by language. */
  texts: Record<string, Record<string, string>>;
}

export type InboxEvent =
  /** A new message. */
  | { type: 'message'; message: InboxMessage; counts: Counts }
  /** The state of messages may have changed, here or elsewhere. Read the list again. */
  | { type: 'counts'; counts: Counts }
  /** How the organization looks: after the first counts, if there is anything to say. */
  | { type: 'brand'; brand: Brand }
  /** `problem` says why the stream is not live. */
  | { type: 'status'; status: Status; problem: string | null };
