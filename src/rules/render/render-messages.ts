import { translate } from '../language/translate.js';
import { wantedLocale } from '../language/used-language.js';
import type { UsedLanguage } from '../language/used-language.js';
import { renderContexts } from '../ruleset/message.js';
import type { Reader, RenderedSubject } from '../ruleset/message.js';
import { templateKey } from '../template/template.js';
import type { RenderContext, TranslatedParts } from '../template/template.js';
import type { RenderResult, TemplateSource } from './render-result.js';
import type { Renderer } from './renderer.js';

/** A template in all its languages. */
export interface TranslatedSource extends TemplateSource {
  parts: TranslatedParts;
}

/** One message: its template, what it is about, and who reads it. */
interface MessageToRender {
  template: TranslatedSource;
  subject: RenderedSubject;
  reader: Reader;
}

/** Renders messages, those of each template and language together. Messages with the same subject should follow each other. */
export async function renderMessages(renderer: Renderer, messages: MessageToRender[]): Promise<RenderResult[]> {
  const results: RenderResult[] = [];
  const languages: UsedLanguage[] = [];
  const groups = new Map<string, { template: TemplateSource; places: number[] }>();
  for (const [i, message] of messages.entries()) {
    const { translations, messages: texts } = message.template.parts;
    const template = translations || texts ? inLanguage(message, i, languages) : message.template;
    const same = groups.get(template.key);
    if (same) same.places.push(i);
    else groups.set(template.key, { template, places: [i] });
  }
  for (const { template, places } of groups.values()) {
    const rendered = await renderer.render(template, contextsOf(places.map((i) => messages[i]!)));
    for (const [n, i] of places.entries()) results[i] = rendered[n]!;
  }
  for (const [i, language] of languages.entries()) {
    const result = results[i];
    if (language && result?.ok) result.message.language = language;
  }
  return results;
}

/** The template in the language of the reader, which is noted in `languages`. */
function inLanguage({ template, subject, reader }: MessageToRender, i: number, languages: UsedLanguage[]) {
  const organization = subject.recipients.locale;
  const wanted = wantedLocale({ trigger: subject.locale, user: reader.locale, organization });
  const { parts, language } = translate(template.parts, wanted.locale, organization);
  languages[i] = { language, ...wanted };
  return { key: templateKey(parts), parts };
}

/** Readers of one subject share the objects of their contexts. */
function contextsOf(messages: MessageToRender[]): RenderContext[] {
  const contexts: RenderContext[] = [];
  for (let i = 0; i < messages.length;) {
    const { subject } = messages[i]!;
    const readers: Reader[] = [];
    for (; messages[i]?.subject === subject; i++) readers.push(messages[i]!.reader);
    contexts.push(...renderContexts(subject, readers));
  }
  return contexts;
}
