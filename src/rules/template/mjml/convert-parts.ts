import { readLocale } from '../../../platform/field/region/locale.js';
import { checkTemplate } from '../template.js';
import type { TemplatePart, TemplateProblems, TextParts, TranslatedParts } from '../template.js';
import { mjmlToHtml } from './mjml-to-html.js';

/** Texts by language tag; '' for the template itself. So the MJML of a template is stored. */
export type ByLanguage = Readonly<Record<string, string>>;

/** What the MJML of a template becomes. */
export interface ConvertedMjml {
  html: ByLanguage;
  problems: TemplateProblems;
}

const LAYOUT_TOO = 'cannot have a layout around it: it is a whole mail. Write the layout in MJML, or leave it out';

/** Each text in MJML, and the name of its part. The language is spelled as it is stored. */
function sourcesOf(parts: TranslatedParts): { language: string; part: TemplatePart; source: string }[] {
  const own = parts.mjml ? [{ language: '', part: 'mjml' as const, source: parts.mjml }] : [];
  const others = Object.entries(parts.translations ?? {}).flatMap(([tag, { mjml }]) =>
    mjml ? [{ language: languageOf(tag), part: `translations.${tag}.mjml` as const, source: mjml }] : [],
  );
  return [...own, ...others];
}

function languageOf(tag: string): string {
  const read = readLocale(tag);
  return 'locale' in read ? read.locale : tag;
}

/** The MJML of a template in all its languages; null: none. */
export function mjmlOf(parts: TranslatedParts): ByLanguage | null {
  const sources = sourcesOf(parts);
  return sources.length > 0 ? Object.fromEntries(sources.map(({ language, source }) => [language, source])) : null;
}

/** Converts the MJML of a template whose Liquid is right. */
export function convertMjml(parts: TranslatedParts): ConvertedMjml {
  const html: Record<string, string> = {};
  const problems: TemplateProblems = {};
  for (const { language, part, source } of sourcesOf(parts)) {
    const converted = mjmlToHtml(source);
    const problem = 'problem' in converted ? converted.problem : checkTemplate(converted).html?.[0];
    if (problem !== undefined) problems[part] = [problem];
    else if (parts.layout) problems[part] = [LAYOUT_TOO];
    else if ('html' in converted) html[language] = converted.html;
  }
  return { html, problems };
}

/** The template with HTML in the place of its MJML: so it is stored, and so it can be rendered. */
export function withHtml<Parts extends TranslatedParts>(parts: Parts, html: ByLanguage): Parts {
  return inPlace(parts, (texts, language) =>
    html[language] === undefined ? texts : { ...texts, mjml: null, html: html[language] },
  );
}

/** The reverse: a template as it was written, from the one that is stored and its `mjmlOf`. */
export function withMjml<Parts extends TranslatedParts>(parts: Parts, mjml: ByLanguage | null): Parts {
  return inPlace(parts, (texts, language) =>
    mjml?.[language] === undefined ? texts : { ...texts, html: null, mjml: mjml[language] },
  );
}

type Replace = <Texts extends TextParts>(texts: Texts, language: string) => Texts;

function inPlace<Parts extends TranslatedParts>(parts: Parts, replace: Replace): Parts {
  const entries = Object.entries(parts.translations ?? {}).map(
    ([tag, texts]) => [tag, onlyGiven(replace(texts, languageOf(tag)))] as const,
  );
  return { ...replace(parts, ''), ...(parts.translations && { translations: Object.fromEntries(entries) }) };
}

/** A translation leaves out what it does not have. */
const onlyGiven = (texts: TextParts): TextParts =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null));
