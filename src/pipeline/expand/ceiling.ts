/** The next people of a target, ordered by id. */
export interface PeoplePage {
  /** The last person that was read; null: there are no more. */
  last: number | null;
  /** The people whom no gate keeps back. */
  reached: number[];
}

/**
 * Whether the targets reach more people than the ceiling, each person counted once. It reads one page of every target at a time and stops
 * as soon as the answer is known. It keeps only these pages in memory, so a million people are no problem.
 */
export async function reachesMoreThan(
  ceiling: number,
  targets: ((after: number) => Promise<PeoplePage>)[],
): Promise<boolean> {
  let people = 0;
  for (let after = 0; ;) {
    const pages: PeoplePage[] = [];
    for (const next of targets) pages.push(await next(after));
    // Above this id some pages may lack a person that another page has.
    const edge = Math.min(...pages.map(({ last }) => last ?? Infinity));
    people += new Set(pages.flatMap(({ reached }) => reached.filter((id) => id <= edge))).size;
    if (people > ceiling) return true;
    if (edge === Infinity) return false;
    after = edge;
  }
}
