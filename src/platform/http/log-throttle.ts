const MAX_KINDS = 100;

/** Thins out log lines that say the same: one of a kind in a while, with the number of those left out before it. */
export class LogThrottle {
  private readonly kinds = new Map<string, { at: number; omitted: number }>();

  constructor(private readonly everyMs = 5000) {}

  /** Calls `log` unless the same kind was logged a moment ago. */
  log(kind: string, log: (more: { omitted?: number }) => void): void {
    const last = this.kinds.get(kind);
    const now = performance.now();
    if (last && now - last.at < this.everyMs) return void last.omitted++;
    if (this.kinds.size >= MAX_KINDS) this.kinds.clear();
    this.kinds.set(kind, { at: now, omitted: 0 });
    log(last?.omitted ? { omitted: last.omitted } : {});
  }
}
