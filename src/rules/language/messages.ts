import { pluralRules } from '../template/region.js';
import { lookup } from './lookup.js';

/** The plural forms of `Intl.PluralRules`. */
export const PLURAL_FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;
type PluralForm = (typeof PLURAL_FORMS)[number];

/** One text, or a text for each plural form. */
export type MessageText = string | { readonly [Form in PluralForm]?: string };

/** The messages of a project: by language, then by key, such as `order.paid`. */
export type Messages = Readonly<Record<string, Readonly<Record<string, MessageText>>>>;

/** Every key that a language has. */
export const keysOf = (messages: Messages): Set<string> =>
  new Set(Object.values(messages).flatMap((texts) => Object.keys(texts)));

/** The messages of both. A key that both have has the same text in both. */
export function mergeMessages(some: Messages, more: Messages): Messages {
  const merged: Record<string, Messages[string]> = { ...some };
  for (const [language, texts] of Object.entries(more)) merged[language] = { ...merged[language], ...texts };
  return merged;
}

/** Messages that some languages have and others lack, as `de.order.paid`. */
export function untranslatedIn(messages: Messages): string[] {
  const keys = [...keysOf(messages)];
  return Object.entries(messages).flatMap(([language, texts]) =>
    keys.filter((key) => !Object.hasOwn(texts, key)).map((key) => `${language}.${key}`),
  );
}

interface FoundMessage {
  text: MessageText;
  language: string;
}

/** The languages that a message may come from: of the locale, of the organization, English, then the others by name. */
export const languagesFor = (messages: Messages, locale: string, usual: string | null): string[] => [
  ...lookup(messages, locale, usual),
  ...(Object.hasOwn(messages, 'en') ? ['en'] : []),
  ...Object.keys(messages).sort(),
];

/** The message for a locale, in the first language that has it. Null: there is none. */
export function findMessage(
  messages: Messages,
  key: string,
  locale: string,
  usual: string | null,
): FoundMessage | null {
  for (const language of languagesFor(messages, locale, usual)) {
    const texts = messages[language]!;
    if (Object.hasOwn(texts, key)) return { text: texts[key]!, language };
  }
  return null;
}

const PLACEHOLDER = /\{([A-Za-z_]\w*)\}/g;

/** Writes a message. `write` writes the value of a placeholder in a language; placeholders without a value stay. */
export function writeMessage(
  { text, language }: FoundMessage,
  values: Readonly<Record<string, unknown>>,
  write: (value: unknown, language: string) => string,
): string {
  const chosen = typeof text === 'string' ? text : pluralOf(text, Number(values.count), language);
  return chosen.replace(PLACEHOLDER, (given, name: string) =>
    Object.hasOwn(values, name) ? write(values[name], language) : given,
  );
}

/** Nothing has a form of its own in every language, if the message has one: `zero` is used for 0 in English, too. */
function pluralOf(forms: Exclude<MessageText, string>, count: number, language: string): string {
  const form =
    count === 0 && forms.zero !== undefined
      ? 'zero'
      : pluralRules(language).select(Number.isFinite(count) ? count : NaN);
  return forms[form] ?? forms.other ?? '';
}
