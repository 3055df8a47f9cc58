import type { TemplateParts, TextParts, TranslatedParts } from '../template/template.js';
import { lookup } from './lookup.js';
import { languagesFor } from './messages.js';

/** A template in one language. */
interface InLanguage {
  parts: TemplateParts;
  /** The first language that its texts come from; null: the template itself. */
  language: string | null;
}

/**
 * The template for a locale. A part that a translation lacks comes from the next language in line. `html` and `markdown` are one part: the one
 * replaces the other. The same languages always give the same object, so that the renderer knows it.
 */
export function translate(template: TranslatedParts, locale: string, usual: string | null): InLanguage {
  if (!template.translations)
    return { parts: template, language: languagesFor(template.messages ?? {}, locale, usual)[0] ?? null };
  const { translations, ...base } = template;
  const languages = lookup(translations, locale, usual);
  const known = knownFor(translations);
  const key = languages.join(' ');
  const found = known.get(key);
  if (found) return found;
  const parts = languages.reduceRight<TemplateParts>((below, each) => over(translations[each]!, below), base);
  const lang = languages.find((each) => hasBody(translations[each]!, !!(base.html || base.markdown)));
  const made = { parts: lang ? { ...parts, lang } : parts, language: languages[0] ?? null };
  known.set(key, made);
  return made;
}

/** Whether the body is in this language. Of a message with HTML, the HTML is its body. */
const hasBody = ({ text, html, markdown }: TextParts, isHtml: boolean) => !!(html || markdown || (!isHtml && text));

function over(translation: TextParts, below: TemplateParts): TemplateParts {
  const body = translation.html || translation.markdown ? { html: null, markdown: null } : {};
  const given = Object.entries(translation).filter(([, source]) => source);
  return { ...below, ...body, ...(Object.fromEntries(given) as TextParts) };
}

type Translations = NonNullable<TranslatedParts['translations']>;

/** Of templates in cached rulesets: many small occurrences use the same object. */
const cache = new WeakMap<Translations, Map<string, InLanguage>>();

function knownFor(translations: Translations): Map<string, InLanguage> {
  const known = cache.get(translations) ?? new Map<string, InLanguage>();
  cache.set(translations, known);
  return known;
}
