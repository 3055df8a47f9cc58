import { randomBytes } from 'node:crypto';
import { sqlArray } from '../database/transaction.js';
import type { SqlTransaction } from '../database/transaction.js';
import { HEADS, SEAL, UNSEALED_ENTRIES } from './audit.sql.js';
import { NO_SEAL, digestOf, sealOf } from './seal.js';
import type { Entry } from './seal.js';

/** Only the process that holds this lock seals: the chains have one order. */
const SEAL_LOCK = 7_261_006;
const BATCH = 1000;
const SALT_BYTES = 32;
const TIMEOUT_MS = 60_000;

interface Head {
  organizationId: number;
  position: string;
  seal: string;
}

/** Prisma, or the connection of a command. */
interface Transactions {
  $transaction<Result>(work: (tx: SqlTransaction) => Promise<Result>, options: { timeout: number }): Promise<Result>;
}

const NO_ORGANIZATION = 0;
const chainOf = ({ organizationId }: Pick<Entry, 'organizationId'>) => organizationId ?? NO_ORGANIZATION;

/**
 * Seals some entries, each in the chain of its organization, and returns their number. It does so after the commit that wrote them: writes
 * of an organization would otherwise wait for each other.
 */
export function sealEntries(transactions: Transactions): Promise<number> {
  return transactions.$transaction(
    async (tx) => {
      await tx.$executeRawUnsafe(`select pg_advisory_xact_lock(${SEAL_LOCK})`);
      const entries = await tx.$queryRawUnsafe<Entry[]>(UNSEALED_ENTRIES, BATCH);
      if (entries.length === 0) return 0;
      const chains = [...new Set(entries.map(chainOf))];
      const heads = await tx.$queryRawUnsafe<Head[]>(HEADS, chains);
      await tx.$executeRawUnsafe(SEAL, ...columns(entries, new Map(heads.map((head) => [head.organizationId, head]))));
      return entries.length;
    },
    { timeout: TIMEOUT_MS },
  );
}

/** Seals until nothing is left. An entry that is just being redacted stays for the next time. */
export async function sealAll(transactions: Transactions): Promise<void> {
  while ((await sealEntries(transactions)) > 0);
}

function columns(entries: Entry[], heads: Map<number, Pick<Head, 'position' | 'seal'>>): string[] {
  const sealed = entries.map((entry) => {
    const before = heads.get(chainOf(entry)) ?? { position: '0', seal: NO_SEAL };
    const position = String(BigInt(before.position) + 1n);
    const salt = randomBytes(SALT_BYTES).toString('hex');
    const digest = digestOf(entry, salt);
    const seal = sealOf(entry, position, digest, before.seal);
    heads.set(chainOf(entry), { position, seal });
    return [entry.id, position, salt, digest, seal];
  });
  return [0, 1, 2, 3, 4].map((column) => sqlArray(sealed.map((row) => row[column]!)));
}
