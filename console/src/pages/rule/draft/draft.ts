import { etagOf } from '@carillon/client';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { queryClient } from '../../../api/query-client';
import { keyOf } from '../../../api/read';
import { useCan } from '../../../api/session';
import { readJson } from '../../../editor/json';
import type { EventPlace } from '../../event/place';
import { changedParts, isNewRule } from '../parts';
import type { RuleContent } from '../parts';
import { isSameRule, toContent, toDraft } from './content';
import type { DraftRule, Saved } from './content';
import { DraftSaver } from './draft-saver';
import type { DraftState } from './draft-saver';
import { draftCalls, useDrafts } from './use-drafts';

/** The parts that have a form of rows. */
export type FormPart = 'when' | 'audience' | `steps[${number}]`;

const RULE = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/{notification}/';

const tabKeyOf = ({ org, prj, app, evt }: EventPlace, rule: string) =>
  `carillon-edits:${org}/${prj}/${app}/${evt}/${rule}`;

interface Opened {
  place: EventPlace;
  id: string;
  /** What is published. */
  saved: RuleContent;
  /** The draft that the service has. */
  opened: Saved | null;
  /** A rule without anything in it. */
  empty: RuleContent;
}

/** The rule as it is edited: a draft that is saved while one types, and that all share who may change the rule. */
export function useDraft({ place, id, saved, opened, empty }: Opened) {
  const [unfinished, setUnfinished] = useState<readonly FormPart[]>([]);
  const isShared = useCan()('notification:write');
  const [saver] = useState(
    () => new DraftSaver(tabKeyOf(place, id), isShared ? draftCalls(place, id, empty) : null, opened),
  );
  const state = useSyncExternalStore(saver.subscribe, saver.read);
  useEffect(() => {
    saver.start();
    return () => saver.stop();
  }, [saver]);
  const { data: drafts, dataUpdatedAt } = useDrafts(place);
  useEffect(() => {
    if (drafts) void saver.look(drafts.find(({ draft }) => draft === id)?.saved_at ?? null).catch(() => undefined);
    // Also if the list is as before: the draft may have come and gone in between.
  }, [drafts, dataUpdatedAt, id, saver]);
  const { edits } = state;
  useGoneDraft({ place, id, saver, state, saved });
  const rule = edits?.rule ?? toDraft(saved);
  const fault = readJson(rule.audience).fault;
  return {
    rule,
    content: toContent(rule),
    base: edits?.base ?? saved,
    /** The version that is edited; undefined: it does not exist yet. */
    etag: edits ? edits.etag : etagOf(saved),
    isDirty: edits !== null,
    /** Somebody else has published meanwhile. */
    isOutdated: edits !== null && changedParts(edits.base, saved).length > 0,
    /** What is wrong with the JSON of the audience. */
    fault,
    /** The parts whose rows or JSON are unfinished. */
    faulty: [...new Set<FormPart>([...unfinished, ...(fault ? (['audience'] as const) : [])])],
    setUnfinished: (part: FormPart, isUnfinished: boolean) =>
      setUnfinished((parts) => [...parts.filter((one) => one !== part), ...(isUnfinished ? [part] : [])]),
    edit(change: Partial<DraftRule>) {
      const next = { ...rule, ...change };
      const begun = edits ?? { base: saved, etag: etagOf(saved) };
      saver.edit(isSameRule(next, toDraft(saved)) ? null : { ...begun, rule: next });
    },
    discard: () => void saver.drop(),
    /** Whether the edits are saved for others; without the permission, they stay in this tab. */
    isShared,
    state,
    saver,
  };
}

/** Somebody else has published or discarded the draft. If they have published just these edits, there is nothing left to decide. */
function useGoneDraft({ place, id, saver, state, saved }: Gone) {
  const { edits, phase, theirs } = state;
  const isGone = phase === 'conflict' && !theirs;
  useEffect(() => {
    if (!isGone || isNewRule(id)) return;
    const input = { path: { ...place, notification: Number(id) } };
    void queryClient.invalidateQueries({ queryKey: keyOf(RULE, input) });
  }, [isGone, place, id]);
  useEffect(() => {
    if (isGone && edits && isSameRule(edits.rule, toDraft(saved))) saver.takeTheirs();
  }, [isGone, edits, saved, saver]);
}

interface Gone extends Pick<Opened, 'place' | 'id' | 'saved'> {
  saver: DraftSaver;
  state: DraftState;
}

export type Draft = ReturnType<typeof useDraft>;
