const codeOf = (error: unknown) => (error as { code?: string }).code;

/** What PostgreSQL says of a statement of ours; for Prisma's see unique.ts. */
export const isDuplicate = (error: unknown) => codeOf(error) === '23505';
export const isForeignKeyViolation = (error: unknown) => codeOf(error) === '23503';
