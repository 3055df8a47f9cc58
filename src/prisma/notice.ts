/** What processes tell each other by NOTIFY, in one list. */
export const Notice = {
  /** In-app messages were stored: `[[organization, user, message], ...]`. */
  Inbox: 'carillon_inbox',
} as const;
