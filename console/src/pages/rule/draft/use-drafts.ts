import { useQuery } from '@tanstack/react-query';
import { carillon } from '../../../api/carillon';
import { nullIfGone, useRead } from '../../../api/read';
import { useCan } from '../../../api/session';
import type { EventPlace } from '../../event/place';
import type { RuleContent } from '../parts';
import { bodyOfDraft, savedOf } from './content';
import type { Saved } from './content';
import type { DraftCalls } from './draft-saver';

export const DRAFTS = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/drafts/';
const DRAFT = `${DRAFTS}{draft}/` as const;

/** The drafts of an event's rules, for those who may change them. */
export function useDrafts(place: EventPlace) {
  const enabled = useCan()('notification:write');
  return useRead(DRAFTS, { path: { ...place }, query: { limit: 1000 } }, { enabled, poll: true });
}

export function draftCalls(place: EventPlace, draft: string, empty: RuleContent): DraftCalls {
  const path = { ...place, draft };
  const shown = (content: Parameters<typeof savedOf>[0]) => savedOf(content, empty);
  return {
    get: () => carillon.get(DRAFT, { path }).then(shown).catch(nullIfGone),
    create: (edits) =>
      carillon.post(DRAFTS, { path: { ...place }, body: { draft, ...bodyOfDraft(edits) } }).then(shown),
    put: (edits, etag) =>
      carillon.put(DRAFT, { path, headers: { 'If-Match': etag }, body: bodyOfDraft(edits) }).then(shown),
    remove: (etag) => carillon.delete(DRAFT, { path, headers: { 'If-Match': etag } }),
  };
}

/** The draft that a page begins with, read once. The list says whether there is one: a question for none would be an error in the browser's log. */
export function useOpenedDraft(place: EventPlace, draft: string, empty: RuleContent) {
  const enabled = useCan()('notification:write');
  const { data, error, refetch } = useQuery({
    queryKey: [DRAFT, place, draft, 'opened'],
    queryFn: async (): Promise<Saved | null> => {
      const drafts = await carillon.get(DRAFTS, { path: { ...place }, query: { limit: 1000 } });
      return drafts.some((one) => one.draft === draft) ? draftCalls(place, draft, empty).get() : null;
    },
    staleTime: Infinity,
    gcTime: 0,
    enabled,
  });
  return { opened: enabled ? data : null, error, refetch };
}
