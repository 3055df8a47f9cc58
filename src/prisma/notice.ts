/** What processes tell each other by NOTIFY, in one list. */
export const Notice = {
  /** In-app messages were stored: `[[organization, user, message], ...]`. */
  Inbox: 'carillon_inbox',
  /** Occurrences wait to be expanded, in the lane that it names. */
  Expand: 'carillon_expand',
} as const;
