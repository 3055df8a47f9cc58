import { Injectable, Logger } from '@nestjs/common';
import { Cells } from '../directory/cells.js';
import type { Cell } from '../directory/directory.js';
import { CellCircuits } from './cell-circuits.js';
import { PROOF_HEADER, isProvedAnswer, prove } from './proof.js';
import type { Statement } from './proof.js';

/** Not a route: only a request with a proof is answered here. Every other one is told that there is no such path. */
export const ASK_PATH = '/cell/ask';
export const ANSWER_HEADER = 'x-carillon-proof';

const TIMEOUT_MS = 2000;
const MAX_ANSWER_BYTES = 256 * 1024;

/** What one cell asks another. It is a part of the proof, in a header: nobody else's body is ever read. */
export type Question =
  /** Who knows this key, session or link? By its hash in hexadecimal digits. */
  | { hash: string }
  /** Are these keys of operators still as they were? With the times of their last use here. */
  | { originals: [id: number, lastUsedAt: string | null][] };

export interface QuestionStatement extends Statement {
  question: Question;
}

/** Asks other cells. Answers are proved too: one that somebody made up could create a key. */
@Injectable()
export class CellClient {
  private readonly logger = new Logger('Cells');

  constructor(
    private readonly cells: Cells,
    private readonly circuits: CellCircuits,
  ) {}

  /** Throws when the cell does not answer. */
  async ask<Answer>(cell: Cell, question: Question): Promise<Answer> {
    if (this.circuits.isOpen(cell)) throw new Error(`cell ${cell.number} does not answer`);
    const { number, secret } = this.cells.settings;
    const said: QuestionStatement = { from: number, to: cell.number, at: Date.now(), question };
    const proof = prove(said, 'GET', ASK_PATH, secret);
    try {
      const answer = await fetch(new URL(ASK_PATH, cell.url), {
        headers: { [PROOF_HEADER]: proof },
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const body = await textOf(answer);
      if (answer.status !== 200 || !isProvedAnswer(answer.headers.get(ANSWER_HEADER), body, proof, secret))
        throw new Error(
          `it answers ${answer.status} without a proof: check its CELL, CELL_URL, CELL_SECRET and the clocks`,
        );
      return JSON.parse(body) as Answer;
    } catch (error) {
      void this.circuits.answers(cell);
      const { message, cause } = error as Error;
      const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
      this.logger.warn({ message: 'a cell does not answer', cell: cell.number, error: reason });
      throw new Error(`cell ${cell.number}: ${reason}`, { cause: error });
    }
  }
}

async function textOf(answer: globalThis.Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
