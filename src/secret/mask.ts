/** Stands for a secret wherever settings are read. */
export const MASK = '********';
