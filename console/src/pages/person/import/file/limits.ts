/** Of a file that is imported. An export is not larger. */
export const MAX_MB = 20;
export const MAX_LINES = 100_000;
