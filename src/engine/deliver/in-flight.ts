/** Messages in flight over one channel, of one organization, and of a worker. After a kill these messages may be sent again. */
export const IN_FLIGHT_PER_CHANNEL = 50;
const IN_FLIGHT_PER_ORGANIZATION = 100;
export const IN_FLIGHT = 200;

interface ChannelLine {
  organization: number;
  inFlight: number;
  /** Waiting messages; critical ones go first. */
  critical: (() => void)[];
  others: (() => void)[];
}

/**
 * Limits the messages in flight and shares the slots between channels and organizations. Each holds at most as many slots as are free, so
 * slow ones leave slots for others. A critical message ignores the limit of its channel, but not that of its organization.
 */
export class InFlight {
  private readonly lines = new Map<number, ChannelLine>();
  private readonly organizations = new Map<number, number>();
  private total = 0;

  constructor(
    private readonly limit = IN_FLIGHT,
    private readonly limitPerChannel = IN_FLIGHT_PER_CHANNEL,
    private readonly limitPerOrganization = IN_FLIGHT_PER_ORGANIZATION,
  ) {}

  /** Waits for a slot. The returned function releases it. */
  async acquire(organization: number, channel: number, isCritical: boolean): Promise<() => void> {
    let line = this.lines.get(channel);
    if (!line) this.lines.set(channel, (line = { organization, inFlight: 0, critical: [], others: [] }));
    const acquired = new Promise<void>((resolve) => (isCritical ? line.critical : line.others).push(resolve));
    this.startWaiting();
    await acquired;
    return () => this.release(channel, line);
  }

  private release(channel: number, line: ChannelLine): void {
    this.count(line, -1);
    if (line.inFlight === 0 && line.critical.length === 0 && line.others.length === 0) this.lines.delete(channel);
    this.startWaiting();
  }

  private count(line: ChannelLine, change: 1 | -1): void {
    const { organization } = line;
    const held = (this.organizations.get(organization) ?? 0) + change;
    if (held > 0) this.organizations.set(organization, held);
    else this.organizations.delete(organization);
    line.inFlight += change;
    this.total += change;
  }

  /** Starts one message of each channel in turn, until no slot is free. */
  private startWaiting(): void {
    for (let started = true; started;) {
      started = false;
      for (const line of this.lines.values()) {
        const free = this.limit - this.total;
        if (free <= 0) return;
        if ((this.organizations.get(line.organization) ?? 0) >= Math.min(this.limitPerOrganization, free)) continue;
        const mayStart = line.inFlight < Math.min(this.limitPerChannel, free);
        const next = line.critical.shift() ?? (mayStart ? line.others.shift() : undefined);
        if (!next) continue;
        this.count(line, 1);
        started = true;
        next();
      }
    }
  }
}
