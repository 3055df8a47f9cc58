import { setTimeout as sleep } from 'node:timers/promises';
import { sealAll } from '../../platform/audit/seal-entries.js';
import type { Directory } from '../../cell/directory/directory.js';
import { PURGE_LOCK } from '../../engine/purge/purge.sql.js';
import { Notice } from '../../platform/database/notice.js';
import { readCatalog } from './catalog.js';
import { copyChanges, noteChanges, stopNoting } from './changes.js';
import { compareTables } from './checksum.js';
import { Copy } from './copy.js';
import { copyHistory } from './copy-history.js';
import { deleteAll, deleteRows } from './delete-rows.js';
import { JobLocks, freeze, thaw, waitForNotes, waitForRequests } from './hold.js';
import * as row from './move-row.js';
import type { Move } from './move-row.js';
import { orderIds } from '../../cell/directory/order-ids.js';
import * as refuse from './refuse.js';
import { MoveRefused } from './refuse.js';
import type { Request } from './refuse.js';
import type { Boxes } from './reseal-secrets.js';
import type { Side } from './side.js';
import { ownTables } from './tables.js';
import type { OwnTable } from './tables.js';

/** Only one command at a time moves organizations away from a database. */
const MOVE_LOCK = 7_261_020;
const LOCK_TRIES = 100;
const LOCK_PAUSE_MS = 100;

/** Rounds of changes before the freeze, and how many notes the freeze may be left with. */
const ROUNDS = 20;
const FEW = 500;
/** A note that comes back again and again is a row that cannot be copied. */
const MAX_AGAIN = 10;

/** Up to this many rows, the whole organization is compared while it is frozen. Each row was compared when it was copied. */
const COMPARE_ROWS = 200_000;

interface MoveOptions {
  source: Side;
  target: Side;
  /** A second session in the source. */
  keeper: Side;
  directory: Directory;
  boxes: Boxes;
  request: Request;
  /** How long the organization may be frozen until its running jobs have ended. */
  patienceMs: number;
  compareAll: boolean;
  say: (text: string) => void;
  /** Called at the beginning of each phase: a test stops here. */
  reached: (point: string) => Promise<void>;
}

/** Moves an organization to another cell. Each phase is written down, so that the same command goes on after a kill. */
export class OrganizationMove {
  private tables: OwnTable[] = [];
  private frozenAt = 0;

  constructor(private readonly parts: MoveOptions) {}

  /** Returns the move when it has ended, or was undone or finished. */
  async run(action: 'move' | 'undo' | 'finish'): Promise<Move> {
    const { source, request } = this.parts;
    refuse.refuseSameCell(request);
    for (const side of [source, this.parts.target]) await refuse.refuseRole(side);
    await refuse.refuseTarget(this.parts.target, request);
    await this.takeLock();
    this.tables = await this.readTables();
    const moves = await row.currentMoves(source);
    const other = moves.find(({ slug, phase }) => slug !== request.slug && phase !== 'done' && phase !== 'deleting');
    if (other && action === 'move')
      throw new MoveRefused(
        `the organization ${other.slug} is moving to cell ${other.target}: only one can leave a cell at a time`,
      );
    const begun = moves.find(({ slug }) => slug === request.slug);
    if (begun && begun.target !== request.target)
      throw new MoveRefused(
        `the organization ${begun.slug} is moving to cell ${begun.target} already: continue with --to ${begun.target}, or add --undo`,
      );
    if (action === 'undo') return this.undo(begun);
    if (action === 'finish') return this.finish(begun);
    if (begun?.phase === 'undoing')
      throw new MoveRefused('the move is being undone: run it with --undo to the end first');
    if (begun?.phase === 'done' || begun?.phase === 'deleting') return begun;
    return this.move(begun ?? (await this.begin()));
  }

  private async begin(): Promise<Move> {
    const { source, target, directory, request } = this.parts;
    const organizationId = await refuse.findOrganization(source, request);
    await refuse.refusePlace(directory, request);
    await refuse.refuseTaken(target, request.slug, organizationId);
    await refuse.refuseKey(target, this.parts.boxes.target);
    return row.createMove(source, { organizationId, ...request });
  }

  private async move(move: Move): Promise<Move> {
    const { source, target, boxes } = this.parts;
    const copy = new Copy(source, target, this.tables, move.organizationId, boxes);
    if (move.phase === 'switching' && (await this.isSwitched(move))) return this.settle(move);
    for (const side of [source, target]) await this.stopPurging(side);
    if (move.phase === 'copying') await this.copyWhileWorking(move, copy);
    const locks = await this.copyWhileFrozen(move, copy);
    await this.parts.reached('switching');
    await this.switchOver(move);
    await locks.release();
    return this.settle(move);
  }

  private async copyWhileWorking(move: Move, copy: Copy): Promise<void> {
    const { source, target, say, reached } = this.parts;
    if (!(await row.isAnnounced(target, move))) {
      await refuse.refuseTaken(target, move.slug, move.organizationId);
      await row.announceMove(target, move);
    }
    await freeze(target, move.organizationId);
    await noteChanges(source, this.tables, move.organizationId);
    say(`copying: the organization ${move.slug} works on`);
    let [told, isFirst] = [Date.now(), true];
    await copyHistory(copy, move.progress, async () => {
      await row.saveProgress(source, move);
      if (isFirst) await reached('copying');
      isFirst = false;
      if (Date.now() - told < 2000) return;
      told = Date.now();
      say(`copying: ${copy.copied} rows`);
    });
    for (let round = 0; round < ROUNDS && (await copyChanges(copy)) > FEW; round++);
    say(`copied ${copy.copied} rows`);
  }

  /** From here on the organization waits. Whatever fails before the switch ends the freeze. */
  private async copyWhileFrozen(move: Move, copy: Copy): Promise<JobLocks> {
    const { source, reached, say } = this.parts;
    let locks: JobLocks | undefined;
    try {
      locks = await this.hold(move);
      await this.copyTheRest(move, copy);
      await orderIds(source, this.parts.target, move);
      await row.setPhase(source, move, 'comparing');
      await reached('comparing');
      await this.compare(move, copy);
      await row.setPhase(source, move, 'switching');
      say('compared: source and target are equal');
      return locks;
    } catch (error) {
      await locks?.release().catch(() => undefined);
      await this.goOnWorking(move).catch(() => undefined);
      throw error;
    }
  }

  private async hold(move: Move): Promise<JobLocks> {
    const { source, keeper, directory, patienceMs, say, reached } = this.parts;
    const { slug, organizationId } = move;
    const end = Date.now() + patienceMs;
    this.frozenAt = Date.now();
    await row.setPhase(source, move, 'holding');
    if (!(await directory.setMoving(slug, organizationId, move.source, move.target)))
      throw new MoveRefused(`the directory does not let ${slug} leave cell ${move.source}`);
    await freeze(source, organizationId);
    say('holding: writes are refused until the switch');
    await reached('holding');
    await waitForRequests(source, organizationId);
    for (;;) {
      const locks = await JobLocks.take(keeper, organizationId, end - Date.now());
      if (!locks)
        throw new MoveRefused(
          `jobs of ${slug} still ran after ${patienceMs / 1000} s: it works on in cell ${move.source}. Run the command again`,
        );
      await row.setPhase(source, move, 'copying the rest');
      await waitForNotes(source, organizationId);
      if (await locks.extend()) return locks;
      await locks.release();
      await row.setPhase(source, move, 'holding');
    }
  }

  /** Takes the freeze back. What was copied stays, and changes are noted on. */
  private async goOnWorking(move: Move): Promise<void> {
    const { source, directory } = this.parts;
    await row.setPhase(source, move, 'copying');
    await thaw(source, move.organizationId);
    await directory.setHere(move.slug, move.organizationId, move.source);
  }

  private async copyTheRest(move: Move, copy: Copy): Promise<void> {
    const { source, reached } = this.parts;
    await this.seal(move.organizationId);
    await copyChanges(copy);
    await reached('copying the rest');
    for (const table of this.tables.filter(({ kind }) => kind === 'late')) await copy.whole(table);
    for (let again = 0; (await copyChanges(copy)) > 0; again++) {
      if (again < MAX_AGAIN) continue;
      const rows = await source.rows<{ name: string }>('select distinct table_name "name" from move_changes');
      throw new MoveRefused(
        `rows of ${rows.map(({ name }) => name).join(', ')} cannot be copied: the target has others`,
      );
    }
  }

  /** Gives the last entries of the audit log their place in the chain. Without the trigger that notes changes: nothing may be written now. */
  private async seal(organizationId: number): Promise<void> {
    const { source } = this.parts;
    const unsealed = 'organization_id = $1 and position is null';
    await source.run(
      `insert into move_changes (table_name, key) select 'audit_entries', array[id::text] from audit_entries where ${unsealed}`,
      [organizationId],
    );
    const transactions = { $transaction: <R>(work: (tx: Side) => Promise<R>) => source.asReplica(() => work(source)) };
    await sealAll(transactions);
    const left = await source.rows(`select from audit_entries where ${unsealed} limit 1`, [organizationId]);
    if (left.length > 0) throw new MoveRefused('the audit log could not be sealed: run the command again');
  }

  private async compare(move: Move, copy: Copy): Promise<void> {
    const { source, target, compareAll } = this.parts;
    const isSmall = (move.progress.rows ?? copy.copied) <= COMPARE_ROWS;
    const tables = this.tables.filter(({ kind }) => compareAll || isSmall || kind === 'late');
    const different = await compareTables(source, target, tables, move.organizationId);
    if (different.length > 0)
      throw new MoveRefused(
        `source and target differ: ${different.join(', ')}. ${move.slug} works on in cell ${move.source}; undo the move with --undo`,
      );
  }

  private async switchOver({ slug, organizationId, target }: Move): Promise<void> {
    if (!(await this.parts.directory.setHere(slug, organizationId, target)))
      throw new MoveRefused(`the directory does not let ${slug} into cell ${target}`);
    await this.parts.reached('switched');
  }

  private async isSwitched({ slug, target }: Move): Promise<boolean> {
    return (await this.parts.directory.place(slug))?.cell === target;
  }

  /** After the switch. The source forgets what could act or let somebody in; its other rows stay until `finish`. */
  private async settle(move: Move): Promise<Move> {
    const { source, target, say } = this.parts;
    await thaw(target, move.organizationId);
    for (const kind of Object.values(Notice.Jobs).filter((value) => value !== Notice.Jobs.name))
      await target.run('select pg_notify($1, $2)', [Notice.Jobs.name, kind]);
    if (this.frozenAt > 0) say(`switched: ${move.slug} was frozen for ${Date.now() - this.frozenAt} ms`);
    for (const table of this.tables.filter(({ kind }) => kind === 'late'))
      await deleteAll(source, table, move.organizationId);
    await stopNoting(source);
    await row.endAnnouncement(target, move, 'finished');
    await row.setPhase(source, move, 'done');
    return move;
  }

  private async undo(move: Move | undefined): Promise<Move> {
    const { source, target, directory, say } = this.parts;
    if (!move) throw new MoveRefused(`no move of ${this.parts.request.slug} has begun`);
    if (await this.isSwitched(move))
      throw new MoveRefused(`${move.slug} has moved to cell ${move.target}: it can no longer be undone`);
    await row.setPhase(source, move, 'undoing');
    await directory.setHere(move.slug, move.organizationId, move.source);
    await thaw(source, move.organizationId);
    await stopNoting(source);
    await this.parts.reached('undoing');
    if (await row.isAnnounced(target, move)) await deleteRows(target, this.tables, move.organizationId, counter(say));
    await thaw(target, move.organizationId);
    await row.endAnnouncement(target, move, 'undone');
    await row.setPhase(source, move, 'undone');
    return move;
  }

  private async finish(move: Move | undefined): Promise<Move> {
    const { source, say } = this.parts;
    if (!move || (move.phase !== 'done' && move.phase !== 'deleting'))
      throw new MoveRefused(`${this.parts.request.slug} has not moved yet: run the command without --finish first`);
    await row.setPhase(source, move, 'deleting');
    const count = counter(say);
    await deleteRows(source, this.tables, move.organizationId, async (rows) => {
      count(rows);
      if (rows > 0) await this.parts.reached('deleting');
    });
    await thaw(source, move.organizationId);
    await row.setPhase(source, move, 'finished');
    return move;
  }

  private async takeLock(): Promise<void> {
    // A command that was killed may have left a statement that still runs.
    if (!(await tryLock(this.parts.source, MOVE_LOCK, LOCK_TRIES)))
      throw new MoveRefused('another command moves an organization of this cell: wait until it has ended');
  }

  /** A purge in one database only would make the other one different. */
  private async stopPurging(side: Side): Promise<void> {
    while (!(await tryLock(side, PURGE_LOCK, LOCK_TRIES))) this.parts.say(`waiting for the purge of the ${side.name}`);
  }

  private async readTables(): Promise<OwnTable[]> {
    const [source, target] = [await readCatalog(this.parts.source), await readCatalog(this.parts.target)];
    const tables = ownTables(source);
    refuse.refuseOtherColumns(tables, target);
    return tables;
  }
}

/** The lock ends with the session. */
async function tryLock(side: Side, lock: number, tries: number): Promise<boolean> {
  for (let i = 0; i < tries; i++) {
    const [taken] = await side.rows<{ is: boolean }>('select pg_try_advisory_lock($1) "is"', [lock]);
    if (taken!.is) return true;
    await sleep(LOCK_PAUSE_MS);
  }
  return false;
}

function counter(say: (text: string) => void): (count: number) => void {
  let [total, told] = [0, Date.now()];
  return (count) => {
    total += count;
    if (Date.now() - told < 2000) return;
    told = Date.now();
    say(`deleted ${total} rows`);
  };
}
