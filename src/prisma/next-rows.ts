/**
 * The condition for the next rows of one owner, ordered by id. `$1` is an array with the owner's id, `$2` the id to start after, `$3` the
 * limit.
 *
 * The array makes PostgreSQL order by owner and id, and only the index over both columns has this order. With `owner = $1` the order is by
 * id alone, and a generic plan scans the primary key through the rows of all owners: 138 ms instead of 1.4 ms for a thousand users, when
 * another organization has half a million.
 */
export const nextRows = (owner: string) => `${owner} = any($1) and id > $2 order by ${owner}, id limit $3`;
