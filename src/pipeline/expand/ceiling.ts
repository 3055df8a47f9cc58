/** The next people of a target, in order of their ids. */
export interface PeoplePage {
  /** The last one that was looked at; null: there are no more after these. */
  last: number | null;
  /** Those whom no gate keeps back. */
  reached: number[];
}

/**
 * Whether the targets reach more people than that, each person counted once. All are read side by side, and no further than it takes
 * to know: nothing is kept of those who are counted, be they a million.
 */
export async function reachesMoreThan(
  ceiling: number,
  targets: ((after: number) => Promise<PeoplePage>)[],
): Promise<boolean> {
  let people = 0;
  for (let after = 0; ;) {
    const pages: PeoplePage[] = [];
    for (const next of targets) pages.push(await next(after));
    // Beyond this one, some pages may lack a person that another has.
    const edge = Math.min(...pages.map(({ last }) => last ?? Infinity));
    people += new Set(pages.flatMap(({ reached }) => reached.filter((id) => id <= edge))).size;
    if (people > ceiling) return true;
    if (edge === Infinity) return false;
    after = edge;
  }
}
