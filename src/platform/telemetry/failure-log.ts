import { Logger } from '@nestjs/common';
import { withoutAddresses } from './without-addresses.js';

/** Lines that an organization may cause in a minute: its failures must not hide those of others, or fill a disk. */
const MAX_LINES = 20;
const WINDOW_MS = 60_000;

/** Where a message comes from and how it is sent. */
export interface LogContext {
  organization: string;
  channel: string;
  occurrence: string;
}

interface Line extends Partial<LogContext> {
  message: string;
  organization: string;
  delivery?: string;
  reason?: string | null;
}

/** Tells the operator what was given up, and which channels fail. Above the limit it only counts. */
export class FailureLog {
  private readonly logger = new Logger('Delivery');
  /** The lines of each organization in the current minute. */
  private readonly lines = new Map<string, number>();

  dead(place: LogContext, delivery: string, reason: string | null): void {
    this.write('warn', { message: 'delivery is dead', ...place, delivery, reason });
  }

  failing(place: LogContext, reason: string): void {
    this.write('warn', { message: 'channel keeps failing, so its messages wait', ...place, reason });
  }

  recovered({ organization, channel }: LogContext): void {
    this.write('log', { message: 'channel works again', organization, channel });
  }

  private write(level: 'warn' | 'log', line: Line): void {
    const { organization } = line;
    const before = this.lines.get(organization) ?? 0;
    if (before === 0) setTimeout(() => this.endMinute(organization), WINDOW_MS).unref();
    this.lines.set(organization, before + 1);
    if (before < MAX_LINES) this.logger[level](line.reason ? { ...line, reason: withoutAddresses(line.reason) } : line);
  }

  private endMinute(organization: string): void {
    const more = this.lines.get(organization)! - MAX_LINES;
    this.lines.delete(organization);
    if (more > 0) this.logger.warn({ message: 'more lines about failures were left out', organization, lines: more });
  }
}
