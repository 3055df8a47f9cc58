import { json } from '@codemirror/lang-json';
import { liquid } from '@codemirror/lang-liquid';
import { markdown } from '@codemirror/lang-markdown';
import { LanguageSupport, StreamLanguage } from '@codemirror/language';
import type { Extension } from '@codemirror/state';

export type Language = 'text' | 'markdown' | 'html' | 'json';

/** Text between the tags of Liquid that means nothing. */
const plain = new LanguageSupport(
  StreamLanguage.define({
    token(stream) {
      stream.skipToEnd();
      return null;
    },
  }),
);

/** Liquid mixed with what the template makes. */
export function languageOf(language: Language): Extension {
  if (language === 'json') return json();
  // Its own base is HTML.
  if (language === 'html') return liquid();
  return liquid({ base: language === 'markdown' ? markdown() : plain });
}
