import type { Measured } from '../watch/meters.js';

/** The service, in one process or in several. */
export interface Running {
  port: number;
  /** A key to the demo organization, when this start made it. */
  demoKey: string | null;
  /** What each process has measured; with `metricsPort` only. */
  measure(): Promise<Measured[]>;
  stop(): Promise<void>;
}

/** A process that is told to stop is gone after this time. */
export const STOP_MS = 20_000;

export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}
