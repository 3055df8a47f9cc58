/** The path of a request URL, without the query. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/**
 * The path of a request URL for a log, without what belongs to a person: their username, which is an e-mail address, and the token in the
 * link of a message, which proves who its recipient is. Express ignores case.
 */
export const loggedPath = (url: string): string =>
  pathOf(url)
    .replace(/^(\/u\/)[^/]+/i, '$1:token')
    .replace(/^(\/api\/o\/[^/]+\/u\/)[^/]+/i, '$1:username')
    .replace(/[^/]*(?:@|%40)[^/]*/gi, ':address');
