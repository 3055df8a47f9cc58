/** The channels of NOTIFY between processes, in one list. */
export const Notice = {
  /** In-app messages were stored. Payload: `[[organization, user, message], ...]`. */
  Inbox: 'carillon_inbox',
  /** Occurrences wait to be expanded. Payload: their lane. */
  Expand: 'carillon_expand',
} as const;
