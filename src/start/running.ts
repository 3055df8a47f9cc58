import { isRunByNpm } from '../config/config.js';
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

const PARENT_LOOK_MS = 500;

/**
 * Resolves when the process is told to stop. npm passes a signal only to the shell that it has started, and many shells end without passing
 * it on. Below npm the end of the parent process therefore counts as a signal.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
    if (!isRunByNpm()) return;
    const { ppid } = process;
    const look = setInterval(() => {
      if (process.ppid === ppid) return;
      clearInterval(look);
      resolve();
    }, PARENT_LOOK_MS).unref();
  });
}
