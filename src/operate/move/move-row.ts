import { randomUUID } from 'node:crypto';
import type { Progress } from './copy-history.js';
import type { Side } from './side.js';

const PHASES = ['copying', 'holding', 'copying the rest', 'comparing', 'switching', 'done'] as const;
type MovePhase = (typeof PHASES)[number] | 'deleting' | 'finished' | 'undoing' | 'undone';

export interface Move {
  id: string;
  organizationId: number;
  slug: string;
  source: number;
  target: number;
  phase: MovePhase;
  progress: Progress;
}

const COLUMNS = `id, organization_id "organizationId", slug, source, target, phase, progress`;

/** The move of this database that has not ended; `done`: it has, but its rows are still in the source. */
export async function currentMoves(source: Side): Promise<Move[]> {
  return source.rows<Move>(
    `select ${COLUMNS} from moves where phase not in ('finished', 'undone', 'incoming') order by started_at`,
  );
}

export async function createMove(source: Side, move: Omit<Move, 'id' | 'phase' | 'progress'>): Promise<Move> {
  const [row] = await source.rows<Move>(
    `insert into moves (id, organization_id, slug, source, target, phase) values ($1, $2, $3, $4, $5, 'copying') returning ${COLUMNS}`,
    [randomUUID(), move.organizationId, move.slug, move.source, move.target],
  );
  return row!;
}

/** Tells the target that the rows of the organization there belong to this move. */
export async function announceMove(target: Side, { id, organizationId, slug, source, target: cell }: Move) {
  await target.run(
    `insert into moves (id, organization_id, slug, source, target, phase) values ($1, $2, $3, $4, $5, 'incoming') on conflict do nothing`,
    [id, organizationId, slug, source, cell],
  );
}

export async function endAnnouncement(target: Side, { id }: Move, phase: 'finished' | 'undone'): Promise<void> {
  await target.run(`update moves set phase = $2, ended_at = now() where id = $1`, [id, phase]);
}

export const isAnnounced = async (target: Side, { id }: Move) =>
  (await target.rows('select from moves where id = $1', [id])).length > 0;

const TIMES: Partial<Record<MovePhase, string>> = {
  holding: ', frozen_at = now()',
  done: ', switched_at = now()',
  finished: ', ended_at = now()',
  undone: ', ended_at = now()',
};

export async function setPhase(source: Side, move: Move, phase: MovePhase): Promise<void> {
  await source.run(`update moves set phase = $2${TIMES[phase] ?? ''} where id = $1`, [move.id, phase]);
  move.phase = phase;
}

export async function saveProgress(source: Side, move: Move): Promise<void> {
  await source.run('update moves set progress = $2 where id = $1', [move.id, JSON.stringify(move.progress)]);
}
