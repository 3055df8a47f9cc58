/** The file formats of `import` and `export`. */
export const PEOPLE_FORMATS = ['csv', 'ndjson'] as const;
export type PeopleFormat = (typeof PEOPLE_FORMATS)[number];
