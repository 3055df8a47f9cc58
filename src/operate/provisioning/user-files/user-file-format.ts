/** The file formats of `import` and `export`. */
export const USER_FILE_FORMATS = ['csv', 'ndjson'] as const;
export type UserFileFormat = (typeof USER_FILE_FORMATS)[number];
