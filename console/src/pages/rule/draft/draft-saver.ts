import { ProblemError } from '@carillon/client';
import { isSameRule } from './content';
import type { Edits, Saved } from './content';

/** How the saver reaches the service. */
export interface DraftCalls {
  get: () => Promise<Saved | null>;
  create: (edits: Edits) => Promise<Saved>;
  put: (edits: Edits, etag: string | undefined) => Promise<Saved>;
  remove: (etag: string | undefined) => Promise<unknown>;
}

/** What is shown of the saver. It is replaced as a whole with each change. */
export interface DraftState {
  /** Null: as published. */
  edits: Edits | null;
  /** The draft of the service that the edits continue; null: there is none. */
  saved: Saved | null;
  phase: 'saved' | 'waiting' | 'saving' | 'conflict';
  /** Of a conflict: what somebody else has saved; null: they have published or discarded it. */
  theirs: Saved | null;
  /** Why it could not be saved. */
  problem: Error | null;
}

interface Kept {
  edits: Edits | null;
  saved: Saved | null;
}

const PAUSE_MS = 700;
const RETRY_MS = 5_000;

/**
 * Saves the edits of one rule as its draft, soon after they were typed and one version after the other. What is not saved yet is also kept in this tab, so
 * that it survives a reload, a lost connection and a session that ends. Nothing is saved over a version that this page has not seen.
 */
export class DraftSaver {
  state: DraftState;
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isSaving = false;
  private isStopped = false;

  constructor(
    private readonly key: string,
    /** Null: without the permission to save drafts, the edits stay in this tab. */
    private readonly calls: DraftCalls | null,
    opened: Saved | null,
  ) {
    const kept = readKept(key);
    const { edits, saved } = kept ?? { edits: opened?.edits ?? null, saved: opened };
    this.state = { edits, saved, phase: kept ? 'waiting' : 'saved', theirs: null, problem: null };
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  readonly read = () => this.state;

  start(): void {
    this.isStopped = false;
    if (this.state.phase === 'waiting') this.plan(0);
  }

  /** The page is left: what waits is saved now. */
  stop(): void {
    this.isStopped = true;
    if (this.state.phase === 'waiting') void this.save();
    else clearTimeout(this.timer);
  }

  edit(edits: Edits | null): void {
    const isConflict = this.state.phase === 'conflict';
    this.set({ edits, phase: isConflict ? 'conflict' : 'waiting' });
    this.keep();
    if (!isConflict) this.plan(PAUSE_MS);
  }

  /** After publishing, or to discard the edits. A draft of somebody else stays. */
  async drop(): Promise<void> {
    const { phase } = this.state;
    this.edit(null);
    if (phase === 'conflict') await this.meetTheirs(true);
    else await this.save();
  }

  /** The rule was deleted, and its draft with it. */
  forget(): void {
    this.adopt(null);
  }

  takeTheirs(): void {
    this.adopt(this.state.theirs);
  }

  /** Saves these edits over what somebody else has saved. */
  keepMine(edits = this.state.edits): void {
    this.set({ edits, saved: this.state.theirs, theirs: null, phase: 'waiting' });
    this.keep();
    void this.save();
  }

  /** What the list of drafts says: somebody else may have saved or removed the draft. Nothing of this page waits then, so it shows theirs. */
  async look(at: string | null): Promise<void> {
    const { saved, phase } = this.state;
    if (!this.calls) return;
    const isNews = at === null ? saved !== null : !saved || at > saved.at;
    if (phase !== 'saved' || !isNews) return;
    const theirs = await this.calls.get();
    if (this.state.saved !== saved || this.state.phase !== 'saved' || theirs?.etag === saved?.etag) return;
    if (theirs) this.adopt(theirs);
    else this.meet(null);
  }

  private async save(): Promise<void> {
    clearTimeout(this.timer);
    const { edits, saved, phase } = this.state;
    if (this.isSaving || phase !== 'waiting') return;
    this.isSaving = true;
    this.set({ phase: 'saving', problem: null });
    try {
      const next = await this.write(edits, saved);
      this.isSaving = false;
      const isLatest = this.state.edits === edits;
      this.set({ saved: next, phase: isLatest ? 'saved' : 'waiting' });
      this.keep();
      if (!isLatest) this.plan(PAUSE_MS);
    } catch (error) {
      this.isSaving = false;
      await this.fail(error as Error);
    }
  }

  private async write(edits: Edits | null, saved: Saved | null): Promise<Saved | null> {
    if (!this.calls) return null;
    if (edits) return saved ? this.calls.put(edits, saved.etag) : this.calls.create(edits);
    if (saved)
      await this.calls.remove(saved.etag).catch((error: unknown) => {
        if (statusOf(error) !== 404) throw error;
      });
    return null;
  }

  private async fail(error: Error): Promise<void> {
    const status = statusOf(error);
    const isOfOthers = status === 412 || (status === 400 && this.state.saved === null);
    if (isOfOthers && (await this.meetTheirs(status === 412))) return;
    this.set({ phase: 'waiting', problem: error });
    // Others are refused again until the edits change.
    const canHelp = status === undefined || status === 401 || status === 429 || status >= 500;
    // Of a page that was left, they are kept in this tab until it is opened again.
    if (canHelp && !this.isStopped) this.plan(RETRY_MS);
  }

  /** Whether somebody else has saved the draft, or has removed it. */
  private async meetTheirs(mayBeGone: boolean): Promise<boolean> {
    try {
      const theirs = (await this.calls?.get()) ?? null;
      if (!theirs && !mayBeGone) return false;
      this.meet(theirs);
      return true;
    } catch {
      return false;
    }
  }

  /** Somebody else has saved or removed the draft. */
  private meet(theirs: Saved | null): void {
    const { edits } = this.state;
    const isSameDraft = theirs && edits && isSameRule(theirs.edits.rule, edits.rule);
    if (isSameDraft || (!theirs && !edits)) return this.adopt(theirs);
    this.set({ phase: 'conflict', theirs, problem: null });
    this.keep();
  }

  private adopt(saved: Saved | null): void {
    this.set({ edits: saved?.edits ?? null, saved, theirs: null, phase: 'saved', problem: null });
    this.keep();
  }

  private plan(ms: number): void {
    clearTimeout(this.timer);
    if (this.isStopped) return void this.save();
    this.timer = setTimeout(() => void this.save(), ms);
  }

  /** What the service does not have yet stays in this tab. */
  private keep(): void {
    const { edits, saved, phase } = this.state;
    const isDone = phase === 'saved' && (this.calls !== null || !edits);
    try {
      if (isDone || (phase === 'conflict' && !edits)) sessionStorage.removeItem(this.key);
      else sessionStorage.setItem(this.key, JSON.stringify({ edits, saved } satisfies Kept));
    } catch {
      // The storage is full: this page still has the edits.
    }
  }

  private set(change: Partial<DraftState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

const statusOf = (error: unknown) => (error instanceof ProblemError ? error.status : undefined);

function readKept(key: string): Kept | null {
  const kept = sessionStorage.getItem(key);
  if (kept === null) return null;
  const content = JSON.parse(kept) as Kept | Edits;
  // The release before drafts were on the server kept the edits alone.
  return 'rule' in content ? { edits: content, saved: null } : content;
}
