import { expect, it } from '@jest/globals';
import type { DirectoryEntry } from './directory.js';
import { DirectoryCache } from './directory-cache.js';

const place = (
  slug: string,
  organizationId: number | null,
  cell: number,
  state: DirectoryEntry['state'] = 'here',
): DirectoryEntry => ({
  ...{ slug, organizationId, cell, state },
  ...{ target: state === 'moving' ? cell + 1 : null, changedAt: `2026-11-17 00:00:0${cell}+00` },
});

it('finds a place by its slug and by its organization, until it is gone', () => {
  const places = new DirectoryCache();
  places.put([place('acme', 7, 0), place('globex', null, 1, 'claimed')]);
  expect([places.ofSlug('acme')?.cell, places.ofOrganization(7)?.slug, places.ofSlug('globex')?.state]).toEqual([
    0,
    'acme',
    'claimed',
  ]);
  places.put([place('acme', 7, 0, 'gone')]);
  expect([places.ofSlug('acme'), places.ofOrganization(7)]).toEqual([undefined, undefined]);
});

it('forgets the former organization of a slug', () => {
  const places = new DirectoryCache();
  places.put([place('acme', 7, 0)]);
  places.put([place('acme', 8, 1)]);
  expect([places.ofOrganization(7), places.ofOrganization(8)?.cell]).toEqual([undefined, 1]);
});

it('forgets what the whole directory does not have, and remembers the newest time', () => {
  const places = new DirectoryCache();
  places.put([place('acme', 7, 0), place('globex', 8, 1)]);
  places.put([place('globex', 8, 2)], true);
  expect([places.ofSlug('acme'), places.ofSlug('globex')?.cell, places.newest]).toEqual([
    undefined,
    2,
    '2026-11-17 00:00:02+00',
  ]);
});
