export const DELIMITERS = [',', ';', '\t'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** The one that the header has most of, outside of quotes. */
export function delimiterOf(text: string): Delimiter {
  const [header = ''] = text
    .replace(/^\ufeff?\s*/, '')
    .replaceAll(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  const countOf = (delimiter: Delimiter) => header.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
}
