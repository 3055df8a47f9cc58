// Long enough to be a token or an id, longer than any word that providers have in their paths.
const SHORTEST_TOKEN = 16;

/**
 * What must not be shown of a URL that is itself the credential: all of it, its path, and each token in its path and
 * query, for a provider may quote a part and JSON may write its slashes as `\/`.
 */
export function secretsInUrl(text: string): string[] {
  if (!URL.canParse(text)) return [text];
  const { href, pathname, search, searchParams } = new URL(text);
  const tokens = [...`${pathname}${search}`.split(/[/?&=]/), ...searchParams.values()];
  return [text, href, `${pathname}${search}`, pathname, ...tokens.filter((token) => token.length >= SHORTEST_TOKEN)];
}
