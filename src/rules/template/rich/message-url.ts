/** The longest URL. Browsers take more, push services do not. */
const URL_MAX_LENGTH = 2000;

interface UrlKind {
  schemes: readonly string[];
  /** Whether a path on the site that shows the message will do. */
  isPathAllowed: boolean;
  sentence: string;
}

export const LINK_URL: UrlKind = {
  schemes: ['https:', 'http:'],
  isPathAllowed: true,
  sentence: 'must be an http or https URL, or a path that starts with a single slash',
};

export const IMAGE_URL: UrlKind = { schemes: ['https:'], isPathAllowed: false, sentence: 'must be an https URL' };

/** A site that no message names: a path that leaves it leads to another host, as `//evil.test` does. */
const SITE = 'https://site.invalid';

/** Why a rendered URL cannot be used; null: it can. The sentence goes on after the name of the part. */
export function urlProblem(url: string, { schemes, isPathAllowed, sentence }: UrlKind): string | null {
  if (url.length > URL_MAX_LENGTH) return `is longer than ${URL_MAX_LENGTH} characters`;
  if (/[\s\p{Cc}\\]/u.test(url)) return 'has a space, a backslash or a control character: use url_encode for values';
  if (url.startsWith('/')) {
    const isPath = isPathAllowed && URL.canParse(url, SITE) && new URL(url, SITE).origin === SITE;
    return isPath ? null : sentence;
  }
  // A URL such as https:evil.test is read as one of the same host by browsers.
  if (!/^[a-z]+:\/\/[^/]/i.test(url) || !URL.canParse(url)) return sentence;
  const { protocol, username, password } = new URL(url);
  if (!schemes.includes(protocol)) return sentence;
  return username || password ? 'must not have a username or a password' : null;
}

/** The same for a source: of Liquid only the text before it is known. */
export function urlSourceProblem(source: string, kind: UrlKind): string | null {
  if (source.length > URL_MAX_LENGTH) return `must have at most ${URL_MAX_LENGTH} characters`;
  const start = source.trim();
  const liquid = start.search(/\{[{%]/);
  if (liquid < 0) return urlProblem(start, kind);
  const scheme = /^[^/?#{]*:/.exec(start)?.[0].toLowerCase();
  if (scheme !== undefined && !kind.schemes.includes(scheme)) return kind.sentence;
  return liquid > 0 && scheme === undefined && !(kind.isPathAllowed && /^\/(?![/\\])/.test(start))
    ? kind.sentence
    : null;
}
