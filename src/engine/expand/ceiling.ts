/** The next users of a target, ordered by id. */
export interface UserPage {
  /** The last user that was read; null: there are no more. */
  last: number | null;
  /** The users to count; when a ceiling is checked, those whom no gate keeps back. */
  reached: number[];
}

/** Reads the users of a target with an id above `after`. */
type NextUsers = (after: number) => Promise<UserPage>;

/**
 * Counts the users of all targets, each user once. It stops when there are more than `most`. It keeps only one page of every target in
 * memory, so a million users are no problem.
 */
export async function countDistinct(targets: NextUsers[], most = Infinity): Promise<number> {
  const open = targets.map((next) => ({ next, page: { last: 0, reached: [] } as UserPage }));
  let users = 0;
  for (let edge = 0; edge < Infinity && users <= most;) {
    for (const target of open) {
      if (target.page.last === edge) target.page = await target.next(edge);
    }
    // Above this id some pages may lack a user that another page has.
    const before = edge;
    edge = Math.min(...open.map(({ page }) => page.last ?? Infinity));
    users += new Set(open.flatMap(({ page }) => page.reached.filter((id) => id > before && id <= edge))).size;
  }
  return users;
}

/** Whether the targets reach more users than the ceiling. It stops as soon as the answer is known. */
export const reachesMoreThan = async (ceiling: number, targets: NextUsers[]): Promise<boolean> =>
  (await countDistinct(targets, ceiling)) > ceiling;
