import { readFile } from 'node:fs/promises';
import { CHAINS } from '../../platform/audit/audit.sql.js';
import { sealAll } from '../../platform/audit/seal-entries.js';
import { verifyChain } from '../../platform/audit/verify-chain.js';
import type { Head, Verified } from '../../platform/audit/verify-chain.js';
import { withConnection } from './connection.js';
import type { Connection } from './connection.js';
import { CommandError, cannotRead, print } from './print/print.js';
import type { PrintOptions } from './print/print.js';

export interface VerifyOptions extends PrintOptions {
  org?: string;
  heads?: string;
}

interface Chain {
  /** Null: the entries of operators, which belong to no organization. */
  organization_id: number | null;
  /** Null: the organization was deleted, or there is none. */
  organization: string | null;
}

type Result = Chain & Verified;

/** The heads of an earlier run, by organization. */
type Heads = Map<number | null, Head>;

export async function verify({ org, heads: file, ...options }: VerifyOptions): Promise<void> {
  const heads = file === undefined ? new Map<number | null, Head>() : await readHeads(file);
  const chains = await withConnection(async (connection) => {
    await sealAll(connection);
    const results: Result[] = [];
    for (const chain of await findChains(connection, org, heads)) {
      const earlier = heads.get(chain.organization_id) ?? null;
      results.push({ ...chain, ...(await verifyChain(connection, chain.organization_id, earlier)) });
    }
    return results;
  });
  const ok = chains.every(({ problem }) => problem === null);
  await print(options, { ok, chains }, chains.map(line).join('\n') || 'the audit log is empty');
  if (!ok) process.exitCode = 1;
}

/** All that have entries, and all that had some earlier. */
async function findChains(connection: Connection, org: string | undefined, heads: Heads): Promise<Chain[]> {
  const { rows } = await connection.query<{ id: number; slug: string | null }>('audit-chains', CHAINS, [org ?? null]);
  const found = rows.map(({ id, slug }) => ({ organization_id: id, organization: slug }));
  if (org !== undefined && found.length === 0) throw new CommandError(`the audit log has no organization ${org}`);
  if (org !== undefined) return found;
  const known = new Set(rows.map(({ id }) => id));
  const gone = [...heads.keys()].filter((id) => id !== null && !known.has(id));
  return [null, ...gone].map((id): Chain => ({ organization_id: id, organization: null })).concat(found);
}

function line({
  organization,
  organization_id: id,
  entries,
  redacted,
  begins_at: begin,
  head,
  problem,
}: Result): string {
  const name = organization ?? (id === null ? '(no organization)' : `(deleted organization ${id})`);
  if (problem !== null) return `${name}: BROKEN after ${entries} intact entries: ${problem}`;
  const notes = [
    ...(redacted > 0 ? [`${redacted} of them redacted`] : []),
    ...(begin === null ? [] : [`the entries before position ${begin} were deleted`]),
    ...(head ? [`head ${head.position} ${head.seal}`] : []),
  ];
  return [`${name}: ${entries} entries intact`, ...notes].join(', ');
}

async function readHeads(file: string): Promise<Heads> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw cannotRead(file, error);
  });
  try {
    const { chains } = JSON.parse(text) as { chains: Result[] };
    return new Map(chains.flatMap(({ organization_id: id, head }) => (head ? [[id, readHead(head)]] : [])));
  } catch {
    throw new CommandError(`${file} is not what npx carillon audit verify --json prints`);
  }
}

function readHead({ position, seal }: Head): Head {
  if (!Number.isSafeInteger(position) || !/^[0-9a-f]{64}$/.test(seal)) throw new Error('not a head');
  return { position, seal };
}
