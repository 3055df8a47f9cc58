/** The canonical spelling of a language tag; null: it is not one. */
export function languageTag(given: string): string | null {
  const tag = given.trim();
  try {
    return /^[a-z]{2,3}(?![a-z])/i.test(tag) ? (Intl.getCanonicalLocales(tag)[0] ?? null) : null;
  } catch {
    return null;
  }
}
