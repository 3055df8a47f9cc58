import type { PathOf } from '@carillon/client';
import { useMutation } from '@tanstack/react-query';
import { queryClient } from './query-client';
import { keyOf } from './read';

/** Writes, and then reads again what the write has changed. */
export function useWrite<Given, Result>(write: (given: Given) => Promise<Result>, ...changes: PathOf<'GET'>[]) {
  return useMutation({
    mutationFn: write,
    onSuccess: () =>
      Promise.all(changes.map((path) => queryClient.invalidateQueries({ queryKey: keyOf(path) }))).then(
        () => undefined,
      ),
  });
}
