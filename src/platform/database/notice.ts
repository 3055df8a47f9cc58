/** The channels of NOTIFY between processes, in one list. */
export const Notice = {
  /** In-app messages were stored. Payload: `[[organization, user, message], ...]`. The message 0: messages of the user were marked. */
  Inbox: 'carillon_inbox',
  /** Jobs are ready. Payload: which of the two kinds. The trigger `notify_of_jobs` of the table `jobs` announces the others. */
  Jobs: { name: 'carillon_jobs', expand: 'expand', others: 'others' },
} as const;
