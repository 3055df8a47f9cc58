import { ProblemError } from '@carillon/client';
import { carillon } from '../../../api/carillon';
import { patiently } from '../../../api/patiently';
import type { RefusedRow } from '../../person/import/file/refused-csv';
import type { Progress } from '../../person/import/use-upload';
import type { SuppressionLine } from './suppression-lines';

/** A browser has six connections to a service, and the page needs one. */
const AT_ONCE = 5;

export interface Outcome {
  /** Lines that are done, whatever became of them. */
  done: number;
  stored: number;
  refused: RefusedRow[];
}

export const NOTHING: Outcome = { done: 0, stored: 0, refused: [] };

interface Options extends Progress<Outcome> {
  org: string;
  dryRun: boolean;
}

/** Sends the lines after those that are done, a request for each. What was stored when something fails is in the last progress. */
export async function sendSuppressions(
  lines: readonly SuppressionLine[],
  before: Outcome,
  { org, dryRun, signal, onProgress }: Options,
): Promise<Outcome> {
  let outcome = before;
  const send = async (row: SuppressionLine): Promise<RefusedRow | null> => {
    if ('problem' in row) return { row, errors: { '': [row.problem] } };
    const input = { path: { org }, query: dryRun ? { dry_run: '1' as const } : {}, body: row.value, signal };
    try {
      await patiently(() => carillon.post('/api/o/{org}/suppressions/', input), signal);
      return null;
    } catch (error) {
      if (!(error instanceof ProblemError) || error.status !== 400) throw error;
      return { row, errors: Object.keys(error.errors).length > 0 ? error.errors : { '': [error.message] } };
    }
  };
  while (outcome.done < lines.length) {
    const part = lines.slice(outcome.done, outcome.done + AT_ONCE);
    const refused = (await Promise.all(part.map(send))).filter((each) => each !== null);
    outcome = {
      done: outcome.done + part.length,
      stored: outcome.stored + part.length - refused.length,
      refused: [...outcome.refused, ...refused],
    };
    onProgress(outcome);
  }
  return outcome;
}
