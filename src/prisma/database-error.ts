/**
 * What an error of the database means. The only file that knows PostgreSQL's codes (SQLSTATE) and Prisma's.
 *
 * Each function takes the errors of both. Prisma shows a code of its own, for every SQL text of ours the same one (`P2010`), but it keeps
 * PostgreSQL's code.
 */
interface CodedError {
  code?: string;
  message?: string;
  cause?: unknown;
  /** Of Prisma's errors: the answer of PostgreSQL. */
  meta?: { driverAdapterError?: { cause?: { originalCode?: string } } };
}

const read = (error: unknown) => (error ?? {}) as CodedError;

function codeOf(error: unknown): string {
  const { code = '', meta } = read(error);
  return meta?.driverAdapterError?.cause?.originalCode ?? code;
}

/** A row with the same unique value exists. */
export const isUniqueViolation = (error: unknown) => codeOf(error) === '23505';

/** A row that is named does not exist, or a row that is to be deleted is still named. */
export const isForeignKeyViolation = (error: unknown) => codeOf(error) === '23503';

/** The row to change does not exist, or the row that it belongs to: another request has just deleted it. */
export const isRowGone = (error: unknown) => isForeignKeyViolation(error) || codeOf(error) === 'P2025';

/** PostgreSQL ended this transaction so that another one can continue. */
export const isDeadlock = (error: unknown) => codeOf(error) === '40P01';

/** PostgreSQL itself refused the statement; otherwise it may not even have been reached. */
export const isPostgresAnswer = (error: unknown) => /^[0-9A-Z]{5}$/.test(codeOf(error));

/** PostgreSQL will never accept these values (class 22) or rows (class 23): a retry does not help. */
export const isDataError = (error: unknown) => /^2[23]/.test(codeOf(error));

// PostgreSQL: class 08 connection, 57P0x shutting down, 57014 and 55P03 waited too long, 53300 too many connections.
// Prisma: P1xxx cannot connect, P2024 and P2028 no free connection. The rest are codes of Node.js.
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
