import { ProblemError } from '@carillon/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

/** A session that has ended shows the sign-in page, wherever one is. */
function onError(error: Error): void {
  if (error instanceof ProblemError && error.status === 401) queryClient.setQueryData(['session'], null);
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
      retry: (failures, error) => failures < 2 && canHelp(error),
    },
  },
});
