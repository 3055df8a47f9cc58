import type { Dispatcher } from 'undici';
import { OutboundTimeout } from '../outbound/outbound-error.js';
import { decoded } from './decoded.js';

export interface HttpAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The first 1 KB, unless more was asked for; of a compressed answer, after decoding. */
  text: string;
  /** The text is not the whole body, which was too long, stalled, broke off or could not be decoded. */
  isCut?: true;
}

const KEPT_BYTES = 1024;
// A connection is reused only if its answer was read to the end. Reading up to this size is cheaper than a new connection.
const DRAINED_BYTES = 64 * 1024;

type Headers = Record<string, string | string[] | undefined>;

/**
 * Reads one answer from the callbacks of undici's dispatcher. undici's `request` would create a stream for every body and
 * need a signal for the timeout, which is 0.05 of the 0.2 ms that a small message takes.
 */
export class AnswerReader implements Dispatcher.DispatchHandler {
  readonly answer: Promise<HttpAnswer>;
  private readonly timer: NodeJS.Timeout;
  private readonly kept: Buffer[] = [];
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private headers: Headers = {};
  private receivedBytes = 0;
  private isSettled = false;
  private resolve!: (answer: HttpAnswer) => void;
  private reject!: (error: Error) => void;

  constructor(
    timeoutMs: number,
    private readonly keptBytes = KEPT_BYTES,
  ) {
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // The answer may fail before anybody waits for it.
    this.answer.catch(() => {});
    this.timer = setTimeout(() => this.abandon(new OutboundTimeout(`no answer in ${timeoutMs} ms`)), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isSettled) controller.abort(new OutboundTimeout('timed out before it was sent'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return; // an interim response; the final one follows
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.receivedBytes < this.keptBytes) this.kept.push(chunk.subarray(0, this.keptBytes - this.receivedBytes));
    this.receivedBytes += chunk.length;
    if (this.receivedBytes > DRAINED_BYTES) this.abandon(new Error('the answer is too long'));
  }

  onResponseEnd(): void {
    this.settle();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.settle(error);
  }

  /** Settles the answer when the request cannot be sent. */
  fail(error: Error): void {
    this.settle(error);
  }

  /** Stops reading and closes the connection. */
  private abandon(why: Error): void {
    this.settle(why);
    this.controller?.abort(why);
  }

  private settle(error?: Error): void {
    if (this.isSettled) return;
    this.isSettled = true;
    clearTimeout(this.timer);
    // Once the status is known, there is an answer, even if the body stalls or breaks off.
    if (this.status === 0) return this.reject(error ?? new Error('no answer'));
    void this.tell(error !== undefined || this.receivedBytes > this.keptBytes);
  }

  private async tell(wasCut: boolean): Promise<void> {
    const headers = joinedHeaders(this.headers);
    const body = this.kept.length === 1 ? this.kept[0]! : Buffer.concat(this.kept);
    const coding = headers['content-encoding'] ?? 'identity';
    const isPlain = coding === 'identity' || body.length === 0;
    const { text, isCut } = isPlain
      ? { text: body.toString('utf8'), isCut: wasCut }
      : await decoded(body, coding, this.keptBytes);
    this.resolve({ status: this.status, headers, text, ...(wasCut || isCut ? { isCut: true } : {}) });
  }
}

/** Joins repeated headers in place; nobody else uses this object. */
function joinedHeaders(headers: Headers): Record<string, string> {
  for (const name in headers) {
    const value = headers[name];
    if (typeof value !== 'string') headers[name] = value?.join(', ') ?? '';
  }
  return headers as Record<string, string>;
}
