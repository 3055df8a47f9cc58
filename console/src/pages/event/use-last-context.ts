import { useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { namesOf } from './context-schema';
import { withNames } from './data/data';
import type { EventPlace } from './place';

/** How many of the latest occurrences one can choose a context from. */
const CHOICES = 20;

/** The latest occurrences of an event, if the session may read them. */
export function useLatest(place: EventPlace, isOn = true) {
  const isAllowed = useCan()('occurrence:read') && isOn;
  const input = { path: { ...place }, query: { limit: CHOICES } };
  return useRead('/api/o/{org}/p/{prj}/a/{app}/e/{evt}/o/', input, { enabled: isAllowed });
}

/**
 * The context of an occurrence, or of the latest one; without any, a sample with every field that the rules use. Undefined: it is being read.
 */
export function useContextOf(place: EventPlace, chosen?: string, isOn = true): Record<string, unknown> | undefined {
  const isAllowed = useCan()('occurrence:read');
  const latest = useLatest(place, isOn);
  const occurrence = chosen ?? latest.data?.[0]?.id;
  const input = { path: { org: place.org, occurrence: occurrence ?? '' } };
  const detail = useRead('/api/o/{org}/occurrences/{occurrence}/', input, { enabled: occurrence !== undefined });
  const schema = useRead('/api/o/{org}/p/{prj}/a/{app}/e/{evt}/schema/', { path: { ...place } }, { enabled: isOn });
  if (occurrence !== undefined && !detail.error) return detail.data?.context;
  if (isAllowed && latest.isPending) return undefined;
  return schema.isPending ? undefined : withNames({}, namesOf(schema.data));
}
