/** Whose locale a message follows. */
export type LocaleOwner = 'trigger' | 'user' | 'organization';

/** The locale that a message should have, and who says so. */
export interface WantedLocale {
  locale: string;
  /** Null: nobody says, so it is English. */
  by: LocaleOwner | null;
}

/** The language of a message whose template has translations, and why. */
export interface UsedLanguage extends WantedLocale {
  /** The tag of the translation; null: the template itself. */
  language: string | null;
}

/** The places that may name a locale. */
interface LocaleSources {
  /** `options.locale` of the trigger: for everyone, whatever their own is. */
  trigger?: string | null;
  /** Null or left out: none of their own, or a room. */
  user?: string | null;
  organization: string | null;
}

export function wantedLocale({ trigger, user, organization }: LocaleSources): WantedLocale {
  if (trigger) return { locale: trigger, by: 'trigger' };
  if (user) return { locale: user, by: 'user' };
  return organization ? { locale: organization, by: 'organization' } : { locale: 'en', by: null };
}
