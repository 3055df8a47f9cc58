import type { Measured } from '../watch/meters.js';

/** The service, in one process or in several. */
export interface Running {
  port: number;
  /** A key of the demo organization, when this start created it. */
  demoKey: string | null;
  /** A sign-in link for the console, when a person tries the service. */
  link: string | null;
  /** The metrics of each process; only with `metricsPort`. */
  measure(): Promise<Measured[]>;
  stop(): Promise<void>;
}

/** The longest time that a process takes to stop. */
export const STOP_MS = 20_000;

export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}
