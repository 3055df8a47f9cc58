// For lists ordered by slug: select, order, cursor.

export const nameAndSlug = { name: true, slug: true } as const;

export const bySlug = { slug: 'asc' } as const;

/** The rows after the cursor, as a part of a `where`. */
export const behind = (after: string | null) => (after === null ? {} : { slug: { gt: after } });

export const slugOf = ({ slug }: { slug: string }) => slug;
