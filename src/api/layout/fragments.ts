import { suggest } from '../../platform/field/error/closest.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldError } from '../../platform/field/error/field-error.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { OwnerOfEither } from '../resource/owner.js';

/** Layouts and partials differ only in how templates use them. */
export type FragmentKind = 'layout' | 'partial';

/** The layout that exists without being stored, unless an organization or a project has its own. */
export const BUILT_IN_LAYOUT = 'default';

const select = { slug: true, projectId: true, partials: true } as const;

interface FragmentNode {
  slug: string;
  projectId: number | null;
  partials: string[];
}

/** The partials of an organization and of all its projects. */
export const allPartials = (tx: Transaction, organizationId: number): Promise<FragmentNode[]> =>
  tx.partial.findMany({ where: { organizationId }, select });

/** The slugs that a project can use, or the organization itself. */
export interface FragmentNames {
  layouts: ReadonlySet<string>;
  partials: ReadonlySet<string>;
}

export async function fragmentNames(
  tx: Transaction,
  { organizationId, projectId }: OwnerOfEither,
): Promise<FragmentNames> {
  const where = { organizationId, OR: [{ projectId }, { projectId: null }] };
  const [layouts, partials] = [
    await tx.layout.findMany({ where, select: { slug: true } }),
    await tx.partial.findMany({ where, select: { slug: true } }),
  ];
  return {
    layouts: new Set([BUILT_IN_LAYOUT, ...layouts.map(({ slug }) => slug)]),
    partials: new Set(partials.map(({ slug }) => slug)),
  };
}

/** The problem with a name that is not known. */
export const noFragment = (kind: FragmentKind, slug: string, known: Iterable<string>): FieldError =>
  fieldError('not_found', `there is no ${kind} ${slug}${suggest(slug, [...known].sort())}`);

/** Deeper than anybody nests them. Rendering allows 20. */
const MAX_DEPTH = 10;

/**
 * What is wrong with the partials of an organization after the one named `slug` was written: a circle, or too many within each other. `projectId`:
 * of its owner. An organization's partial is looked at as each project sees it, with the project's own ones.
 */
export function nestingProblem(nodes: readonly FragmentNode[], slug: string, projectId: number | null): string | null {
  const projects = projectId === null ? new Set(nodes.map((node) => node.projectId)) : new Set([projectId]);
  for (const project of projects) {
    const own = nodes.filter((node) => node.projectId === null || node.projectId === project);
    // Those of the project last: they hide the others.
    own.sort((a, b) => Number(a.projectId !== null) - Number(b.projectId !== null));
    const problem = problemOf(new Map(own.map((node) => [node.slug, node.partials])), slug);
    if (problem) return problem;
  }
  return null;
}

function problemOf(partials: ReadonlyMap<string, readonly string[]>, start: string): string | null {
  const depths = new Map<string, number>();
  let circle: string | null = null;
  const depthOf = (slug: string, path: readonly string[]): number => {
    if (path.includes(slug)) {
      circle ??= [...path.slice(path.indexOf(slug)), slug].join(' > ');
      return 0;
    }
    const known = depths.get(slug);
    if (known !== undefined) return known;
    const inside = (partials.get(slug) ?? []).map((each) => depthOf(each, [...path, slug]));
    const depth = 1 + Math.max(0, ...inside);
    depths.set(slug, depth);
    return depth;
  };
  const deepest = Math.max(...[start, ...partials.keys()].map((slug) => depthOf(slug, [])));
  if (circle) return `must not use itself: ${circle as string}`;
  return deepest > MAX_DEPTH ? `makes more than ${MAX_DEPTH} partials use each other: use fewer` : null;
}
