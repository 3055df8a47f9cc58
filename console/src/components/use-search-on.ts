import { useEffect } from 'react';

interface Search {
  items: unknown[] | undefined;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isError: boolean;
  fetchNextPage: () => unknown;
}

/** A search of many rows ends a page before it has found something: it goes on until it has, or until there are no more. */
export function useSearchOn({ items, hasNextPage, isFetchingNextPage, isError, fetchNextPage }: Search): void {
  const goesOn = items?.length === 0 && hasNextPage && !isFetchingNextPage && !isError;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a page that was empty goes on
  }, [goesOn]);
}
