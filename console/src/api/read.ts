import { ProblemError } from '@carillon/client';
import type { Answer, Input, ListPath, PathOf } from '@carillon/client';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { carillon } from './carillon';

/** How often a page that is looked at asks again. A hidden tab does not ask. */
export const POLL_MS = 10_000;

interface Options {
  /** False: do not ask yet, or not with this key. */
  enabled?: boolean;
  /** Ask again every 10 seconds. */
  poll?: boolean;
  /** Show the last answer until that of a new filter is there. */
  keep?: boolean;
}

type Call<Path extends PathOf<'GET'>> = (
  path: Path,
  input: Input<'GET', Path> & { signal: AbortSignal },
) => Promise<Answer<'GET', Path>>;

/** The cached answers of a path, or of all calls of one path, for `invalidateQueries`. */
export const keyOf = <Path extends PathOf<'GET'>>(path: Path, input?: Input<'GET', Path>) =>
  input ? [path, input] : [path];

/** Asks an operation and keeps its answer. */
export function useRead<Path extends PathOf<'GET'>>(path: Path, input: Input<'GET', Path>, options: Options = {}) {
  return useQuery({
    queryKey: keyOf(path, input),
    queryFn: ({ signal }) => (carillon.get as unknown as Call<Path>).call(carillon, path, { ...input, signal }),
    enabled: options.enabled ?? true,
    refetchInterval: options.poll ? POLL_MS : false,
  });
}

/** As `useRead`, for what need not exist: null is an answer too, and stays while it is asked again. */
export function useReadOrNull<Path extends PathOf<'GET'>>(path: Path, input: Input<'GET', Path>) {
  return useQuery({
    queryKey: keyOf(path, input),
    queryFn: ({ signal }) =>
      (carillon.get as unknown as Call<Path>).call(carillon, path, { ...input, signal }).catch(nullIfGone),
    refetchInterval: POLL_MS,
  });
}

export function nullIfGone(error: unknown): null {
  if (error instanceof ProblemError && error.status === 404) return null;
  throw error;
}

type Items<Path extends ListPath> = Answer<'GET', Path> extends (infer Item)[] ? Item : never;

/** Reads a list page by page. `items` are those read so far. */
export function useList<Path extends ListPath>(path: Path, input: Input<'GET', Path>, options: Options = {}) {
  const { query: asked } = input as { query?: Record<string, unknown> };
  const list = useInfiniteQuery({
    queryKey: [...keyOf(path, input), 'pages'],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 50, ...asked, ...pageParam };
      return carillon.page(path, { ...input, query, signal });
    },
    initialPageParam: {},
    getNextPageParam: ({ next }) => next,
    enabled: options.enabled ?? true,
    refetchInterval: options.poll ? POLL_MS : false,
    placeholderData: options.keep ? keepPreviousData : undefined,
  });
  return { ...list, items: list.data?.pages.flatMap(({ items }) => items as Items<Path>[]) };
}
