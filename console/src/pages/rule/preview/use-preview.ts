import type { Preview, Previewed } from '@carillon/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { carillon } from '../../../api/carillon';
import type { EventPlace } from '../../event/place';
import type { RuleTemplate } from '../parts';
import { useSettled } from './use-settled';

/** What the service renders: the template as edited, with a real context and a real user. */
export function previewBody(
  template: RuleTemplate,
  context: Record<string, unknown>,
  user?: string,
  language?: string | null,
  occurrence?: string,
): Preview {
  const { channel, per, ...rest } = template;
  const parts = Object.entries(rest).filter(([, value]) => value !== null && value !== '');
  return {
    ...(channel !== null && { channel }),
    per,
    ...Object.fromEntries(parts),
    // A post to a room has no user.
    ...(user && per === 'person' && { user }),
    ...(language && { locale: language }),
    // Its files and its digest are shown, too.
    ...(occurrence ? { occurrence } : { context }),
  };
}

const previewQuery = (place: EventPlace, body: Preview) => ({
  queryKey: ['preview', place, body],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    carillon.post('/api/o/{org}/p/{prj}/a/{app}/e/{evt}/preview/', { path: { ...place }, body, signal }),
});

/** The preview follows the typing. While the next one is on its way, the last one stays. */
export function usePreview(place: EventPlace, body: Preview | undefined) {
  const settled = useSettled(JSON.stringify(body));
  const parsed = settled === undefined ? undefined : (JSON.parse(settled) as Preview);
  const last = useRef<Previewed>(undefined);
  const preview = useQuery({
    ...previewQuery(place, parsed ?? {}),
    enabled: parsed !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (preview.data) last.current = preview.data;
  // With a fault in the template there is no next one.
  return { ...preview, data: preview.data ?? last.current };
}
