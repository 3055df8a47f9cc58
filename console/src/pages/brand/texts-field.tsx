import { locale } from '../../text/language';
import { text } from '../../text/text';
import type { BrandDraft } from './draft';
import { RowsField } from './rows-field';

/** The languages of the pages for recipients and of the inbox element. */
const LANGUAGES = ['en', 'de', 'it', 'fr', 'es', 'pt', 'nl', 'pl', 'ja', 'ar'];
const names = new Intl.DisplayNames(locale, { type: 'language' });

interface Props {
  texts: BrandDraft['texts'];
  disabled: boolean;
  error: Error | null;
  onChange: (change: Partial<BrandDraft>) => void;
}

/** Texts that replace ours. The service checks their names. */
export function TextsField({ texts, disabled, error, onChange }: Props) {
  return (
    <RowsField
      name="page_texts"
      label={text.brand.texts}
      hint={text.brand.textsHint}
      add={text.brand.addText}
      rows={texts}
      empty={{ language: texts.at(-1)?.language ?? 'en', name: '', text: '' }}
      most={1000}
      {...{ disabled, error }}
      isOurs={(field) => field.startsWith('page_texts')}
      onChange={(next) => onChange({ texts: next })}
    >
      {(row, set, number) => (
        <>
          <select
            className="input"
            aria-label={text.brand.numbered(text.brand.text.language, number)}
            value={row.language}
            disabled={disabled}
            onChange={(event) => set({ ...row, language: event.target.value })}
          >
            {LANGUAGES.map((language) => (
              <option key={language} value={language}>
                {names.of(language)}
              </option>
            ))}
          </select>
          <input
            className="input mono"
            aria-label={text.brand.numbered(text.brand.text.name, number)}
            placeholder="inbox_title"
            value={row.name}
            required
            spellCheck={false}
            disabled={disabled}
            onChange={(event) => set({ ...row, name: event.target.value })}
          />
          <input
            className="input"
            aria-label={text.brand.numbered(text.brand.text.text, number)}
            placeholder={text.brand.text.text}
            value={row.text}
            maxLength={500}
            required
            disabled={disabled}
            onChange={(event) => set({ ...row, text: event.target.value })}
          />
        </>
      )}
    </RowsField>
  );
}
