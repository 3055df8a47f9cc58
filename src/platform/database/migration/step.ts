import { inShort } from './statements.js';

/** A statement that runs outside a transaction. It can run again after a kill at any moment. */
export interface Step {
  sql: string;
  /** The index that this statement builds. */
  index: string | null;
  /** Changes some rows, and runs again until it finds none. */
  isRepeated: boolean;
}

const BUILD = /^create (?:unique )?index concurrently (?:if not exists )?("?)(\w+)\1 on\b/i;
const REPEATED = /^(?:update|delete|insert)\b/i;
const AGAIN = [
  /^drop index concurrently if exists\b/i,
  /^alter table [\w".]+ validate constraint\b/i,
  /^comment on\b/i,
];

/** Reads a statement of `concurrently.sql`. Refuses statements that may not run twice, or that block writers. */
export function stepOf(sql: string): Step {
  const line = sql.replace(/\s+/g, ' ');
  const index = BUILD.exec(line)?.[2] ?? null;
  const isRepeated = REPEATED.test(line);
  if (index === null && !isRepeated && !AGAIN.some((pattern) => pattern.test(line))) {
    throw new Error(
      `concurrently.sql may create and drop indexes concurrently (drop with "if exists"), validate constraints, comment, and change rows in ` +
        `statements that are repeated until they find none, but not: ${inShort(sql)}`,
    );
  }
  return { sql, index, isRepeated };
}
