import { etagOf } from '@carillon/client';
import type { DraftContent } from '@carillon/client';
import { isSame, mergeTrees } from '../../../api/merge';
import type { Tree } from '../../../api/merge';
import { readJson } from '../../../editor/json';
import type { RuleContent } from '../parts';
import { RULE_SHAPE } from '../shape';

/** A rule while it is edited: the JSON of its audience is text, which may be unfinished. */
export type DraftRule = Omit<RuleContent, 'audience' | 'translation_gaps'> & { audience: string };

/** What is edited, and what it began with. */
export interface Edits {
  /** What was published when the editing began. */
  base: RuleContent;
  /** The version of that; left out: it did not exist. */
  etag?: string;
  rule: DraftRule;
}

/** A draft as the service has it. */
export interface Saved {
  edits: Edits;
  etag: string | undefined;
  by: string;
  at: string;
}

export function toDraft(saved: RuleContent): DraftRule {
  const { name, enabled, when, to, distribution_lists, audience, window, digest, limit } = saved;
  const { steps, acknowledge, thread, templates } = saved;
  return {
    ...{ name, enabled, when, to, distribution_lists },
    audience: audience ? JSON.stringify(audience, null, 2) : '',
    ...{ window, digest, limit, steps, acknowledge, thread, templates },
  };
}

export const toContent = (rule: DraftRule): RuleContent => ({ ...rule, audience: readJson(rule.audience).value });

/** The same JSON, in whatever order the database keeps its fields. */
export const isSameRule = (one: DraftRule, other: DraftRule) => isSame(one, other);

/** As the service saves it. A rule that does not exist yet has no base. */
export const bodyOfDraft = ({ base, etag, rule }: Edits) => ({
  notification: rule as never,
  base: etag === undefined ? null : ({ ...toDraft(base), audience: base.audience } as never),
  base_etag: etag ?? null,
});

/** `empty`: a rule without anything in it. A draft that a program has saved may lack fields. */
export function savedOf(draft: DraftContent, empty: RuleContent): Saved {
  const given = draft.notification as Partial<RuleContent>;
  const { audience } = given;
  const rule = { ...toDraft(empty), ...given, audience: typeof audience === 'string' ? audience : asText(audience) };
  const base = { ...empty, ...(draft.base as RuleContent | null) };
  return {
    edits: { base, etag: draft.base_etag ?? undefined, rule },
    ...{ etag: etagOf(draft), by: draft.saved_by, at: draft.saved_at },
  };
}

const asText = (audience: unknown) => (audience ? JSON.stringify(audience, null, 2) : '');

const { toTree, fromTree, isDeep } = RULE_SHAPE as unknown as Required<{
  toTree: (rule: DraftRule) => Tree;
  fromTree: (tree: Tree) => DraftRule;
  isDeep: (place: readonly string[]) => boolean;
}>;

/** Both edits in one; null: they have changed the same text, or did not begin with the same. */
export function bothOf(mine: Edits, theirs: Edits): Edits | null {
  if (mine.etag !== theirs.etag) return null;
  const versions = { base: toTree(toDraft(mine.base)), mine: toTree(mine.rule), theirs: toTree(theirs.rule) };
  const { merged, conflicts } = mergeTrees(versions, isDeep);
  return conflicts.length === 0 ? { ...theirs, rule: fromTree(merged) } : null;
}
