import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Cell } from '../directory/directory.js';

/** A cell that takes longer to say that it is alive does not answer. */
const PROBE_MS = 2000;
/** How soon a cell that did not answer is asked again. */
const AGAIN_MS = 500;
/** A cell that no request has needed for this long is not asked any more. */
const UNUSED_MS = 60_000;

interface Circuit {
  cell: Cell;
  usedAt: number;
  isOpen: boolean;
  probe?: Promise<boolean>;
  timer?: NodeJS.Timeout;
}

/**
 * Knows which cells do not answer, so that requests to them are refused at once. A request that waits for long makes the cell suspect, and a short
 * question decides: a slow request alone opens no circuit. While it is open, the question is repeated until the cell answers; no request is
 * risked for that.
 */
@Injectable()
export class CellCircuits implements OnApplicationShutdown {
  private readonly logger = new Logger('Cells');
  /** By URL: a cell with a new one has a new chance. */
  private readonly circuits = new Map<string, Circuit>();

  /** Whether requests to the cell would only wait. */
  isOpen(cell: Cell): boolean {
    const circuit = this.circuits.get(cell.url);
    if (circuit) circuit.usedAt = performance.now();
    return circuit?.isOpen === true;
  }

  /** Asks the cell whether it is alive. Callers at the same time share one question. */
  answers(cell: Cell): Promise<boolean> {
    const usedAt = performance.now();
    const circuit = this.circuits.get(cell.url) ?? { cell, usedAt, isOpen: false };
    this.circuits.set(cell.url, circuit);
    return (circuit.probe ??= isAlive(cell).then((isUp) => this.settle(circuit, isUp)));
  }

  private settle(circuit: Circuit, isUp: boolean): boolean {
    circuit.probe = undefined;
    const { cell, isOpen } = circuit;
    if (isOpen === isUp)
      this.logger.warn({ message: isUp ? 'a cell answers again' : 'a cell does not answer', cell: cell.number });
    circuit.isOpen = !isUp;
    clearTimeout(circuit.timer);
    if (isUp || performance.now() - circuit.usedAt > UNUSED_MS) this.circuits.delete(cell.url);
    else circuit.timer = setTimeout(() => void this.answers(cell), AGAIN_MS).unref();
    return isUp;
  }

  onApplicationShutdown(): void {
    for (const { timer } of this.circuits.values()) clearTimeout(timer);
  }
}

/** Any answer will do: a cell whose database is down refuses its requests itself. */
async function isAlive({ url }: Cell): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS);
    const answer = await fetch(new URL('/health/live', url), { signal, redirect: 'manual' });
    await answer.body?.cancel();
    return true;
  } catch {
    return false;
  }
}
