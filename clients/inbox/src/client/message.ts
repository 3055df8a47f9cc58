/** An in-app message, as the service answers it. */
export interface InboxMessage {
  id: number;
  subject: string;
  text: string;
  html: string;
  created_at: string;
  seen_at: string | null;
  read_at: string | null;
  archived_at: string | null;
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

export type MarkAs = 'seen' | 'read' | 'unread' | 'archived' | 'unarchived';

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
