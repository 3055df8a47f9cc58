import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body as it came, for what is not text. */
  raw: Buffer;
}

/** What to do with one request. */
export type HttpReply =
  | { status: number; headers?: Record<string, string>; body?: string | Buffer; delayMs?: number }
  /** Ends the connection in the middle of nowhere. */
  | 'reset'
  /** Never answers. */
  | 'silence';

/** A real HTTP server on loopback that remembers what it was sent and answers as told. */
export class HttpSink {
  readonly requests: ReceivedRequest[] = [];
  /** How many connections were opened. */
  connections = 0;
  /** The answer to each request; one per call, so that it may change, and wait for something. */
  reply: (request: ReceivedRequest) => HttpReply | Promise<HttpReply> = () => ({ status: 200, body: 'ok' });

  private constructor(private readonly server: Server) {
    server.on('connection', () => (this.connections += 1));
    server.on('request', (request, response) => void this.receive(request, response));
  }

  static async start(host = '127.0.0.1'): Promise<HttpSink> {
    const server = createServer();
    const sink = new HttpSink(server);
    server.listen(0, host);
    await once(server, 'listening');
    return sink;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** Answers so many requests from now on, and no more until it is told to go on. */
  holdAfter(count: number): { isHolding(): boolean; goOn(): void } {
    const first = this.requests.length;
    let goOn = (): void => undefined;
    const released = new Promise<void>((resolve) => (goOn = resolve));
    this.reply = async () => {
      if (this.requests.length > first + count) await released;
      return { status: 200 };
    };
    return { isHolding: () => this.requests.length > first + count, goOn };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const body = raw.toString('utf8');
    const received = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body, raw };
    this.requests.push(received);
    const reply = await this.reply(received);
    if (reply === 'silence') return;
    if (reply === 'reset') return void request.socket.resetAndDestroy();
    if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
    response.writeHead(reply.status, reply.headers).end(reply.body ?? '');
  }
}
