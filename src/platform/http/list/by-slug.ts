// The parts of a query for a list ordered by slug: select, order, cursor.

export const nameAndSlug = { name: true, slug: true } as const;

export const bySlug = { slug: 'asc' } as const;

/** The condition for the rows after the cursor. */
export const afterSlug = (after: string | null) => (after === null ? {} : { slug: { gt: after } });

export const slugOf = ({ slug }: { slug: string }) => slug;
