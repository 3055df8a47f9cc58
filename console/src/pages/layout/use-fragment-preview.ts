import { ProblemError } from '@carillon/client';
import type { Preview } from '@carillon/client';
import { useRef, useState } from 'react';
import { useRead } from '../../api/read';
import { useTree } from '../../api/tree';
import { text } from '../../text/text';
import type { EventPlace } from '../event/place';
import { useContextOf } from '../event/use-last-context';
import { previewBody, usePreview } from '../rule/preview/use-preview';
import { useUses } from './calls';
import { PARTS } from './fragment-draft';
import type { FragmentDraft } from './fragment-draft';
import type { FragmentPlace } from './place';

const NOTIFICATION = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/{notification}/';

/** A sample message, or the index of a template that uses it. */
export type ShownIn = 'sample' | number;

/** The draft in a message: in a sample, or in a template that uses it with the context of its latest occurrence. */
export function useFragmentPreview(place: FragmentPlace, draft: FragmentDraft, isStored: boolean) {
  const { org, prj, kind, slug } = place;
  const uses = useUses(place).items;
  const events = useTree(org).data?.events;
  const [shownIn, setShownIn] = useState<ShownIn>('sample');
  const [isBefore, setBefore] = useState(false);
  const use = shownIn === 'sample' ? undefined : uses?.[shownIn];
  const first = events?.find((path) => prj === null || path.startsWith(`${prj}/`));
  const [project, application, event] = first?.split('/') ?? [];
  const where = use ?? uses?.[0] ?? (event ? { project: project!, application: application!, event } : undefined);
  const at: EventPlace = { org, prj: where?.project ?? '', app: where?.application ?? '', evt: where?.event ?? '' };
  const input = { path: { ...at, notification: use?.notification ?? 0 } };
  const template = useRead(NOTIFICATION, input, { enabled: use !== undefined }).data?.templates.find(
    ({ channel }) => channel === use?.channel,
  );
  const context = useContextOf(at, undefined, use !== undefined);
  const body = use
    ? template && context && previewBody(template, context)
    : { subject: text.layout.sample.subject, ...sampleOf(kind, slug) };
  const isEmpty = PARTS.every((part) => draft[part] === '');
  const changes = isBefore && isStored ? (kind === 'layout' && !use ? { layout: slug } : {}) : draftOf(place, draft);
  const preview = usePreview(at, where && body && !isEmpty ? { ...body, ...changes } : undefined);
  const faults = useRef<Record<string, string[]>>({});
  // While the next answer is on its way, the marks of the last one stay.
  if (!preview.isFetching) faults.current = faultsOf(preview.error, place);
  return {
    ...preview,
    ...{ faults: faults.current, uses, shownIn, setShownIn, isBefore, setBefore, isEmpty },
    isPossible: where !== undefined,
  };
}

export type FragmentPreviewed = ReturnType<typeof useFragmentPreview>;

const sampleOf = (kind: FragmentPlace['kind'], slug: string): Preview =>
  kind === 'layout' ? { markdown: text.layout.sample.markdown } : { markdown: `{% render '${slug}' %}` };

const draftOf = ({ kind, slug }: FragmentPlace, draft: FragmentDraft): Preview =>
  kind === 'layout' ? { layout_draft: draft } : { partial_drafts: { [slug]: draft } };

/** The faults of the draft by its parts. */
function faultsOf(error: Error | null, { kind, slug }: FragmentPlace): Record<string, string[]> {
  if (!(error instanceof ProblemError)) return {};
  const prefix = kind === 'layout' ? 'layout_draft.' : `partial_drafts.${slug}.`;
  const own = Object.entries(error.errors).flatMap(([field, all]) =>
    field.startsWith(prefix) ? [[field.slice(prefix.length), all] as const] : [],
  );
  return Object.fromEntries(own);
}
