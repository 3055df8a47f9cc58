import { isRunByNpm } from '../../platform/config/config.js';
import type { Measured } from '../../platform/telemetry/metrics.js';

/** The service, in one process or in several. */
export interface Running {
  port: number;
  /** A key of the demo organization, when this start created it. */
  demoKey: string | null;
  /** A sign-in link for the console, when somebody tries the service. */
  link: string | null;
  /** The metrics of each process; only with `metricsPort`. */
  measure(): Promise<Measured[]>;
  stop(): Promise<void>;
}

/** The longest time that a process takes to stop. */
export const STOP_MS = 20_000;

const PARENT_LOOK_MS = 500;

/** Ctrl-C in a terminal sends `SIGINT` to the whole group, and npm passes its own on: one stop, two signals. */
const ECHO_MS = 1000;

/** Resolves when the process is told to stop. A signal that comes later ends it at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const stop = () => {
        setTimeout(() => process.off(signal, stop), ECHO_MS).unref();
        resolve();
      };
      process.on(signal, stop);
    }
    if (isRunByNpm()) onEndOfParent(resolve);
  });
}

/** A shell between npm and this process (`npm exec`) may end by a signal without passing it on. */
function onEndOfParent(stop: () => void): void {
  const { ppid } = process;
  const look = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(look);
    stop();
  }, PARENT_LOOK_MS).unref();
}
