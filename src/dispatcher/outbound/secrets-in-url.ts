// Tokens and ids are at least this long; the words in providers' paths are shorter.
const MIN_TOKEN_LENGTH = 16;

/**
 * The texts to mask for a URL that is itself the credential: the whole URL, its path, and each token in its path and query.
 * A provider may quote only a part, and JSON may write the slashes as `\/`.
 */
export function secretsInUrl(text: string): string[] {
  if (!URL.canParse(text)) return [text];
  const { href, pathname, search, searchParams } = new URL(text);
  const tokens = [...`${pathname}${search}`.split(/[/?&=]/), ...searchParams.values()];
  return [text, href, `${pathname}${search}`, pathname, ...tokens.filter((token) => token.length >= MIN_TOKEN_LENGTH)];
}
