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
  meta?: { driverAdapterError?: { cause?: { originalCode?: string; kind?: string } } };
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

/** Another session holds a lock, and the statement waits no longer for it. */
export const isLockTimeout = (error: unknown) => codeOf(error) === '55P03';

/** The transaction took longer than it may, and was rolled back. */
export const isTransactionTimeout = (error: unknown) =>
  codeOf(error) === 'P2028' && /expired|already closed/i.test(read(error).message ?? '');

/** PostgreSQL received the statement and refused it. Other errors may mean that PostgreSQL was not reached. */
export const isPostgresAnswer = (error: unknown) => /^(?!EPIPE$)[0-9A-Z]{5}$/.test(codeOf(error));

/** PostgreSQL will never accept these values (class 22) or rows (class 23): a retry does not help. */
export const isDataError = (error: unknown) => /^2[23]/.test(codeOf(error));

/** Why the database did not do its work, and when to try again. */
interface Outage {
  detail: string;
  retryAfterSeconds: number;
}

const outage = (detail: string, retryAfterSeconds = 1): Outage => ({ detail, retryAfterSeconds });

const UNREACHABLE = outage('The database cannot be reached at the moment.');
const BUSY = outage('The service is busy: all its connections to the database are in use. Try again.');
const FULL = outage(
  'The database has no disk space left. Changes are possible again once its operator has freed some.',
  30,
);
const CHANGED = outage('Another change of the same thing is under way. Try again.');

// The first code that matches. PostgreSQL: five characters, or the two of a class. Prisma: P2024 and P2028 no free connection in time, P1xxx
// cannot connect. The other codes are from Node.js.
const OUTAGES: [RegExp, Outage][] = [
  [/^55P03|^40P01|^40001/, CHANGED],
  [/^25P03/, UNREACHABLE], // PostgreSQL has ended a session whose transaction was idle for too long
  [/^57014/, outage('The database took too long. Ask for less, or try again.')],
  [/^25006/, outage('The database accepts no changes at the moment: it is read-only, as after a failover.', 5)],
  [/^53100/, FULL],
  [/^53/, outage('The database has no memory or connections left at the moment.', 5)],
  [/^P2024|^P2028/, BUSY],
  [/^(08|57P0|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EHOST|ENET|EAI_AGAIN|ERR_STREAM|P1\d)/, UNREACHABLE],
];

// What Prisma calls errors of the connection in its raw statements, which have no code of PostgreSQL.
const UNREACHABLE_KINDS =
  /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TlsConnectionError|TooManyConnections)$/;
const BUSY_WORDS = /timeout exceeded when trying to connect/;
const UNREACHABLE_WORDS =
  /Connection terminated|is not queryable|Can't reach database|timeout expired|Connection ended|server closed the connection|recovery is in progress|socket hang up|before secure TLS connection was established/i;
// PostgreSQL reports some files that it cannot write or read as internal errors (XX000) and as I/O errors (58030), and does not name the reason
// in the code: `could not write init file`, `could not extend file "base/5/1259": No space left on device`.
const DISK_CODES = /^(XX000|58030)/;
const DISK_WORDS = /could not (write|extend|create|open|fsync|flush|rename|resize|close)|No space left on device/i;

/** Tells an outage of the database, or lack of capacity, from a mistake of ours; null: it is none. */
export function outageOf(error: unknown): Outage | null {
  const { message = '', cause, meta } = read(error);
  const code = codeOf(error);
  const found = OUTAGES.find(([codes]) => codes.test(code))?.[1];
  if (found) return found;
  if (DISK_WORDS.test(message) && DISK_CODES.test(code)) return FULL;
  if (UNREACHABLE_KINDS.test(meta?.driverAdapterError?.cause?.kind ?? '')) return UNREACHABLE;
  if (BUSY_WORDS.test(message)) return BUSY;
  if (UNREACHABLE_WORDS.test(message)) return UNREACHABLE;
  return cause !== undefined && cause !== error ? outageOf(cause) : null;
}
