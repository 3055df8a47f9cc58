/** The texts of the inbox element that an organization can replace, and the values that each may show. The element has the texts. */
export const OF_INBOX: Readonly<Record<string, readonly string[]>> = {
  inbox_title: [],
  inbox_unseen_count: ['n'],
  inbox_unread_count: ['n'],
  inbox_read_all: [],
  inbox_archive: [],
  inbox_unread: [],
  inbox_empty: [],
  inbox_empty_hint: [],
  inbox_more: [],
  inbox_loading: [],
  inbox_read_error: [],
  inbox_change_error: [],
  inbox_interrupted: [],
  inbox_offline: [],
  inbox_retry: [],
  inbox_new_message: ['subject'],
  inbox_new_messages: ['n'],
  inbox_snoozed: [],
  inbox_archived: [],
  inbox_snooze: [],
  inbox_delete: [],
  inbox_acknowledge: [],
};

/** The name in the element: `readAll` for `inbox_read_all`. */
export const nameInElement = (name: string) =>
  name.replace('inbox_', '').replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
