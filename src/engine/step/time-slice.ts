/** Users of one statement. */
export const CHUNK = 1000;

/** After this time the rest of a pass goes to the end of the queue. */
const TIME_SLICE_MS = 2000;

/** The part of a pass that one run of its job does, and how long its statements took. */
export class TimeSlice {
  private readonly began = Date.now();
  private statements = 0;
  tookMs = 0;

  constructor(private readonly stopping: AbortSignal) {}

  /** A worker that is busy makes at least one statement. */
  get isOver(): boolean {
    return this.stopping.aborted || (this.statements > 0 && Date.now() - this.began > TIME_SLICE_MS);
  }

  async during<Result>(statement: Promise<Result>): Promise<Result> {
    const began = Date.now();
    const result = await statement;
    this.statements++;
    this.tookMs += Date.now() - began;
    return result;
  }
}
