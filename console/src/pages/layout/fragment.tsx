import { ProblemError } from '@carillon/client';
import type { Fragment as FragmentContent } from '@carillon/client';
import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { NotFound } from '../../shell/not-found';
import { BUILT_IN_LAYOUT } from '../rule/layout-choice';
import { useFragment, useFragments } from './calls';
import { FragmentEditor } from './fragment-editor';
import { OF_ORGANIZATION } from './place';
import type { FragmentPlace } from './place';
import '../rule/rule.css';
import './layout.css';

const route = getRouteApi('/o/$org/layouts/$prj/$kind/$slug');

/** The page of a layout or a partial. A name that is not stored yet starts a new one. */
export function Fragment() {
  const { org, prj, kind, slug } = route.useParams();
  if (kind !== 'layout' && kind !== 'partial') return <NotFound />;
  const place = { org, prj: prj === OF_ORGANIZATION ? null : prj, kind, slug } as const;
  return <FragmentPage key={`${prj}/${kind}/${slug}`} place={place} />;
}

function FragmentPage({ place }: { place: FragmentPlace }) {
  const { org, kind, slug } = place;
  const stored = useFragments(place);
  const read = useFragment(place);
  const isNew = read.error instanceof ProblemError && read.error.status === 404;
  const builtIn = { org, prj: null, kind: 'layout', slug: BUILT_IN_LAYOUT } as const;
  const example = useFragment(builtIn, isNew && kind === 'layout');
  const start: FragmentContent | undefined =
    kind === 'partial' ? { slug, html: '', text: '', mjml: null } : example.data && { ...example.data, slug };
  const saved = isNew ? start : read.data;
  // A new one that was published is read for the first time: the editor stays meanwhile.
  const last = useRef<{ saved: FragmentContent; isNew: boolean }>(null);
  if (saved) last.current = { saved, isNew };
  const error = isNew ? example.error : read.error;
  // What was typed stays.
  if (error && !last.current) return <Problem error={error} again={() => void read.refetch()} />;
  if (!last.current || !stored.items) return <Rows count={8} />;
  const isStored = !last.current.isNew && (stored.items.some((one) => one.slug === slug) || stored.hasNextPage);
  return <FragmentEditor place={place} {...last.current} isStored={isStored} />;
}
