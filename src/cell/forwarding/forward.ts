import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Request, Response } from 'express';
import { clientAddress } from '../../platform/http/client-address.js';
import { answerProblem } from '../../platform/http/problem.filter.js';
import { unavailable } from '../../platform/http/problem.js';
import { requestId } from '../../platform/http/request-id.js';
import { Cells } from '../directory/cells.js';
import type { Cell } from '../directory/directory.js';
import { CellCircuits } from './cell-circuits.js';
import { endToEnd, forwardedHeaders, hasBody } from './hop-headers.js';
import { PROOF_HEADER, prove } from './proof.js';
import type { Statement } from './proof.js';

/** After this time without an answer the cell is asked whether it is alive, and again after the same time. */
const SUSPECT_MS = 1500;
/** From the end of the request to the first byte of the answer: longer than any statement may take. */
const HEAD_MS = 40_000;
/** A peer that vanished is noticed some ten seconds after this silence. The body of an answer has no other limit: it may be a stream. */
const KEEP_ALIVE_MS = 10_000;

/** How much of a body that goes nowhere is read. */
const MAX_DROPPED_BYTES = 256 * 1024;

const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What the first cell knows about the client of a forwarded request. */
export interface Forwarded extends Statement {
  address: string;
  host: string | undefined;
  protocol: string;
}

/** Sends a request on to the cell that can answer it, and its answer back, both as streams. */
@Injectable()
export class Forward implements OnApplicationShutdown {
  private readonly logger = new Logger('Cells');
  private readonly agents = {
    'http:': new HttpAgent({ keepAlive: true, keepAliveMsecs: KEEP_ALIVE_MS }),
    'https:': new HttpsAgent({ keepAlive: true, keepAliveMsecs: KEEP_ALIVE_MS }),
  };

  constructor(
    private readonly cells: Cells,
    private readonly circuits: CellCircuits,
  ) {}

  onApplicationShutdown(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  /** `body`: what was read of the request already; undefined: nothing was. */
  send(request: Request, response: Response, cell: Cell, body?: Buffer): void {
    request.route = { path: 'forwarded' }; // for metrics
    if (this.circuits.isOpen(cell)) return this.refuse(response);
    if (!hasBody(request)) drop(request, response);
    this.try(request, response, cell, body, true);
  }

  private try(request: Request, response: Response, cell: Cell, body: Buffer | undefined, mayRepeat: boolean): void {
    const upstream = this.open(request, cell, body);
    const clear = this.limitTime(upstream, cell);
    response.on('close', () => upstream.destroy());
    upstream.on('response', (answer) => {
      clear();
      // The body was refused before its end: the rest is dropped, so that the client can read why.
      if (!request.complete) request.unpipe(upstream).resume();
      passOn(answer, response);
    });
    upstream.on('error', (error) => {
      clear();
      // The other cell closed a connection that was idle, at the moment when it was used again.
      const isStale = mayRepeat && upstream.reusedSocket && !response.headersSent && REPEATABLE.has(request.method);
      if (isStale && request.complete) this.try(request, response, cell, body, false);
      else this.fail(request, response, cell, error);
    });
    if (!hasBody(request)) upstream.end();
    else if (body) upstream.end(body);
    // A client that leaves is seen by `close` of the response.
    else request.pipe(upstream);
  }

  private open(request: Request, cell: Cell, body: Buffer | undefined): ClientRequest {
    const { protocol, hostname, port } = new URL(cell.url);
    const isSecure = protocol === 'https:';
    const headers = {
      ...forwardedHeaders(request, body),
      host: new URL(cell.url).host,
      'x-request-id': requestId(request),
      [PROOF_HEADER]: this.proofFor(request, cell),
    };
    return (isSecure ? httpsRequest : httpRequest)({
      agent: this.agents[isSecure ? 'https:' : 'http:'],
      ...{
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        method: request.method,
        path: request.originalUrl,
        headers,
      },
    });
  }

  private proofFor(request: Request, cell: Cell): string {
    const { number, secret } = this.cells.settings;
    const statement: Forwarded = {
      ...{ from: number, to: cell.number, at: Date.now() },
      ...{ address: clientAddress(request), host: request.headers.host, protocol: request.protocol },
    };
    return prove(statement, request.method, request.originalUrl, secret);
  }

  private fail(request: Request, response: Response, cell: Cell, error: Error): void {
    // The client has left, or has a part of the answer already.
    if (response.destroyed || response.writableEnded) return;
    if (response.headersSent) return void response.destroy();
    this.logger.warn({
      message: 'a cell does not answer',
      cell: cell.number,
      requestId: requestId(request),
      error: error.message,
    });
    // If it is the cell and not the connection, the next requests need not wait for it.
    void this.circuits.answers(cell);
    this.refuse(response);
  }

  private refuse(response: Response): void {
    // The rest of the body is not read.
    response.setHeader('Connection', 'close');
    answerProblem(response, unavailable('The cell of the organization does not answer. Try again later.', 2));
  }

  /** Ends a request whose answer does not begin in time, or whose cell is not alive. Returns the function that ends the limit. */
  private limitTime(upstream: ClientRequest, cell: Cell): () => void {
    const giveUp = (what: string) => upstream.destroy(new Error(what));
    const doubting = setInterval(() => {
      void this.circuits.answers(cell).then((isUp) => isUp || giveUp('the cell is not alive'));
    }, SUSPECT_MS).unref();
    let waiting: NodeJS.Timeout | undefined;
    // The client may take its time to send the body. Its own connection has limits.
    upstream.on('finish', () => (waiting = setTimeout(giveUp, HEAD_MS, 'no answer in time').unref()));
    return () => {
      clearInterval(doubting);
      clearTimeout(waiting);
    };
  }
}

/** Reads a body that no route would read, so that the connection can be used again. Closes it after the answer to a large one. */
function drop(request: Request, response: Response): void {
  let bytes = 0;
  request.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes <= MAX_DROPPED_BYTES) return;
    request.removeAllListeners('data').pause();
    if (response.headersSent) request.destroy();
    else response.setHeader('Connection', 'close');
  });
}

function passOn(answer: IncomingMessage, response: Response): void {
  for (const [name, value] of Object.entries(endToEnd(answer.headers)))
    if (value !== undefined) response.setHeader(name, value);
  response.writeHead(answer.statusCode ?? 502);
  // A stream may send nothing for long after its head.
  response.flushHeaders();
  pipeline(answer, response, (error) => {
    if (error) response.destroy();
  });
}
