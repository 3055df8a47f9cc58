import type { Database } from '../database/database.js';
import { nextSealed } from './audit.sql.js';
import { NO_SEAL, problemOf } from './seal.js';
import type { SealedEntry } from './seal.js';

const PAGE = 1000;
const OF_ORGANIZATION = nextSealed('organization');
const OF_NONE = nextSealed('none');

/** The last entry of a chain. Who keeps it outside of the database notices later if the chain was rewritten up to there. */
export interface Head {
  position: number;
  seal: string;
}

export interface Verified {
  /** Entries that were checked. */
  entries: number;
  /** Those of them whose details were redacted since. */
  redacted: number;
  /** The position of the oldest entry, if those before it were deleted. */
  begins_at: number | null;
  head: Head | null;
  /** The first thing that is wrong; null: nothing is. */
  problem: string | null;
}

/** Walks the chain of an organization, page by page, up to its first problem. `earlier` is a head that was seen before. */
export async function verifyChain(
  database: Pick<Database, 'query'>,
  organizationId: number | null,
  earlier: Head | null,
): Promise<Verified> {
  const walk = new Walk(earlier);
  for (let after = 0; ;) {
    const [name, text] = organizationId === null ? ['verify-none', OF_NONE] : ['verify-chain', OF_ORGANIZATION];
    const owner = organizationId === null ? null : [organizationId];
    const { rows } = await database.query<SealedEntry>(name, text, [owner, after, PAGE]);
    if (rows.length === 0) return walk.end();
    for (const entry of rows) if (!walk.pass(entry)) return walk.verified;
    after = Number(rows.at(-1)!.position);
  }
}

class Walk {
  readonly verified: Verified = { entries: 0, redacted: 0, begins_at: null, head: null, problem: null };
  /** The seal of the entry before; null: unknown. */
  private before: string | null = NO_SEAL;
  private last = 0;

  constructor(private readonly earlier: Head | null) {}

  /** False: it ends here. */
  pass(entry: SealedEntry): boolean {
    const position = Number(entry.position);
    const problem = this.gapBefore(position) ?? this.rewritten(entry, position) ?? problemOf(entry, this.before);
    if (problem !== null) {
      const at = new Date(Number(entry.at)).toISOString();
      this.verified.problem = `entry ${entry.id} (position ${position}, ${at}): ${problem}`;
      return false;
    }
    this.verified.entries++;
    if (entry.salt === null) this.verified.redacted++;
    this.verified.head = { position, seal: entry.seal };
    this.before = entry.seal;
    this.last = position;
    return true;
  }

  end(): Verified {
    const { earlier, verified, last } = this;
    if (earlier && earlier.position > last)
      verified.problem = `the entries after position ${last} are gone: the chain had ${earlier.position}`;
    return verified;
  }

  /** The operator may delete the oldest entries. A head from before, at or after the gap, proves that the rest is still the same chain. */
  private gapBefore(position: number): string | null {
    if (position === this.last + 1) return null;
    const missing = `the entries from position ${this.last + 1} to ${position - 1} are gone`;
    if (this.last > 0) return missing;
    if (!this.earlier) return `${missing}. If you deleted them on purpose, give --heads from before`;
    if (this.earlier.position < position - 1) return `${missing}, also some after the head in --heads`;
    this.verified.begins_at = position;
    this.before = this.earlier.position === position - 1 ? this.earlier.seal : null;
    return null;
  }

  private rewritten({ seal }: SealedEntry, position: number): string | null {
    const isOther = position === this.earlier?.position && seal !== this.earlier.seal;
    return isOther ? 'it has another seal than in --heads: the chain was rewritten' : null;
  }
}
