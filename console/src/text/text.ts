import { en } from './en';

/** Every text of the console. Another language is another file like en.ts. */
export const text = en;
