import { etagOf } from '@carillon/client';
import { useState } from 'react';
import type { EventPlace } from '../event/place';
import { readJson } from '../../editor/json';
import { changedParts } from './parts';
import type { RuleContent } from './parts';

/** The parts that have a form of rows. */
export type FormPart = 'when' | 'audience' | `steps[${number}]`;

/** A rule while it is edited: the JSON of its audience is text, which may be unfinished. */
export type DraftRule = Omit<RuleContent, 'audience' | 'translation_gaps'> & { audience: string };

interface Stored {
  /** What was saved when the editing began. */
  base: RuleContent;
  /** The version of that. */
  etag?: string;
  rule: DraftRule;
}

const keyOf = ({ org, prj, app, evt }: EventPlace, rule: string) =>
  `carillon-edits:${org}/${prj}/${app}/${evt}/${rule}`;

export const hasDraft = (place: EventPlace, rule: string) => sessionStorage.getItem(keyOf(place, rule)) !== null;

function readStored(key: string): Stored | null {
  const stored = sessionStorage.getItem(key);
  return stored === null ? null : (JSON.parse(stored) as Stored);
}

/**
 * The rule as it is edited. The edits survive other pages, a reload and a session that ends: they are kept in this tab until they are
 * published or discarded.
 */
export function useDraft(place: EventPlace, id: string, saved: RuleContent) {
  const key = keyOf(place, id);
  const [unfinished, setUnfinished] = useState<readonly FormPart[]>([]);
  const [stored, setStored] = useState(() => readStored(key));
  function keep(next: Stored | null) {
    setStored(next);
    try {
      if (next) sessionStorage.setItem(key, JSON.stringify(next));
      else sessionStorage.removeItem(key);
    } catch {
      // The storage is full: this page still has the edits.
    }
  }
  const rule = stored?.rule ?? toDraft(saved);
  const content = toContent(rule);
  const fault = readJson(rule.audience).fault;
  return {
    rule,
    content,
    base: stored?.base ?? saved,
    /** The version that is edited; undefined: it does not exist yet. */
    etag: stored ? stored.etag : etagOf(saved),
    isDirty: stored !== null,
    /** Somebody else has published meanwhile. */
    isOutdated: stored !== null && changedParts(stored.base, saved).length > 0,
    /** What is wrong with the JSON of the audience. */
    fault,
    /** The parts whose rows or JSON are unfinished. */
    faulty: [...new Set<FormPart>([...unfinished, ...(fault ? (['audience'] as const) : [])])],
    setUnfinished: (part: FormPart, isUnfinished: boolean) =>
      setUnfinished((parts) => [...parts.filter((one) => one !== part), ...(isUnfinished ? [part] : [])]),
    edit(change: Partial<DraftRule>) {
      const next = { ...rule, ...change };
      const isAsSaved = JSON.stringify(next) === JSON.stringify(toDraft(saved));
      const begun = stored ?? { base: saved, etag: etagOf(saved) };
      keep(isAsSaved ? null : { ...begun, rule: next });
    },
    discard: () => keep(null),
  };
}

export type Draft = ReturnType<typeof useDraft>;

function toDraft(saved: RuleContent): DraftRule {
  const { name, enabled, when, to, distribution_lists, audience, window, digest, limit } = saved;
  const { steps, acknowledge, thread, templates } = saved;
  return {
    ...{ name, enabled, when, to, distribution_lists },
    audience: audience ? JSON.stringify(audience, null, 2) : '',
    ...{ window, digest, limit, steps, acknowledge, thread, templates },
  };
}

const toContent = (rule: DraftRule): RuleContent => ({ ...rule, audience: readJson(rule.audience).value });
