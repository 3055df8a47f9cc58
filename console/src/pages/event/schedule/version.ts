import type { Schedule } from '@carillon/client';
import { useAuthors } from '../../../api/authors';
import { carillon } from '../../../api/carillon';
import type { Seen } from '../../../api/mergeable';
import { EVENT, pathOf } from '../place';
import type { EventPlace } from '../place';

export const SCHEDULE = `${EVENT}schedule/` as const;

export const schedulePath = (place: EventPlace) => `${pathOf(place)}schedule/`;

/** How to find out who has changed the schedule meanwhile. Its runs change by themselves. */
export const useScheduleVersion = (place: EventPlace, seen: () => Seen<object>) => ({
  seen,
  read: (): Promise<object> => carillon.get(SCHEDULE, { path: { ...place } }),
  authors: useAuthors(place.org, 'schedule', `${place.prj}/${place.app}/${place.evt}`),
  partsOf: (schedule: object) => {
    const { next_runs: _next, last_runs: _last, ...settings } = schedule as Partial<Schedule>;
    return Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
  },
  reads: [SCHEDULE] as const,
});
