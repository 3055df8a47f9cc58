import type { TranslationGap } from '@carillon/client';
import type { RuleTemplate, Translation } from './parts';

type Part = TranslationGap['part'];

/** What a language of a template lacks, and which of its texts translate one that has changed. */
export interface LanguageGaps {
  missing: Part[];
  outdated: Part[];
  /** What `of` must be if the outdated texts still fit; null: only the service could tell, after publishing. */
  of: string | null;
}

type Texts = Pick<RuleTemplate, Part> | Translation;

/** `html`, `markdown` and `mjml` are one text. */
const PARTS: readonly (readonly Part[])[] = [['subject'], ['text'], ['markdown', 'html', 'mjml']];

const nameIn = (texts: Texts | undefined, names: readonly Part[]): Part | undefined =>
  names.find((name) => texts?.[name]);
const sourceIn = (texts: Texts | undefined, names: readonly Part[]): string =>
  names.map((name) => texts?.[name]).find(Boolean) ?? '';

/**
 * The gaps of the template as it is edited. `stored` are those of the saved one, as the service found them: an outdated text stays so until it is
 * changed, and a text becomes so when only its original is.
 */
export function gapsIn(
  template: RuleTemplate,
  language: string,
  saved: RuleTemplate | undefined,
  stored: readonly TranslationGap[],
): LanguageGaps {
  const texts = template.translations?.[language];
  const before = saved?.translations?.[language];
  const own = stored.filter((gap) => gap.channel === template.channel && gap.language === language);
  const missing = PARTS.flatMap((names) => (sourceIn(texts, names) ? [] : (nameIn(template, names) ?? [])));
  const isEdited = PARTS.some((names) => sourceIn(template, names) !== sourceIn(saved, names));
  const outdated = PARTS.flatMap((names) => {
    const name = nameIn(texts, names);
    if (!name || !before || texts?.of || sourceIn(texts, names) !== sourceIn(before, names)) return [];
    const wasOutdated = own.some(({ part, state }) => state === 'outdated' && names.includes(part));
    return wasOutdated || sourceIn(template, names) !== sourceIn(saved, names) ? [name] : [];
  });
  return { missing, outdated, of: isEdited ? null : (own.find(({ of }) => of !== null)?.of ?? null) };
}
