/** The kinds of files that people are read from and written to. */
export const PEOPLE_FORMATS = ['csv', 'ndjson'] as const;
export type PeopleFormat = (typeof PEOPLE_FORMATS)[number];
