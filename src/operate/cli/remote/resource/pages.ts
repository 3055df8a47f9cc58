import type { RemoteClient } from '../client.js';

type Query = Record<string, string | number | undefined>;

const PAGE = 1000;

/** Reads a list page by page, so that a long one is printed as it arrives. */
export async function* pages<Item>(client: RemoteClient, path: string, query: Query = {}): AsyncGenerator<Item[]> {
  let asked: Query | null = { limit: PAGE, ...query };
  while (asked) {
    const response: Response = await client.open('GET', path, { query: asked });
    yield (await response.json()) as Item[];
    asked = nextQuery(response);
  }
}

/** Uses only the query of the link: its host may not be reachable from here. */
function nextQuery(response: Response): Query | null {
  const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '');
  return next && Object.fromEntries(new URL(next[1]!, response.url).searchParams);
}
