import { Prisma } from '../generated/prisma/client.js';

/** Whether a write failed because a row with the same unique value exists. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}

/** Whether a write failed because the row it belongs to has gone meanwhile. */
export function isParentGone(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && ['P2003', 'P2025'].includes(error.code);
}

/** Whether PostgreSQL gave up a transaction so that another could go on. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2034';
}
