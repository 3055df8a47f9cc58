import { ProblemError } from '@carillon/client';
import type { Answer, Input } from '@carillon/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { carillon } from '../../../api/carillon';
import { queryOf } from './people-query';
import type { PeopleFilters } from './people-query';

const PREVIEW = '/api/o/{org}/audience/preview/';
type Body = NonNullable<Input<'POST', typeof PREVIEW>['body']>;
export type Counted = Answer<'POST', typeof PREVIEW>;

/** Counting keeps the service busy. */
const STALE_MS = 60_000;

/** What the list is asked for, and how many users it and the organization have, as far as the service counts in some seconds. */
export function usePeopleQuery(org: string, filters: PeopleFilters, enabled: boolean) {
  const { data: all } = usePreview(org, {}, enabled);
  const known = all?.custom_fields ?? [];
  const { order, ...query } = queryOf(filters, known);
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  const { data: found } = usePreview(org, query, enabled && isFiltered && all !== undefined);
  return {
    query: { ...query, audience: query.audience && JSON.stringify(query.audience), order },
    known,
    all,
    found: isFiltered ? found : undefined,
    isFiltered,
  };
}

const usePreview = (org: string, body: Body, enabled: boolean) =>
  useQuery({
    queryKey: [PREVIEW, org, body],
    queryFn: ({ signal }) => carillon.post(PREVIEW, { path: { org }, body, signal }),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    retry: (failures, error) => !(error instanceof ProblemError) && failures < 2,
  });
