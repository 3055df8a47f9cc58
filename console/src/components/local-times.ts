import { locale } from '../text/language';

const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const clock = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** A sentence of the service, with its times by the clock of whoever reads it. */
export const localTimes = (sentence: string) =>
  sentence.replaceAll(INSTANT, (instant) => clock.format(new Date(instant)));
