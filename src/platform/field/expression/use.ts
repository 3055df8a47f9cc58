/** A step into every item of a list. */
export const EACH = Symbol('each');

/** A step into some items of a list: the first item, or those that a filter keeps. */
export const SOME = Symbol('some');

/** The place of a value in the context of a template or a condition. */
export type Path = readonly (string | typeof EACH | typeof SOME)[];

/** One value that a template or a condition reads. */
export interface Use {
  path: Path;
  /**
   * Whether the value is needed, regardless of the rest of the context. On a path with `EACH`, only the steps after the last `EACH` are
   * needed: the list may be empty.
   */
  needed: boolean;
}

/** The deepest nesting that a request may have. */
export const MAX_STEPS = 32;

/** About 20 ms of work. A template that somebody wrote needs a few hundred units. */
const MAX_WORK = 50_000;

/** The deepest nesting of tags or names, well below the limit of the stack. */
const MAX_DEPTH = 200;

/** The template has too many names to analyse. */
export class TooManyUses extends Error {
  override name = 'TooManyUses';
}

/** Limits the cost of analysing one template. */
export class UseBudget {
  #left = MAX_WORK;
  #depth = 0;

  spend(work: number): void {
    this.#left -= work;
    if (this.#left < 0) throw new TooManyUses();
  }

  enter(): void {
    if (++this.#depth > MAX_DEPTH) throw new TooManyUses();
  }

  leave(): void {
    this.#depth--;
  }
}

/** A set of uses with each path once. */
export class Uses {
  readonly #found = new Map<string, Use>();

  constructor(private readonly budget: UseBudget = new UseBudget()) {}

  add(path: Path, needed: boolean): void {
    this.budget.spend(1);
    if (path.length === 0) return;
    const key = path.map((step) => (typeof step === 'string' ? `.${step}` : step.toString())).join('\0');
    const known = this.#found.get(key);
    if (!known) this.#found.set(key, { path, needed });
    else known.needed ||= needed;
  }

  /** Adds the uses of alternatives, such as the branches of an `if`. A path is needed only if every alternative needs it. */
  addAnyOf(alternatives: Uses[]): void {
    for (const alternative of alternatives) {
      for (const [key, { path, needed }] of alternative.#found) {
        this.add(path, needed && alternatives.every((other) => other.#found.get(key)?.needed));
      }
    }
  }

  list(): Use[] {
    return [...this.#found.values()];
  }
}
