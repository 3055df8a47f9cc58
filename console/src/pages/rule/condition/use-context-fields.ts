import { useQueries } from '@tanstack/react-query';
import { carillon } from '../../../api/carillon';
import { keyOf, useRead } from '../../../api/read';
import { namesOf } from '../../event/context-schema';
import type { EventPlace } from '../../event/place';
import { useLatest } from '../../event/use-last-context';
import { fieldsOfValues } from '../rows/known-field';
import type { KnownField } from '../rows/known-field';

const OCCURRENCE = '/api/o/{org}/occurrences/{occurrence}/';
const SCHEMA = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/schema/';

/** More would hardly have other fields. */
const PAST = 5;

/** The fields of an event's contexts: those that its notifications use, and those that the shown and the latest contexts have. */
export function useContextFields(place: EventPlace, shown: Record<string, unknown> | undefined): KnownField[] {
  const schema = useRead(SCHEMA, { path: { ...place } }).data;
  const latest = (useLatest(place).data ?? []).slice(0, PAST);
  const past = useQueries({
    queries: latest.map(({ id }) => {
      const input = { path: { org: place.org, occurrence: id } };
      return {
        queryKey: keyOf(OCCURRENCE, input),
        queryFn: ({ signal }: { signal: AbortSignal }) => carillon.get(OCCURRENCE, { ...input, signal }),
      };
    }),
  });
  const contexts = past.flatMap(({ data }) => (data ? [data.context] : []));
  const used = namesOf(schema).map((name): KnownField => ({
    name,
    kinds: name.includes('[]') ? ['list'] : [],
    samples: [],
  }));
  return fieldsOfValues(shown ? [shown, ...contexts] : contexts, used);
}
