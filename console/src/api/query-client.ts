import { ProblemError, etagOf } from '@carillon/client';
import { MutationCache, QueryCache, QueryClient, replaceEqualDeep } from '@tanstack/react-query';

/** A session that has ended shows the sign-in page, wherever one is. */
function onError(error: Error): void {
  if (error instanceof ProblemError && error.status === 401) queryClient.setQueryData(['session'], null);
}

/** An answer with a version stays one object, because `etagOf` knows no other. Parts of all others are shared with the last answer. */
function share(last: unknown, fresh: unknown): unknown {
  const shared: unknown = replaceEqualDeep(last, fresh);
  if (typeof fresh !== 'object' || fresh === null || etagOf(fresh) === undefined) return shared;
  return shared === last && etagOf(last as object) === etagOf(fresh) ? last : fresh;
}

/** Waits and tries again only if that can help: the service is busy, or cannot be reached. */
const canHelp = (error: Error) => !(error instanceof ProblemError) || error.status === 503 || error.status === 429;

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // Otherwise a question without a network would wait silently, and the page would show bars forever.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      structuralSharing: share,
      retry: (failures, error) => failures < 2 && canHelp(error),
    },
  },
});
