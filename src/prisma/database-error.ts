/**
 * Classifies database errors. This is the only file that knows the error codes of PostgreSQL (SQLSTATE) and of Prisma.
 *
 * Each function accepts errors of both. For raw SQL, Prisma always reports the code `P2010`, but its error also holds PostgreSQL's code.
 */
interface CodedError {
  code?: string;
  message?: string;
  cause?: unknown;
  /** In errors of Prisma: the error of PostgreSQL. */
  meta?: { driverAdapterError?: { cause?: { originalCode?: string } } };
}

const read = (error: unknown) => (error ?? {}) as CodedError;

function codeOf(error: unknown): string {
  const { code = '', meta } = read(error);
  return meta?.driverAdapterError?.cause?.originalCode ?? code;
}

/** A row with the same unique value exists. */
export const isUniqueViolation = (error: unknown) => codeOf(error) === '23505';

/** A foreign key points to a missing row, or still points to the row to delete. */
export const isForeignKeyViolation = (error: unknown) => codeOf(error) === '23503';

/** The row to change, or its parent, does not exist: another request has just deleted it. */
export const isRowGone = (error: unknown) => isForeignKeyViolation(error) || codeOf(error) === 'P2025';

/** PostgreSQL ended this transaction so that another one can continue. */
export const isDeadlock = (error: unknown) => codeOf(error) === '40P01';

/** PostgreSQL received the statement and refused it. Other errors may mean that PostgreSQL was not reached. */
export const isPostgresAnswer = (error: unknown) => /^(?!EPIPE$)[0-9A-Z]{5}$/.test(codeOf(error));

/** PostgreSQL will never accept these values (class 22) or rows (class 23): a retry does not help. */
export const isDataError = (error: unknown) => /^2[23]/.test(codeOf(error));

// PostgreSQL: class 08 connection, 57P0x shutting down, 57014 and 55P03 timeouts, 53300 too many connections.
// Prisma: P1xxx cannot connect, P2024 and P2028 no free connection. The other codes are from Node.js.
const UNAVAILABLE = /^(08|57P0|57014|55P03|53300|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|P1\d|P2024|P2028)/;
const UNAVAILABLE_WORDS = /Connection terminated|timeout exceeded when trying to connect|Can't reach database/;

/** The database cannot be reached or has no capacity at the moment. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { message = '', cause } = read(error);
  return (
    UNAVAILABLE.test(codeOf(error)) ||
    UNAVAILABLE_WORDS.test(message) ||
    (cause !== undefined && cause !== error && isDatabaseUnavailable(cause))
  );
}
