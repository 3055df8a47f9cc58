import { Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import { FailureLog } from './failure-log.js';
import type { Metrics } from './metrics.js';
import type { Traces } from './traces.js';

/** The metrics, the traces and the log of failures. Metrics and traces are null unless they are configured: then their libraries are not loaded. */
export class Telemetry implements OnApplicationShutdown {
  readonly failures = new FailureLog();

  private constructor(
    readonly metrics: Metrics | null,
    readonly traces: Traces | null,
  ) {}

  static async open({ metricsPort, traces, role }: Config, database: Database): Promise<Telemetry> {
    return new Telemetry(
      metricsPort === null ? null : new (await import('./metrics.js')).Metrics(database.pool),
      traces ? new (await import('./traces.js')).Traces(role, new Logger('Traces')) : null,
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.traces?.flush();
  }
}
