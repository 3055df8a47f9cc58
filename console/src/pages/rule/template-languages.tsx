import type { TranslationGap } from '@carillon/client';
import { useState } from 'react';
import { locale } from '../../text/language';
import { text } from '../../text/text';
import { LanguageNote } from './language-note';
import { languageTag } from './language-tag';
import { TEMPLATE_PARTS } from './parts';
import type { RuleTemplate } from './parts';
import { gapsIn } from './translation-gaps';

interface Props {
  template: RuleTemplate;
  /** As it is saved; undefined: it is new. */
  saved: RuleTemplate | undefined;
  /** Of the notification as it is saved. */
  gaps: readonly TranslationGap[];
  /** The language that is edited; null: the template itself. */
  language: string | null;
  onChoose: (language: string | null) => void;
  onEdit: (template: RuleTemplate) => void;
}

const nameOf = (tag: string) => new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag;

/** A button for each language of a template, and a field for a new one. */
export function TemplateLanguages({ template, saved, gaps, language, onChoose, onEdit }: Props) {
  const [tag, setTag] = useState('');
  const translations = template.translations ?? {};
  const wanted = languageTag(tag);
  /** It starts as a copy: what is not translated yet can be seen. */
  function add() {
    if (wanted === null) return;
    const copy = Object.fromEntries(TEMPLATE_PARTS.flatMap((part) => (template[part] ? [[part, template[part]]] : [])));
    if (!translations[wanted]) onEdit({ ...template, translations: { ...translations, [wanted]: copy } });
    onChoose(wanted);
    setTag('');
  }
  const gapsOf = (one: string) => gapsIn(template, one, saved, gaps);
  /** It is published as translated from the template as it is. */
  function markAsFitting(one: string) {
    const texts = { ...translations[one], of: gapsOf(one).of };
    onEdit({ ...template, translations: { ...translations, [one]: texts } });
  }
  const button = (one: string | null, label: string, state = '') => (
    <button
      key={one ?? ''}
      type="button"
      className="button small"
      aria-pressed={language === one}
      onClick={() => onChoose(one)}
    >
      {label}
      {state && <span className="language-state">{state}</span>}
    </button>
  );
  return (
    <div className="stack">
      <div className="row languages" role="group" aria-label={text.rule.languages.label}>
        <span className="label">{text.rule.languages.label}</span>
        {button(null, text.rule.languages.base)}
        {Object.keys(translations).map((one) => {
          const { missing, outdated } = gapsOf(one);
          const states = [
            ...(outdated.length > 0 ? [text.rule.languages.outdated] : []),
            ...(missing.length > 0 ? [text.rule.languages.lacking] : []),
          ];
          return button(one, `${nameOf(one)} (${one})`, states.join(', '));
        })}
        <input
          className="input"
          size={8}
          value={tag}
          placeholder={text.rule.languages.example}
          aria-label={text.rule.languages.add}
          onChange={(change) => setTag(change.target.value)}
          onKeyDown={(press) => {
            if (press.key !== 'Enter') return;
            press.preventDefault();
            add();
          }}
        />
        <button type="button" className="button small" disabled={wanted === null} onClick={add}>
          {text.rule.languages.add}
        </button>
      </div>
      {language !== null && <LanguageNote gaps={gapsOf(language)} onFits={() => markAsFitting(language)} />}
    </div>
  );
}

/** A translation as a template of its own, for the form. */
export const translationOf = (template: RuleTemplate, language: string): RuleTemplate => {
  const texts = template.translations?.[language] ?? {};
  const parts = Object.fromEntries(TEMPLATE_PARTS.map((part) => [part, texts[part] ?? null]));
  return { ...template, ...(parts as Pick<RuleTemplate, (typeof TEMPLATE_PARTS)[number]>) };
};

/** The template with an edited translation. */
export function withTranslation(template: RuleTemplate, language: string, edited: RuleTemplate): RuleTemplate {
  const texts = Object.fromEntries(
    TEMPLATE_PARTS.flatMap((part) => (typeof edited[part] !== 'string' ? [] : [[part, edited[part]]])),
  );
  return { ...template, translations: { ...template.translations, [language]: texts } };
}

export function withoutTranslation(template: RuleTemplate, language: string): RuleTemplate {
  const rest = Object.entries(template.translations ?? {}).filter(([one]) => one !== language);
  return { ...template, translations: rest.length > 0 ? Object.fromEntries(rest) : null };
}

/** The faults of a translation by part, from those of the whole template. */
export function faultsOf(faults: Record<string, string[]>, language: string): Record<string, string[]> {
  const prefix = `translations.${language}.`;
  const own = Object.entries(faults).flatMap(([field, all]) =>
    field.startsWith(prefix) ? [[field.slice(prefix.length), all] as const] : [],
  );
  return Object.fromEntries(own);
}
