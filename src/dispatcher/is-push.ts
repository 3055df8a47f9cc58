import type { Dispatcher } from './dispatcher.js';

/** Whether phones and browsers show the messages of a type among their notifications: these have a picture and no HTML. */
export const isPush = ({ parts }: Pick<Dispatcher, 'parts'>): boolean =>
  parts.includes('image') && !parts.includes('html');
