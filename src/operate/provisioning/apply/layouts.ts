import { BUILT_IN_LAYOUT } from '../../../api/layout/fragments.js';
import type { FragmentKind } from '../../../api/layout/fragments.js';
import type { FragmentUseDto } from '../../../api/layout/layout.dto.js';
import { LIST_USES } from '../../../api/layout/layout.sql.js';
import { putFragment, removalProblem, removeFragment, renewUsing, tableOf } from '../../../api/layout/layout.write.js';
import type { FragmentContext } from '../../../api/layout/layout.write.js';
import type { Inspect } from '../../../api/notification/notification-templates.js';
import type { OwnerOfEither } from '../../../api/resource/owner.js';
import { lockRows } from '../../../platform/database/transaction.js';
import { inspectTemplate } from '../../../rules/template/template-fields.js';
import { ProvisioningError } from '../file.js';
import type { FragmentEntry } from '../file.js';
import type { FileProblems } from '../problem/file-problems.js';
import { changesOf } from './change.js';
import type { Change } from './change.js';

/** The layouts and partials of an entry of the file. */
interface Fragments {
  layouts?: FragmentEntry[];
  partials?: FragmentEntry[];
}

interface Changed {
  kind: FragmentKind;
  owner: OwnerOfEither;
  slug: string;
  entry: object;
  change: Change;
}

type Context = FragmentContext & { problems: FileProblems; inspect?: Inspect };

/** The most templates that a plan names for one layout or partial. */
const MAX_NAMED = 1000;

/** Writes layouts and partials. Their users get new rulesets at the end, when the rest of the file is written. */
export class FragmentsApply {
  readonly #changed: Changed[] = [];

  constructor(private readonly context: Context) {}

  /**
   * Locks the organization if any of the entries has layouts or partials, as HTTP does before it locks events. Otherwise a notification that is being
   * written could use a layout that this changes or deletes.
   */
  async lock(organizationId: number, entries: Fragments[]): Promise<void> {
    if (entries.some(({ layouts, partials }) => layouts ?? partials))
      await lockRows(this.context.tx, 'organizations', [organizationId], 'no key update');
  }

  /** `parent`: the path of the owner. */
  async put(owner: OwnerOfEither, { partials = [], layouts = [] }: Fragments, parent: string): Promise<Change[]> {
    const inspect = this.context.inspect ?? inspectTemplate;
    const changes: Change[] = [];
    const write = async (kind: FragmentKind, entry: FragmentEntry) => {
      const { slug, ...fields } = entry;
      const row = await putFragment(this.context, kind, owner, slug, fields, inspect(entry));
      if ('errors' in row) return this.context.problems.add(entry, row.errors);
      const made = changesOf(kind, `${parent}/${slug}`, row);
      for (const change of made) this.#changed.push({ kind, owner, slug, entry, change });
      changes.push(...made);
    };
    for (const entry of usedFirst(partials, inspect)) await write('partial', entry);
    for (const entry of layouts) await write('layout', entry);
    return changes;
  }

  /** Deletes one that the file does not have. */
  async remove(kind: FragmentKind, owner: OwnerOfEither, id: number, change: Change): Promise<void> {
    const slug = change.name.split('/').at(-1)!;
    await removeFragment(this.context.tx, kind, id);
    this.#changed.push({ kind, owner, slug, entry: {}, change });
  }

  /** Renews the rulesets of those who use them, and names these in the changes. */
  async renew(): Promise<void> {
    await this.#refuseNesting();
    for (const { kind, owner, slug, entry, change } of this.#changed) {
      const excess = await renewUsing(this.context, kind, owner, slug, Infinity);
      if (excess) this.context.problems.addOne(entry, '', 'too_many', excess.detail);
      if (change.verb !== 'create' || (await this.#hides(kind, owner, slug)))
        Object.assign(change, await this.#touched(kind, owner, slug));
    }
  }

  /** After all deletions: a partial may be left that uses itself now. */
  async #refuseNesting(): Promise<void> {
    const problems: string[] = [];
    for (const { kind, owner, slug, change } of this.#changed) {
      const problem = change.verb === 'delete' ? await removalProblem(this.context.tx, kind, owner, slug) : null;
      if (problem) problems.push(`${kind} ${change.name} ${problem}`);
    }
    if (problems.length > 0) throw new ProvisioningError(problems);
  }

  /** A new one touches only what used another one of the same slug until now. */
  async #hides(kind: FragmentKind, { organizationId, projectId }: OwnerOfEither, slug: string): Promise<boolean> {
    if (kind === 'layout' && slug === BUILT_IN_LAYOUT) return true;
    if (projectId === null) return false;
    return (await tableOf(this.context.tx, kind).count({ where: { organizationId, projectId: null, slug } })) > 0;
  }

  async #touched(kind: FragmentKind, { organizationId, projectId }: OwnerOfEither, slug: string) {
    const uses = await this.context.tx.$queryRawUnsafe<FragmentUseDto[]>(
      ...([LIST_USES, organizationId, projectId, kind, slug, 0, MAX_NAMED] as const),
    );
    const names = uses.map(({ project, application, event, name }) => [project, application, event, name].join('/'));
    return names.length > 0 ? { touches: [...new Set(names)] } : {};
  }
}

/** Each after the partials that it uses, as far as they are in the file. */
function usedFirst(entries: FragmentEntry[], inspect: Inspect): FragmentEntry[] {
  const bySlug = new Map(entries.map((entry) => [entry.slug, entry]));
  const done = new Set<FragmentEntry>();
  const add = (entry: FragmentEntry, path: readonly FragmentEntry[]) => {
    if (done.has(entry) || path.includes(entry)) return;
    for (const { name } of inspect(entry).partials) {
      const used = bySlug.get(name);
      if (used) add(used, [...path, entry]);
    }
    done.add(entry);
  };
  for (const entry of entries) add(entry, []);
  return [...done];
}
