/**
 * The condition for the next rows of one owner in the order of their ids: `$1` is an array that holds the owner's id alone,
 * `$2` the id after which to go on, `$3` how many.
 *
 * An array, so that the order is by owner and id, which only the index over both has. With `owner = $1` the order is by id, and a
 * plan that is kept for all owners takes the primary key, through the rows of everyone: 138 ms instead of 1.4 for a thousand users
 * beside half a million of another organization.
 */
export const nextRows = (owner: string) => `${owner} = any($1) and id > $2 order by ${owner}, id limit $3`;
