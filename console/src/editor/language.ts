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
export function languageOf(language: Language, names: string[]): Extension {
  if (language === 'json') return json();
  const roots = [...new Set(names.map((name) => name.split('.')[0]!))];
  const config = {
    variables: roots.map((label) => ({ label, type: 'variable' })),
    properties: (path: readonly string[]) =>
      names.flatMap((name) => {
        const parts = name.split('.');
        const isBelow = path.every((part, i) => parts[i] === part) && parts.length > path.length;
        return isBelow ? [{ label: parts[path.length]!, type: 'property' }] : [];
      }),
  };
  // Its own base is HTML.
  if (language === 'html') return liquid(config);
  return liquid({ ...config, base: language === 'markdown' ? markdown() : plain });
}
