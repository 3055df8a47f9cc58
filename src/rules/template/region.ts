import { LRUCache } from 'lru-cache';

/** Where the reader of a message is: the locale and the time zone in force. */
export interface Region {
  locale: string;
  timeZone: string;
  /** The locale of the organization: its language comes next. Null or left out: it has none. */
  usual?: string | null;
}

export const NO_REGION: Region = { locale: 'en', timeZone: 'UTC' };

/** The formatters of `Intl` that templates use. */
type Formatter = Intl.DateTimeFormat | Intl.NumberFormat | Intl.ListFormat | Intl.RelativeTimeFormat | Intl.PluralRules;

/** Making a formatter takes about 50 us, and using it 1 us. Each holds some 10 KB outside of the heap of V8, so there are not many. */
const formatters = new LRUCache<string, Formatter>({ max: 200 });

function cached<Made extends Formatter>(key: string, make: () => Made): Made {
  const known = formatters.get(key) as Made | undefined;
  if (known) return known;
  const made = make();
  formatters.set(key, made);
  return made;
}

/** A language that `Intl` does not know is written as English. Without that, the language of the machine would decide. */
const languages = (locale: string) => [locale, 'en'];

type Style = 'short' | 'medium' | 'long' | 'full';

/** Throws on a style or a zone that does not exist. */
export const dateFormat = (locale: string, timeZone: string, dateStyle?: Style, timeStyle?: Style) =>
  cached(
    `date ${locale} ${timeZone} ${dateStyle} ${timeStyle}`,
    () => new Intl.DateTimeFormat(languages(locale), { timeZone, dateStyle, timeStyle }),
  );

/** Throws on a number of digits that `Intl` does not take. */
export const numberFormat = (locale: string, digits: number | undefined) =>
  cached(
    `number ${locale} ${digits}`,
    () =>
      new Intl.NumberFormat(languages(locale), { minimumFractionDigits: digits, maximumFractionDigits: digits ?? 20 }),
  );

/** Throws on a text that is not three letters. */
export const currencyFormat = (locale: string, currency: string) =>
  cached(
    `currency ${locale} ${currency}`,
    () => new Intl.NumberFormat(languages(locale), { style: 'currency', currency }),
  );

export const listFormat = (locale: string, type: 'conjunction' | 'disjunction') =>
  cached(`list ${locale} ${type}`, () => new Intl.ListFormat(languages(locale), { type }));

export const relativeFormat = (locale: string) =>
  cached(`relative ${locale}`, () => new Intl.RelativeTimeFormat(languages(locale)));

export const pluralRules = (locale: string) =>
  cached(`plural ${locale}`, () => new Intl.PluralRules(languages(locale)));
