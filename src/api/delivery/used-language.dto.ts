import { ApiProperty } from '@nestjs/swagger';
import { languageSentence } from '../../rules/language/language-sentence.js';
import type { LocaleOwner, UsedLanguage } from '../../rules/language/used-language.js';

const OWNERS: LocaleOwner[] = ['trigger', 'user', 'organization'];

/** The language of a message whose template has translations, and why it was used. */
export class UsedLanguageDto {
  /**
   * The tag of the translation; null: the template itself. Parts that the translation lacks come from the next language in line.
   * @example 'de'
   */
  @ApiProperty({ type: String, nullable: true })
  language: string | null;

  /**
   * The locale that the message should have.
   * @example 'de-AT'
   */
  locale: string;

  /**
   * Whose locale it is; null: neither the user nor the organization has one.
   * @example 'user'
   */
  @ApiProperty({ enum: OWNERS, nullable: true })
  by: LocaleOwner | null;

  /** @example 'in German, because the locale of the user is de-AT and there is no de-AT translation' */
  sentence: string;
}

export const shownLanguage = (used: UsedLanguage | null | undefined): UsedLanguageDto | null =>
  used ? { ...used, sentence: languageSentence(used) } : null;
