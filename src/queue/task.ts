/** Every kind of job, in one list. Its payload carries ids only. */
export const Task = {
  /** Occurrences whose people are to be worked out: `{ "occurrences": [id, ...] }`. */
  Expand: 'expand',
} as const;
