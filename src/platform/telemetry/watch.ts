import { Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import { FailureLog } from './failure-log.js';
import type { Meters } from './meters.js';
import type { Traces } from './traces.js';

/** The metrics, the traces and the log of failures. Metrics and traces are null unless they are configured: then their libraries are not loaded. */
export class Watch implements OnApplicationShutdown {
  readonly failures = new FailureLog();

  private constructor(
    readonly meters: Meters | null,
    readonly traces: Traces | null,
  ) {}

  static async open({ metricsPort, traces, role }: Config, database: Database): Promise<Watch> {
    return new Watch(
      metricsPort === null ? null : new (await import('./meters.js')).Meters(database.pool),
      traces ? new (await import('./traces.js')).Traces(role, new Logger('Traces')) : null,
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.traces?.flush();
  }
}
