import { HttpSink, type HttpReply, type ReceivedRequest } from '../sinks/http-sink.js';

/** A provider's HTTP API on loopback. A test may set `sink.reply` to answer in place of the provider. */
export abstract class FakeProvider {
  constructor(readonly sink: HttpSink) {
    this.answer();
  }

  static async start<Fake, Rest extends unknown[]>(
    this: new (sink: HttpSink, ...rest: Rest) => Fake,
    ...rest: Rest
  ): Promise<Fake> {
    return new this(await HttpSink.start(), ...rest);
  }

  get origin(): string {
    return this.sink.url('');
  }

  get requests(): readonly ReceivedRequest[] {
    return this.sink.requests;
  }

  close(): Promise<void> {
    return this.sink.close();
  }

  /** Back to the state after the start. */
  reset(): void {
    this.sink.requests.length = 0;
    this.answer();
    this.forget();
  }

  private answer(): void {
    this.sink.reply = (request) => this.reply(request);
  }

  /** Drops received messages and everything that a test has set. */
  protected abstract forget(): void;

  protected abstract reply(request: ReceivedRequest): HttpReply;
}

/** The JSON in a request's body; null when the request does not announce JSON or its body is no JSON. */
export function jsonIn({ headers, body }: ReceivedRequest): unknown {
  if (!headers['content-type']?.startsWith('application/json')) return null;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return null;
  }
}

export const jsonReply = (status: number, body: unknown, headers: Record<string, string> = {}): HttpReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
