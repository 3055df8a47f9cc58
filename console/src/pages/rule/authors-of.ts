import { carillon } from '../../api/carillon';
import type { Author } from '../../api/edit';
import type { EventPlace } from '../event/place';
import { changedParts } from './parts';
import type { ChannelName } from './parts';

export const REVISIONS = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/revisions/';

const SHOWN = 3;

/** Who has changed which parts of a rule lately. Everybody who reads rules may read it. */
export async function authorsOf(place: EventPlace, id: number, nameOf: ChannelName): Promise<Author[]> {
  const { items } = await carillon.page(REVISIONS, { path: { ...place }, query: { limit: 20 } });
  const own = items.flatMap(({ actor, created_at: at, changes }) =>
    changes.filter(({ notification }) => notification === id).map(({ rule }) => ({ actor, at, rule })),
  );
  return own.slice(0, SHOWN).map(({ actor, at, rule }, i) => {
    const before = own[i + 1]?.rule;
    return { actor: actor ?? '', at, fields: rule && before ? changedParts(before, rule, nameOf) : [] };
  });
}
