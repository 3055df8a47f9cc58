/** A step into every item of a list, and one into some of its items: the first, those that a filter keeps. */
export const EACH = Symbol('each');
export const SOME = Symbol('some');

/** Where a value lies in what a template or a condition is given. */
export type Path = readonly (string | typeof EACH | typeof SOME)[];

/** That a template or a condition looks at a value. */
export interface Use {
  path: Path;
  /**
   * It cannot do without, whatever else it is given. Of a path through each item of a list that holds from the last such list
   * on: a list without items needs nothing in them.
   */
  needed: boolean;
}

/** Nothing that a request brings is nested deeper. */
export const MAX_STEPS = 32;

/** Some 20 ms. A template that a person wrote comes to a few hundred. */
const MAX_WORK = 50_000;

/** Tags within tags, and names within names: well below what the stack holds. */
const MAX_DEPTH = 200;

/** A template names too much for it to be looked through. */
export class TooManyUses extends Error {
  override name = 'TooManyUses';
}

/** What looking through one template may cost. */
export class UseBudget {
  #left = MAX_WORK;
  #depth = 0;

  spend(work: number): void {
    this.#left -= work;
    if (this.#left < 0) throw new TooManyUses();
  }

  deeper(): void {
    if (++this.#depth > MAX_DEPTH) throw new TooManyUses();
  }

  back(): void {
    this.#depth--;
  }
}

/** Uses, each path once. */
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

  /** Those of alternatives, one of which holds: only what all of them need is needed. */
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
