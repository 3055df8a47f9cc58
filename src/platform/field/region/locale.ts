/** Longer tags carry extensions that no message needs: BCP 47 recommends this length. */
export const LOCALE_MAX_LENGTH = 35;

/** `Intl` also accepts languages of up to eight letters, of which there are none: `german` is a mistake. */
const LANGUAGE = /^[a-z]{2,3}(?![a-z])/i;

const NOT_A_LOCALE = `must be a language tag of at most ${LOCALE_MAX_LENGTH} characters, such as de-AT, pt-BR or en`;

/** A BCP 47 language tag in its canonical spelling, or the problem with it. */
export function readLocale(value: unknown): { locale: string } | { problem: string } {
  const locale = typeof value === 'string' && LANGUAGE.test(value) ? canonical(value) : undefined;
  return locale !== undefined && locale.length <= LOCALE_MAX_LENGTH ? { locale } : { problem: NOT_A_LOCALE };
}

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
