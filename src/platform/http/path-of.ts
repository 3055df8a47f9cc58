/** The path of a request URL, without the query. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/**
 * The path of a request URL for a log, without what belongs to a user: their username, which is an e-mail address, and the token in the
 * link of a message, which proves who its recipient is. Express ignores case.
 */
export function loggedPath(url: string): string {
  const path = pathOf(url);
  if (!MAY_BE_PERSONAL.test(path)) return path;
  const shown = path
    .replace(/^(\/[uam]\/|\/files\/[^/]+\/)[^/]+/i, '$1:token')
    .replace(/^(\/api\/o\/[^/]+\/u\/)[^/]+/i, '$1:username');
  return shown
    .split('/')
    .map((step) => (/@|%40/.test(step) ? ':address' : step))
    .join('/');
}

/** Most paths have nothing of the kind, and need no second look. */
const MAY_BE_PERSONAL = /\/u\/|^\/(?:a|m|files)\/|@|%40/i;
