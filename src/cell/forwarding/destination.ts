/** What the path of a request says about the cell that can answer it. */
export type Destination =
  /** The cell of an organization. */
  | { by: 'slug'; slug: string }
  /** The cell of the recipient of a link. */
  | { by: 'link'; token: string }
  /** The cell of the key or session itself. */
  | { by: 'key' }
  /** The cell of the key or link in the body. */
  | { by: 'body' };

// Express ignores case.
const SLUG = /^\/(?:api\/o|reports|twilio|files|logos)\/([^/]+)/i;
const LINK = /^\/[uam]\/([^/]+)/i;
const ORGANIZATIONS = /^\/api\/o\/?$/i;
const SESSION = /^\/api\/session\/?$/i;

/** Null: every cell gives the same answer. */
export function destinationOf(method: string, path: string): Destination | null {
  const slug = SLUG.exec(path)?.[1];
  if (slug !== undefined) return { by: 'slug', slug: decoded(slug) };
  const token = LINK.exec(path)?.[1];
  if (token !== undefined) return { by: 'link', token: decoded(token) };
  if (ORGANIZATIONS.test(path)) return method === 'GET' || method === 'HEAD' ? { by: 'key' } : null;
  if (SESSION.test(path)) return { by: method === 'POST' ? 'body' : 'key' };
  return null;
}

/** The path decodes: `replaceInvalidEscapes` has run. */
const decoded = (step: string) => (step.includes('%') ? decodeURIComponent(step) : step);

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether the request must wait while its organization moves. */
export const isWrite = (method: string) => !READS.has(method);
