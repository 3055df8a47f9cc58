import { LANGUAGES, chooseLanguage, language } from '../text/language';
import type { Language } from '../text/language';
import { text } from '../text/text';

/** The language of the console. What is typed is kept as a draft; the page begins anew. */
export function LanguageChoice() {
  return (
    <select
      className="input"
      aria-label={text.shell.language}
      value={language}
      onClick={(event) => event.stopPropagation()}
      onChange={({ target }) => chooseLanguage(target.value as Language)}
    >
      {Object.entries(LANGUAGES).map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  );
}
