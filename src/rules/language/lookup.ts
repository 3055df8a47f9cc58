/**
 * The language ranges of a locale, from the whole to its language, as the lookup of RFC 4647 tries them: `zh-Hant-TW`, `zh-Hant`, `zh`. A
 * subtag of one letter introduces those after it, so it never ends a range.
 */
export function rangesOf(locale: string): string[] {
  const ranges: string[] = [];
  const subtags = locale.split('-');
  while (subtags.length > 0) {
    if (subtags.at(-1)!.length > 1) ranges.push(subtags.join('-'));
    subtags.pop();
  }
  return ranges;
}

/**
 * Those of the available languages that a text for a locale may come from, the best one first: the locale and its ranges, then those of the
 * organization's locale. Language tags are in their canonical spelling.
 */
export function lookup(available: Readonly<Record<string, unknown>>, locale: string, usual: string | null): string[] {
  const ranges = [...rangesOf(locale), ...(usual === null ? [] : rangesOf(usual))];
  return [...new Set(ranges)].filter((range) => Object.hasOwn(available, range));
}
