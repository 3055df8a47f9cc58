import type { NavigateOptions } from '@tanstack/react-router';
import type { IconName } from '../../components/icon-paths';

export type Kind =
  | 'occurrence'
  | 'person'
  | 'event'
  | 'notification'
  | 'channel'
  | 'list'
  | 'category'
  | 'layout'
  | 'project'
  | 'page'
  | 'action';

/** Something that the words lead to. */
export interface Finding {
  /** Unlike that of any other. */
  id: string;
  kind: Kind;
  label: string;
  hint?: string;
  /** Words that find it, too, such as its slug. */
  also?: string;
  icon: IconName;
  /** Where it leads, or what it does. */
  does: NavigateOptions | (() => void);
  /** The service found it by its data, which may be nowhere in its label: it ranks at least so high. */
  rank?: number;
  /** Below all others, whatever its label. */
  isLast?: boolean;
}

const LAST = 4;
/** Of one kind, so many are shown. */
const OF_KIND = 6;

/** 0: the label begins with the words; 1: a word of it does; 2: they are in it; 3: they are in what also finds it. Null: nowhere. */
function rankOf({ label, also = '', hint = '' }: Finding, words: string): number | null {
  const name = label.toLowerCase();
  if (name.startsWith(words)) return 0;
  const at = name.indexOf(words);
  if (at > 0) return /[\p{L}\p{N}]/u.test(name[at - 1]!) ? 2 : 1;
  return `${also} ${hint}`.toLowerCase().includes(words) ? 3 : null;
}

/** Those that have the words, the best first; those of one kind stay in their order. */
export function matching(all: readonly Finding[], typed: string): Finding[] {
  const words = typed.trim().toLowerCase();
  const ranked = all.flatMap((finding, order) => {
    const ranks = finding.isLast
      ? [LAST]
      : [rankOf(finding, words), finding.rank ?? null].filter((rank) => rank !== null);
    return ranks.length === 0 ? [] : [{ finding, rank: Math.min(...ranks), order }];
  });
  const seen = new Map<Kind, number>();
  return ranked
    .sort((a, b) => a.rank - b.rank || a.order - b.order)
    .flatMap(({ finding }) => {
      const count = (seen.get(finding.kind) ?? 0) + 1;
      seen.set(finding.kind, count);
      return count <= OF_KIND || words === '' ? [finding] : [];
    });
}
