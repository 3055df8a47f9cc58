/** Messages in flight over one channel, and over all channels of a worker. After a kill these messages may be sent again. */
export const IN_FLIGHT_PER_CHANNEL = 50;
export const IN_FLIGHT = 200;

interface ChannelLine {
  inFlight: number;
  /** Waiting messages; critical ones go first. */
  critical: (() => void)[];
  others: (() => void)[];
}

/**
 * Limits the messages in flight and shares the slots between channels. A channel holds at most as many slots as are free, so slow
 * channels leave slots for others. A critical message ignores the limit of its channel.
 */
export class InFlight {
  private readonly lines = new Map<number, ChannelLine>();
  private total = 0;

  constructor(
    private readonly limit = IN_FLIGHT,
    private readonly limitPerChannel = IN_FLIGHT_PER_CHANNEL,
  ) {}

  /** Waits for a slot. The returned function releases it. */
  async acquire(channel: number, isCritical: boolean): Promise<() => void> {
    let line = this.lines.get(channel);
    if (!line) this.lines.set(channel, (line = { inFlight: 0, critical: [], others: [] }));
    const acquired = new Promise<void>((resolve) => (isCritical ? line.critical : line.others).push(resolve));
    this.startWaiting();
    await acquired;
    return () => this.release(channel, line);
  }

  private release(channel: number, line: ChannelLine): void {
    line.inFlight--;
    this.total--;
    if (line.inFlight === 0 && line.critical.length === 0 && line.others.length === 0) this.lines.delete(channel);
    this.startWaiting();
  }

  /** Starts one message of each channel in turn, until no slot is free. */
  private startWaiting(): void {
    for (let started = true; started;) {
      started = false;
      for (const line of this.lines.values()) {
        if (this.total >= this.limit) return;
        const share = Math.min(this.limitPerChannel, this.limit - this.total);
        const next = line.critical.shift() ?? (line.inFlight < share ? line.others.shift() : undefined);
        if (!next) continue;
        line.inFlight++;
        this.total++;
        started = true;
        next();
      }
    }
  }
}
