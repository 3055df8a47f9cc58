export { InboxClient } from './client/inbox-client.js';
export type { InboxOptions, ListOptions } from './client/inbox-client.js';
export { InboxError } from './client/inbox-error.js';
export { InboxList } from './client/inbox-list.js';
export type {
  Brand,
  Category,
  Counts,
  InboxEvent,
  InboxMessage,
  InboxPage,
  MarkAs,
  MessageAction,
  Status,
  View,
  Which,
} from './client/message.js';
export type { TokenFunction } from './client/token-source.js';
