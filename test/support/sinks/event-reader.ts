import { once } from 'node:events';
import { request } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { until } from '../until.js';

export interface ReceivedEvent {
  id: string;
  event: string;
  data: unknown;
}

/** Reads server-sent events as a browser does, but asks only once. */
export class EventReader {
  readonly events: ReceivedEvent[] = [];
  /** The data of events `counts`, which are apart from the others. */
  readonly counts: unknown[] = [];
  /** What a browser would come again with. */
  lastEventId = '';
  comments = 0;
  retryMs: number | undefined;
  /** Whether the stream came to an end; a connection that was cut has none. */
  ended = false;
  closed = false;
  private rest = '';

  private constructor(
    private readonly call: ClientRequest,
    private readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.take(text));
    response.on('end', () => (this.ended = true));
    response.on('close', () => (this.closed = true));
    response.on('error', () => undefined);
  }

  /** Resolves when the headers are there. */
  static async open(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<EventReader> {
    const call = request(url, { headers, agent: false, method }).end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    call.on('error', () => undefined);
    return new EventReader(call, response);
  }

  get status(): number {
    return this.response.statusCode!;
  }

  get headers(): IncomingHttpHeaders {
    return this.response.headers;
  }

  /** Takes nothing any more, but stays. */
  stall(): void {
    this.response.pause();
  }

  /** Goes away without a word. */
  leave(): void {
    this.call.destroy();
  }

  /** Waits until there are so many events. */
  async received(count: number, patienceMs = 10_000): Promise<ReceivedEvent[]> {
    await until(patienceMs, () => this.events.length >= count);
    return this.events;
  }

  async untilEnd(patienceMs = 10_000): Promise<ReceivedEvent[]> {
    await until(patienceMs, () => this.ended);
    return this.events;
  }

  private take(text: string): void {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop()!;
    for (const block of blocks) this.takeBlock(block.split('\n'));
  }

  private takeBlock(lines: string[]): void {
    let event = 'message';
    let data = '';
    for (const line of lines) {
      const [, field, value] = /^([^:]*)(?:: ?(.*))?$/.exec(line)!;
      if (field === '') this.comments++;
      else if (field === 'id') this.lastEventId = value!;
      else if (field === 'event') event = value!;
      else if (field === 'data') data += value!;
      else if (field === 'retry') this.retryMs = Number(value);
    }
    if (data && event === 'counts') this.counts.push(JSON.parse(data));
    else if (data) this.events.push({ id: this.lastEventId, event, data: JSON.parse(data) });
  }
}
