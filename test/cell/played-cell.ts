import { afterAll, afterEach, beforeAll, jest } from '@jest/globals';
import { ANSWER_HEADER, ASK_PATH } from '../../src/cell/forwarding/cell-client.js';
import type { QuestionStatement, Question } from '../../src/cell/forwarding/cell-client.js';
import { PROOF_HEADER, proveAnswer, readProof } from '../../src/cell/forwarding/proof.js';
import { Cells } from '../../src/cell/directory/cells.js';
import { DirectoryReplica } from '../../src/cell/directory/directory-replica.js';
import type { TestApp } from '../support/app/app.js';
import { CELL_SECRET, cellDatabase, startCell } from '../support/app/cells.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import type { HttpReply, ReceivedRequest } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { organization } from './world.js';

/** Plays a cell to another one: it answers questions as it is told, and whatever is forwarded to it with "there". */
export class PlayedCell {
  readonly questions: Question[] = [];
  /** Requests that it was to answer for the other cell. */
  readonly forwarded: ReceivedRequest[] = [];
  /** It answers nothing at all, not even that it is alive. */
  isHung = false;
  /** How long it takes to answer a forwarded request. */
  delayMs = 0;
  /** How often it was asked whether it is alive. */
  probes = 0;
  /** `silent`: it ends the connection instead. */
  answer: 'silent' | ((question: Question) => unknown) = nothing;

  private constructor(
    readonly number: number,
    private readonly sink: HttpSink,
  ) {
    sink.reply = (request) => {
      const isProbe = request.path === '/health/live';
      if (isProbe) this.probes++;
      else if (request.path !== ASK_PATH) this.forwarded.push(request);
      if (this.isHung) return 'silence';
      if (request.path === ASK_PATH) return this.reply(request);
      return { status: 200, body: 'there', delayMs: isProbe ? 0 : this.delayMs };
    };
  }

  static async start(number: number): Promise<PlayedCell> {
    return new PlayedCell(number, await HttpSink.start());
  }

  get url(): string {
    return new URL(this.sink.url()).origin;
  }

  /** Until the cell knows it, at this URL. */
  async appearTo({ app }: TestApp, url = this.url): Promise<void> {
    const copy = app.get(DirectoryReplica);
    await app.get(Cells).directory.see(this.number, url);
    await until(10_000, async () => {
      await copy.reread();
      return copy.places.cell(this.number)?.url === url;
    });
  }

  /** Forgets what it was asked and told. */
  reset(): void {
    this.questions.length = this.forwarded.length = this.probes = 0;
    this.isHung = false;
    this.delayMs = 0;
    this.answer = nothing;
  }

  close(): Promise<void> {
    return this.sink.close();
  }

  private async reply({ method, path: url, headers }: ReceivedRequest): Promise<HttpReply> {
    const proof = String(headers[PROOF_HEADER]);
    const said = readProof(proof, { method, url }, this.number, CELL_SECRET) as QuestionStatement | null;
    if (!said) return { status: 404 };
    this.questions.push(said.question);
    if (this.answer === 'silent') return 'reset';
    const body = JSON.stringify(await this.answer(said.question));
    return { status: 200, headers: { [ANSWER_HEADER]: proveAnswer(body, proof, CELL_SECRET) }, body };
  }
}

const nothing = (question: Question) => ('hash' in question ? { key: null } : { rows: [] });

/** One real cell for all tests of a file, in which Acme is. It knows another one, which the test plays. */
export function usePlayedCell(given: (app: TestApp, other: PlayedCell) => unknown): void {
  let app: TestApp | undefined;
  let other: PlayedCell | undefined;
  beforeAll(async () => {
    const database = await cellDatabase(0);
    app = await startCell(0, database.url, database);
    await app.apply(organization('acme'));
    other = await PlayedCell.start(1);
    await other.appearTo(app);
    await given(app, other);
  });
  afterEach(() => {
    other?.reset();
    jest.restoreAllMocks();
  });
  afterAll(async () => {
    await app?.stop();
    await other?.close();
  });
}
