/** What the element says. `{n}` stands for a number, `{subject}` for the subject of a message. */
export const ENGLISH = {
  title: 'Notifications',
  unseenCount: 'Notifications, {n} new',
  unreadCount: 'Notifications, {n} unread',
  readAll: 'Mark all as read',
  archive: 'Archive',
  unread: 'Unread',
  empty: 'You are all caught up',
  emptyHint: 'New messages appear here.',
  more: 'Show older messages',
  loading: 'Loading',
  readError: 'The messages could not be loaded.',
  changeError: 'The change could not be saved.',
  interrupted: 'Live updates are interrupted.',
  offline: 'You are offline.',
  retry: 'Try again',
  newMessage: 'New message: {subject}',
  newMessages: '{n} new messages',
};

export type Texts = typeof ENGLISH;

export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** English, then the attribute, then the property. */
export function readTexts(json: string | null, texts: Partial<Texts>): Texts {
  try {
    return { ...ENGLISH, ...(json ? (JSON.parse(json) as Partial<Texts>) : {}), ...texts };
  } catch {
    console.error('carillon-inbox: the attribute `texts` must be a JSON object');
    return { ...ENGLISH, ...texts };
  }
}
