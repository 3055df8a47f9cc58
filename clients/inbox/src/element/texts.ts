import { LANGUAGES, inLanguage } from './languages.js';

/** What the element says. `{n}` stands for a number, `{subject}` for the subject of a message. */
export const ENGLISH = {
  title: 'Notifications',
  unseenCount: 'Notifications, {n} new',
  unreadCount: 'Notifications, {n} unread',
  readAll: 'Mark all as read',
  archive: 'Archive',
  unread: 'Unread',
  empty: 'You are all caught up',
  emptyHint: 'New messages appear here.',
  more: 'Show older messages',
  loading: 'Loading',
  readError: 'The messages could not be loaded.',
  changeError: 'The change could not be saved.',
  interrupted: 'Live updates are interrupted.',
  offline: 'You are offline.',
  retry: 'Try again',
  newMessage: 'New message: {subject}',
  newMessages: '{n} new messages',
  snoozed: 'Snoozed',
  archived: 'Archived',
  snooze: 'Snooze',
  delete: 'Delete',
  acknowledge: 'Acknowledge',
};

export type Texts = typeof ENGLISH;

export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

const NAMES = Object.keys(ENGLISH) as (keyof Texts)[];

/** German of `de-AT`. English stands in for languages that are not here. */
const languageOf = (tag: string): string => {
  const language = tag.toLowerCase().split('-')[0]!;
  return LANGUAGES.includes(language) ? language : 'en';
};

/** The texts of a language tag such as `de-AT`: German. */
export const textsOf = (tag: string): Texts => inLanguage(languageOf(tag), NAMES) ?? ENGLISH;

export const isRightToLeft = (language: string): boolean => /^(ar|he|fa|ur)\b/i.test(language);

/** What the page and the organization say instead. */
interface OwnTexts {
  /** Of the organization, by language. */
  ofBrand?: Record<string, Partial<Texts>>;
  /** The attribute. */
  json: string | null;
  /** The property. */
  texts: Partial<Texts>;
}

/** Those of the language, then of the organization, then the attribute, then the property. */
export function readTexts(tag: string, { ofBrand = {}, json, texts }: OwnTexts): Texts {
  const known = { ...textsOf(tag), ...ofBrand[languageOf(tag)] };
  try {
    return { ...known, ...(json ? (JSON.parse(json) as Partial<Texts>) : {}), ...texts };
  } catch {
    console.error('carillon-inbox: the attribute `texts` must be a JSON object');
    return { ...known, ...texts };
  }
}
