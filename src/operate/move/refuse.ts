import type { Directory } from '../../cell/directory/directory.js';
import { pendingMigrations } from '../../platform/database/migration/migrate.js';
import type { SecretBox } from '../../platform/secret/secret-box.js';
import type { CatalogTable } from './catalog.js';
import type { Side } from './side.js';

/** A move that cannot begin or go on. Its message is for the operator. */
export class MoveRefused extends Error {}

const refuse = (message: string): never => {
  throw new MoveRefused(message);
};

export interface Request {
  slug: string;
  /** The cell that the organization leaves, and the one that it goes to. */
  source: number;
  target: number;
}

export function refuseSameCell({ source, target }: Request): void {
  if (target === source) refuse(`the organization is to leave cell ${source}, but --to names the same cell`);
}

/** Returns the id of the organization. */
export async function findOrganization(source: Side, { slug, source: cell }: Request): Promise<number> {
  const rows = await source.rows<{ id: number }>('select id from organizations where slug = $1', [slug]);
  return rows[0]?.id ?? refuse(`cell ${cell} has no organization ${slug}`);
}

export async function refusePlace(directory: Directory, { slug, source }: Request): Promise<void> {
  const place = await directory.place(slug);
  if (!place) refuse(`the directory does not know the organization ${slug}: start cell ${source} once`);
  else if (place.cell !== source)
    refuse(`the organization ${slug} lives in cell ${place.cell}: run the command with the settings of that cell`);
}

export async function refuseTarget(target: Side, { target: cell }: Request): Promise<void> {
  const missing = await pendingMigrations(target.client);
  if (missing.length > 0)
    refuse(`the target lacks the migration ${missing[0]}: run npx carillon migrate with the settings of cell ${cell}`);
  const own = await target.rows<{ number: number }>('select number from own_cell');
  if (own[0]?.number !== cell)
    refuse(
      own[0]
        ? `TARGET_DATABASE_URL is the database of cell ${own[0].number}, not of cell ${cell}`
        : `TARGET_DATABASE_URL is not a cell yet: start Carillon there once with CELL=${cell}`,
    );
}

/** Both sides need a role that may switch triggers off for its session. */
export async function refuseRole(side: Side): Promise<void> {
  try {
    await side.asReplica(async () => undefined);
  } catch {
    refuse(
      `the role of the ${side.name} may not set session_replication_role: use a superuser for the command, or GRANT SET ON PARAMETER session_replication_role`,
    );
  }
}

/** Rows are copied column by column, in order. */
export function refuseOtherColumns(source: CatalogTable[], target: CatalogTable[]): void {
  for (const { name, columns } of source) {
    const there = target.find((table) => table.name === name);
    if (JSON.stringify(there?.columns) !== JSON.stringify(columns))
      refuse(`the table ${name} has other columns in the target than in the source`);
  }
}

/** For a move that has copied nothing yet. */
export async function refuseTaken(target: Side, slug: string, organizationId: number): Promise<void> {
  const [found] = await target.rows<{ slug: string }>('select slug from organizations where slug = $1 or id = $2', [
    slug,
    organizationId,
  ]);
  if (found?.slug === slug) refuse(`the target has an organization ${slug} already`);
  if (found) refuse(`the target has an organization with the id ${organizationId} already: ${found.slug}`);
}

const SEALED = `
  (select secret from signing_secrets order by id desc limit 20)
  union all (select secret from status_webhooks order by application_id desc limit 20)
  union all (select value->>'sealed' from channels, jsonb_each(config) where jsonb_typeof(value) = 'object' order by id desc limit 20)`;

/** The target itself could not open secrets that were encrypted with another key than its own. */
export async function refuseKey(target: Side, box: SecretBox): Promise<void> {
  const sealed = await target.rows<{ secret: string }>(SEALED);
  if (sealed.length > 0 && !sealed.some(({ secret }) => box.isCurrent(secret)))
    refuse('TARGET_SECRET_KEY is not the SECRET_KEY of the target: it opens none of the newest secrets there');
}
