import type { Pool } from 'pg';
import type { CellSettings } from '../../platform/config/config.js';
import type { Check } from '../../platform/database/check/check.js';
import { fullestSequence } from './become-cell.js';
import { Directory } from './directory.js';
import type { Cell } from './directory.js';

/** A cell tells the directory every ten seconds that it is alive. */
const SILENT_MS = 60_000;
const FULL = 0.8;
const ASK_MS = 3000;

interface CellReport {
  number: number;
  url: string;
  /** `silent`: it was not seen for a minute. */
  state: 'up' | 'silent';
  seen_at: Date;
  organizations: number;
  moving: number;
  claimed: number;
}

export async function cellReports(directory: Directory, now = Date.now()): Promise<CellReport[]> {
  const places = await directory.pull(null);
  return (await directory.cells()).map(({ number, url, seenAt }) => {
    const own = places.filter(({ cell }) => cell === number);
    const count = (...states: string[]) => own.filter(({ state }) => states.includes(state)).length;
    return {
      ...{ number, url, state: now - seenAt.getTime() > SILENT_MS ? 'silent' : 'up', seen_at: seenAt },
      ...{ organizations: count('here', 'moving'), moving: count('moving'), claimed: count('claimed') },
    } as const;
  });
}

/** What `doctor` checks when there are cells. `own`: the database of this cell. */
export async function cellChecks(
  { number, url }: CellSettings,
  own: Pick<Pool, 'query'>,
  directory: Directory,
): Promise<Check[]> {
  const { name, part } = await fullestSequence(own, number);
  const ids: Check = {
    name: 'ids',
    ok: part < FULL,
    detail: `cell ${number}; ${name} has used ${(part * 100).toFixed(1)} % of its range`,
    advice: 'move organizations to another cell, or create new ones there, before the range is full',
  };
  try {
    const cells = await directory.cells();
    return [ids, directoryCheck(cells, number, url), ...(await Promise.all(cells.map(reachCheck)))];
  } catch (error) {
    const advice = 'check DIRECTORY_URL; until it answers, no organization can be created or moved';
    return [ids, { name: 'directory', ok: false, detail: (error as Error).message || 'cannot be reached', advice }];
  }
}

function directoryCheck(cells: Cell[], number: number, url: string): Check {
  const own = cells.find((cell) => cell.number === number);
  return {
    name: 'directory',
    ok: own === undefined || own.url === url,
    detail: own
      ? `${cells.length} cells; this one is at ${own.url}`
      : `${cells.length} cells; this one was not started yet`,
    advice: `CELL_URL is ${url}: another installation has the same CELL, or this one was not restarted`,
  };
}

async function reachCheck({ number, url }: Cell): Promise<Check> {
  const name = `cell ${number}`;
  const advice = 'check that the cell runs, and that its CELL_URL can be reached from here';
  try {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(ASK_MS), redirect: 'error' });
    await answer.body?.cancel();
    return { name, ok: answer.ok, detail: `${url} answers ${answer.status}`, advice };
  } catch (error) {
    const { message, cause } = error as Error;
    return { name, ok: false, detail: `${url}: ${cause instanceof Error ? cause.message : message}`, advice };
  }
}
