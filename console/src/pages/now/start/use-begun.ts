import { useQueries } from '@tanstack/react-query';
import { carillon } from '../../../api/carillon';
import { keyOf, useRead } from '../../../api/read';
import { useCan } from '../../../api/session';
import type { EventPlace } from '../../event/place';
import { useTree } from '../../event/tree/use-tree';

const RULES = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/';
const FIRST = { limit: 1 };

/** So many events are asked for their notifications. */
const EVENTS = 20;

/** What exists of all that a first message needs. Undefined: not read yet. */
export function useBegun(org: string) {
  const can = useCan();
  const tree = useTree(org);
  const poll = { poll: true };
  const channels = useRead('/api/o/{org}/channel-health/', { path: { org }, query: FIRST }, poll).data;
  const users = useRead(
    '/api/o/{org}/u/',
    { path: { org }, query: FIRST },
    { ...poll, enabled: can('user:read') },
  ).data;
  const events = tree.applications.flatMap(({ project, slug: app, events: some }): EventPlace[] =>
    some.map(({ slug: evt }) => ({ org, prj: project.slug, app, evt })),
  );
  const rules = useQueries({
    queries: events.slice(0, EVENTS).map((place) => {
      const input = { path: { ...place }, query: FIRST };
      return {
        queryKey: keyOf(RULES, input),
        queryFn: () => carillon.get(RULES, input),
        enabled: can('notification:read'),
      };
    }),
  });
  const isReading =
    tree.isReading || !channels || (can('user:read') && !users) || rules.some(({ isLoading }) => isLoading);
  if (isReading) return undefined;
  const notified = events.find((_, i) => (rules[i]?.data?.length ?? 0) > 0);
  const application = tree.applications[0];
  return {
    project: tree.projects[0]?.slug,
    application: application && { prj: application.project.slug, app: application.slug },
    /** The event that notifies somebody, otherwise the first one. */
    event: notified ?? events[0],
    channel: channels[0] && { prj: channels[0].project ?? '-', channel: channels[0].channel },
    user: users?.[0]?.username,
    isNotified: notified !== undefined,
  };
}

export type Begun = NonNullable<ReturnType<typeof useBegun>>;
