import { carillon } from '../../api/carillon';
import type { Author } from '../../api/edit';
import type { EventPlace } from '../event/place';

export const REVISIONS = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/revisions/';

const SHOWN = 3;

/** Who has changed a rule lately. Everybody who reads rules may read it. */
export async function authorsOf(place: EventPlace, id: number): Promise<Author[]> {
  const { items } = await carillon.page(REVISIONS, { path: { ...place }, query: { limit: 20 } });
  const own = items.filter(({ changes }) => changes.some(({ notification }) => notification === id));
  return own.slice(0, SHOWN).map(({ actor, created_at }) => ({ actor: actor ?? '', at: created_at, fields: [] }));
}
