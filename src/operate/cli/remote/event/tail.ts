import { setTimeout as sleep } from 'node:timers/promises';
import { visible } from '../../../../platform/config/visible.js';
import { positiveInt } from '../../../../platform/field/positive-int.js';
import { CommandError } from '../../print/print.js';
import { RemoteClient } from '../client.js';
import { requireService } from '../options.js';
import type { RemoteOptions } from '../options.js';
import { wrongPath } from '../path.js';
import { isTransient } from '../transient.js';
import { NewOccurrences } from './new-occurrences.js';
import type { Place, TailedOccurrence } from './new-occurrences.js';
import { seconds } from './wait.js';

export interface TailOptions extends RemoteOptions {
  last: string;
  count?: string;
  interval: string;
  reconnect: string;
  json?: boolean;
}

const LONGEST_PAUSE_MS = 10_000;

/** Prints occurrences as they are triggered, until Ctrl-C, or until `--count` are printed. */
export async function tail(path: string, options: TailOptions): Promise<void> {
  const place = placeOf(path);
  const limits = limitsOf(options);
  const client = new RemoteClient(requireService(options));
  const occurrences = new NewOccurrences(client, place, limits.last);
  const stop = untilInterrupted();
  let left = limits.count;
  for await (const found of polls(occurrences, limits, stop)) {
    for (const occurrence of found.slice(0, left)) process.stdout.write(`${lineOf(occurrence, place, options.json)}\n`);
    left -= found.length;
    if (left <= 0) return;
  }
}

interface Limits {
  last: number;
  count: number;
  intervalMs: number;
  reconnectMs: number;
}

/** Yields what each request finds. Repeats a request that failed for a moment, for `reconnectMs` at most. */
async function* polls(occurrences: NewOccurrences, limits: Limits, stop: AbortSignal) {
  const { intervalMs, reconnectMs } = limits;
  let answeredAt = performance.now();
  for (let failures = 0; !stop.aborted;) {
    try {
      const { found, isCut } = await occurrences.next();
      if (failures > 0) process.stderr.write('connected again\n');
      [failures, answeredAt] = [0, performance.now()];
      if (isCut) process.stderr.write('some occurrences are not shown: too many at a time\n');
      yield found;
    } catch (error) {
      if (!isTransient(error) || performance.now() - answeredAt >= reconnectMs) throw error;
      if (failures++ === 0) process.stderr.write(`${(error as Error).message}; trying again\n`);
    }
    const pause = Math.min(intervalMs * 2 ** Math.min(failures, 10), Math.max(intervalMs, LONGEST_PAUSE_MS));
    await sleep(pause, undefined, { signal: stop }).catch(() => undefined);
  }
}

/** Aborted by Ctrl-C, by the end of a service manager, or when nobody reads the output any more. */
function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  process.stdout.once('error', stop);
  return controller.signal;
}

const PLACES = ['organization', 'project', 'application', 'event'];

function placeOf(path: string): Place {
  const names = path.split('/');
  if (names.length > PLACES.length || names.includes(''))
    throw wrongPath(path, [PLACES.slice(0, 1), PLACES.slice(0, 2), PLACES]);
  const [organization, project, application, event] = names as [string, string?, string?, string?];
  return { organization, project, application, event };
}

function limitsOf({ last, count, interval, reconnect }: TailOptions): Limits {
  const atMost = (option: string, text: string, max: number) => {
    const number = text === '0' && option === '--last' ? 0 : positiveInt(text);
    if (number === null || number > max)
      throw new CommandError(`${option} must be a whole number up to ${max}, not "${text}"`);
    return number;
  };
  return {
    last: atMost('--last', last, 1000),
    count: count === undefined ? Infinity : atMost('--count', count, 1_000_000),
    intervalMs: Math.max(0.1, seconds('--interval', interval)) * 1000,
    reconnectMs: seconds('--reconnect', reconnect) * 1000,
  };
}

function lineOf(occurrence: TailedOccurrence, { organization }: Place, json?: boolean): string {
  if (json) return JSON.stringify(occurrence);
  const { id, project, application, event, created_at, status } = occurrence;
  const time = created_at.slice(0, 19).replace('T', ' ');
  return visible(`${time}  ${organization}/${id}  ${project}/${application}/${event}  ${status}`);
}
