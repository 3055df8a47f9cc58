import { putSchedule, removeSchedule } from '../../../api/schedule/put-schedule.js';
import type { ScheduleContext } from '../../../api/schedule/put-schedule.js';
import { within } from '../../../platform/field/error/field-error.js';
import type { EventEntry } from '../file.js';
import type { FileProblems } from '../problem/file-problems.js';
import { changesOf } from './change.js';
import type { Change } from './change.js';

interface EventOwner {
  organizationId: number;
  projectId: number;
  eventId: number;
  /** Its path, such as `acme/shop/web/order-paid`. */
  name: string;
}

/** Creates or replaces the schedule of an event; null removes it. */
export async function applySchedule(
  { problems, ...context }: ScheduleContext & { problems: FileProblems },
  place: EventOwner,
  event: EventEntry,
): Promise<Change[]> {
  const { schedule } = event;
  if (schedule === undefined) return [];
  if (schedule === null)
    return (await removeSchedule(context.tx, place)) ? [{ verb: 'delete', noun: 'schedule', name: place.name }] : [];
  const put = await putSchedule(context, place, schedule);
  if (!('errors' in put)) return changesOf('schedule', place.name, put);
  problems.add(event, within('schedule', put.errors));
  return [];
}
