import { ProblemError } from '@carillon/client';
import type { Session } from '@carillon/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { carillon } from './carillon';
import { consoleUrl } from './place';
import { queryClient } from './query-client';

/** The service says in the page whether the browser has a cookie. Without one, the first question would be an error in its log. */
let isKnownToBeNobody = document.documentElement.dataset.session === 'none';

/** Who is signed in; null: nobody. Asked every few seconds, so that a session that was ended elsewhere closes the page. */
export const session = {
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    if (isKnownToBeNobody) {
      isKnownToBeNobody = false;
      return null;
    }
    try {
      return await carillon.get('/api/session/');
    } catch (error) {
      if (error instanceof ProblemError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
  refetchInterval: ({ state }: { state: { data?: Session | null } }) => (state.data ? 3_000 : false),
};

export function useSession(): Session | null | undefined {
  return useQuery(session).data;
}

/**
 * Whether the session has a permission; `reach`: and every organization, the whole organization, or a whole project. What it may not do, a page
 * does not offer.
 */
export function useCan(): (permission: string, reach?: 'service' | 'organization' | 'project') => boolean {
  const session = useSession();
  return (permission, reach) => {
    if (!session?.permissions.includes(permission as never)) return false;
    if (reach === 'service') return session.organization === null;
    return !(reach && session.application) && !(reach === 'organization' && session.project);
  };
}

export function useSignIn() {
  return useMutation({
    mutationFn: (body: { key: string } | { link: string }) => carillon.post('/api/session/', { body }),
    onSuccess: async (signedIn) => {
      queryClient.setQueryData(['session'], signedIn);
      // What could not be read without a session is read now.
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== session.queryKey[0] });
    },
  });
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => carillon.delete('/api/session/'),
    // Loads everything anew: nothing of the last session stays in memory.
    onSuccess: () => location.assign(consoleUrl.href),
  });
}
