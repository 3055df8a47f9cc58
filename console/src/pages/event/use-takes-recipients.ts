import { useRead } from '../../api/read';
import type { EventPlace } from './place';

/** Whether a trigger of the event must name its recipients. `except`: the id of a rule that is edited. */
export function useTakesRecipients(place: EventPlace, except?: string): boolean {
  const input = { path: { ...place }, query: { limit: 1000 } };
  const rules = useRead('/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/', input).data;
  return rules?.some(({ id, to }) => to === 'recipients' && String(id) !== except) ?? false;
}
