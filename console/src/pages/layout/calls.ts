import type { PutFragment } from '@carillon/client';
import { useQuery } from '@tanstack/react-query';
import { carillon } from '../../api/carillon';
import { useList } from '../../api/read';
import type { FragmentPlace } from './place';

type Owner = Pick<FragmentPlace, 'org' | 'prj' | 'kind'>;

/** The same operations stand at four paths, with the same answers: for the types, all are those of the organization's layouts. */
const ALL = '/api/o/{org}/layouts/';
const ONE = `${ALL}{layout}/` as const;
const listPath = ({ prj, kind }: Owner) => `/api/o/{org}/${prj === null ? '' : 'p/{prj}/'}${kind}s/` as typeof ALL;
const pathIn = (place: FragmentPlace) => `${listPath(place)}{${place.kind}}/` as typeof ONE;
const partsOf = ({ org, prj, kind, slug }: FragmentPlace) => ({ org, layout: slug, [kind]: slug, ...(prj && { prj }) });

/** What to read again after one has changed. */
export const FRAGMENT_READS = (['layout', 'partial'] as const).flatMap((kind) =>
  [null, ''].flatMap((prj) => {
    const place = { org: '', prj, kind, slug: '' };
    return [listPath(place), pathIn(place), `${pathIn(place)}uses/` as const];
  }),
);

/** The path with its real slugs, for a call that one copies. */
export const curlPath = ({ org, prj, kind, slug }: FragmentPlace) =>
  `/api/o/${org}/${prj === null ? '' : `p/${prj}/`}${kind}s/${slug && `${slug}/`}`;

/** The layouts or partials of an owner. */
export const useFragments = ({ org, prj, kind }: Owner) =>
  useList(listPath({ org, prj, kind }), { path: { org, ...(prj && { prj }) }, query: { limit: 200 } }, { poll: true });

export const readFragment = (place: FragmentPlace, signal?: AbortSignal) =>
  carillon.get(pathIn(place), { path: partsOf(place), signal });

export const useFragment = (place: FragmentPlace, isOn = true) =>
  useQuery({
    queryKey: [pathIn(place), place],
    queryFn: ({ signal }) => readFragment(place, signal),
    enabled: isOn,
    retry: false,
  });

type Headers = { 'If-Match'?: string };

export const putFragment = (place: FragmentPlace, body: PutFragment, headers: Headers) =>
  carillon.put(pathIn(place), { path: partsOf(place), body, headers });

export const removeFragment = (place: FragmentPlace, headers: Headers) =>
  carillon.delete(pathIn(place), { path: partsOf(place), headers });

/** The most uses that a page reads. */
export const MOST_USES = 200;

/** The templates that a change touches. */
export const useUses = (place: FragmentPlace, isOn = true) =>
  useList(
    `${pathIn(place)}uses/`,
    { path: partsOf(place), query: { limit: MOST_USES } },
    { poll: true, enabled: isOn },
  );
