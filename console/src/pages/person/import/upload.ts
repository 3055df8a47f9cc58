import { carillon } from '../../../api/carillon';
import { patiently } from '../../../api/patiently';
import type { UploadLine } from './file/file-columns';
import type { RefusedRow } from './file/refused-csv';

const PATH = '/api/o/{org}/users/';

/** Few enough for the service to name each line that it refuses, and to show progress. */
const MAX_LINES = 500;
const MAX_CHARACTERS = 1024 * 1024;

export interface Outcome {
  /** Lines that are done, whatever became of them. */
  done: number;
  created: number;
  changed: number;
  refused: RefusedRow[];
}

export const NOTHING: Outcome = { done: 0, created: 0, changed: 0, refused: [] };

interface Answer {
  kind: 'error' | 'progress' | 'summary';
  line: number;
  errors: Record<string, string[]>;
  complete: boolean;
  detail?: string;
  created: number;
  replaced: number;
}

interface Upload {
  org: string;
  lines: readonly UploadLine[];
  dryRun: boolean;
  signal: AbortSignal;
  onProgress: (outcome: Outcome) => void;
}

/** Sends the lines after those that are done, part by part. What was stored when something fails is in the last progress. */
export async function upload({ org, lines, dryRun, signal, onProgress }: Upload, before: Outcome): Promise<Outcome> {
  let outcome = before;
  while (outcome.done < lines.length) {
    const part = partOf(lines, outcome.done);
    const sent = part.filter((line) => 'value' in line);
    const answers = sent.length === 0 ? [] : await send(org, sent, dryRun, signal);
    outcome = added(outcome, part, sent, answers);
    onProgress(outcome);
  }
  return outcome;
}

function partOf(lines: readonly UploadLine[], from: number): UploadLine[] {
  let size = 0;
  let to = from;
  while (to < lines.length && to - from < MAX_LINES && (to === from || size < MAX_CHARACTERS))
    size += lines[to++]!.cells.reduce((sum, { length }) => sum + length, 0);
  return lines.slice(from, to);
}

async function send(
  org: string,
  lines: readonly UploadLine[],
  dryRun: boolean,
  signal: AbortSignal,
): Promise<Answer[]> {
  const body = lines.map((line) => JSON.stringify('value' in line ? line.value : null)).join('\n');
  const query = { mode: 'merge' as const, ...(dryRun && { dry_run: '1' as const }) };
  // Of an organization, the service reads one upload at a time.
  const answer = await patiently(() => carillon.post(PATH, { path: { org }, query, body, signal }), signal);
  const answers = answer
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
  const last = answers.at(-1)!;
  if (last.kind !== 'summary') throw new TypeError('network: the answer was cut off');
  if (!last.complete) throw new Error(last.detail);
  return answers;
}

function added(outcome: Outcome, part: UploadLine[], sent: UploadLine[], answers: Answer[]): Outcome {
  const unread = part.flatMap((row) => ('problem' in row ? [{ row, errors: { '': [row.problem] } }] : []));
  const refused = answers.flatMap(({ kind, line, errors }) =>
    kind === 'error' ? [{ row: sent[line - 1]!, errors }] : [],
  );
  const summary = answers.at(-1);
  return {
    done: outcome.done + part.length,
    created: outcome.created + (summary?.created ?? 0),
    changed: outcome.changed + (summary?.replaced ?? 0),
    refused: [...outcome.refused, ...[...unread, ...refused].toSorted((a, b) => a.row.line - b.row.line)],
  };
}
