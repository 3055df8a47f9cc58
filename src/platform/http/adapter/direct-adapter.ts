import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application, NextFunction, Request, Response } from 'express';
import { answerClientError } from '../client-error.js';
import { acceptCopies } from './accept-copies.js';
import { expressClasses } from './express-classes.js';
import { pathOf } from '../path-of.js';
import { answerProblem } from '../problem.filter.js';
import { invalidField } from '../problem.js';
import { RouteTable, isLiteral, mayLieBelow } from './route-table.js';
import type { FoundRoute } from './route-table.js';

const CONNECTIONS = {
  // Longer than a proxy keeps an idle connection (nginx and AWS: 60 s). Otherwise the proxy may send a request over a connection that is
  // being closed, and answer 502.
  keepAliveTimeout: 75_000,
  headersTimeout: 80_000,
  // A request without Host gets our answer instead of Node's, which has no body.
  requireHostHeader: false,
};
const CLOSE_IDLE_MS = 100;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

type Answer = (request: Request, response: Response, next: (error?: unknown) => void) => unknown;
type Target = { answer: Answer; route: { path: string } };
type Register = (...args: unknown[]) => unknown;
/** Smaller answers fit into the buffers of the operating system. */
const LARGE_BYTES = 64 * 1024;

type StaticOptions = Parameters<ExpressAdapter['useStaticAssets']>[1];

/**
 * Nest's Express adapter with a table of routes before Express's router (decision 0013 has the figures).
 *
 * Express holds every route and every middleware, as usual. A table holds the same routes once more and finds them faster:
 *
 * - Routes that no middleware was registered before are in the front table. A request for one of them goes from `node:http`
 *   to the route's function, and Express does not see it.
 * - Routes that were registered after a middleware are in a table that is itself a middleware of Express, at that place in the
 *   order. Express runs the middlewares, and the table then finds the route.
 *
 * A request that no table finds (written differently, HEAD, OPTIONS, files, unknown paths) is routed by Express.
 */
export class DirectAdapter extends ExpressAdapter {
  private readonly frontTable = new RouteTable<Target>();
  /** The last one takes the next route. */
  private readonly tables = [this.frontTable];
  /** How many layers of Express's router the table takes account of. More layers than that: a middleware was added since. */
  private knownLayers = this.layerCount();
  /** Where files are served from, before the current table. */
  private staticPrefixes: string[] = [];
  private hasHooks = false;
  /** More listening sockets, whose connections `httpServer` serves. */
  private copies: NetServer[] = [];
  /** Requests that a route handed on with `next()`, so that Express does not try the same route again. */
  private readonly handedOn = new WeakMap<Request, { target: Target; error: unknown }>();

  /** Called before the routes are looked at. It answers the request, or calls `next`, now or later. Null: every request is routed. */
  divert: ((request: Request, response: Response, next: () => void) => void) | null = null;

  /** `prepare` is called with every request before anything else sees it, `onLarge` with answers that may stay in memory for long. */
  constructor(
    private readonly prepare: (request: Request, response: Response) => void,
    private readonly onLarge: (response: Response, bytes: number) => void = () => undefined,
  ) {
    super();
  }

  override initHttpServer(): void {
    const options = { ...CONNECTIONS, ...expressClasses(this.getInstance<Application>()) };
    const serve = (incoming: IncomingMessage, outgoing: ServerResponse) => {
      this.serve(incoming as Request, outgoing as Response);
    };
    const server = createServer(options, serve);
    server.on('clientError', answerClientError);
    // An unknown `Expect` is ignored, as HTTP allows. Node would answer 417 without a body.
    server.on('checkExpectation', serve);
    this.httpServer = server as typeof this.httpServer;
  }

  /** Accepts many connections in a turn of the event loop instead of one. Call it after `listen`. */
  async acceptFaster(): Promise<void> {
    this.copies = await acceptCopies(this.httpServer);
  }

  /** Node closes the connections that are idle at this moment. Others become idle later, and would stay for `keepAliveTimeout`. */
  override async close(): Promise<void> {
    const server = this.httpServer as Server;
    const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
    try {
      await Promise.all([super.close(), ...this.copies.map((copy) => new Promise((closed) => copy.close(closed)))]);
    } finally {
      clearInterval(closing);
    }
  }

  private serve(request: Request, response: Response): void {
    request.originalUrl = request.url;
    this.prepare(request, response);
    if (request.headers.host === undefined && request.httpVersion !== '1.0') {
      response.setHeader('Connection', 'close');
      return answerProblem(response, invalidField('request', 'required', 'must have the header Host'));
    }
    if (this.divert) this.divert(request, response, () => this.route(request, response));
    else this.route(request, response);
  }

  private route(request: Request, response: Response): void {
    const found = this.hasHooks ? null : this.frontTable.find(request.method, pathOf(request.url));
    if (!found) return this.getInstance<Application>()(request, response);
    request.res = response; // Express's own methods look for it there
    void this.answer(found, request, response, null);
  }

  /** Calls the function of a route, with what Express would set on the request. A `next` of null: Express has not seen the request. */
  private async answer(found: FoundRoute<Target>, request: Request, response: Response, next: NextFunction | null) {
    const { params, target } = found;
    request.params = params;
    request.route = target.route;
    const handOn = (error?: unknown) => {
      this.handedOn.set(request, { target, error });
      if (next) next(error);
      else this.getInstance<Application>()(request, response);
    };
    try {
      await target.answer(request, response, handOn);
    } catch (error) {
      handOn(error ?? new Error('rejected without a reason'));
    }
  }

  /** The methods of the routes with this path. */
  allowedMethods(path: string): string[] {
    const lower = path.toLowerCase(); // as the routes are; Express ignores case
    const methods = METHODS.filter((method) => this.tables.some((table) => table.find(method, lower)));
    return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  }

  override get(...args: unknown[]): unknown {
    return this.register('GET', args, super.get as Register);
  }

  override post(...args: unknown[]): unknown {
    return this.register('POST', args, super.post as Register);
  }

  override put(...args: unknown[]): unknown {
    return this.register('PUT', args, super.put as Register);
  }

  override patch(...args: unknown[]): unknown {
    return this.register('PATCH', args, super.patch as Register);
  }

  override options(...args: unknown[]): unknown {
    return this.register('OPTIONS', args, super.options as Register);
  }

  override delete(...args: unknown[]): unknown {
    return this.register('DELETE', args, super.delete as Register);
  }

  /** Registers a route with Express, and with the table if the table understands its path. */
  private register(method: string, args: unknown[], withExpress: Register): unknown {
    const [path, answer] = args;
    if (args.length !== 2 || typeof path !== 'string' || !RouteTable.accepts(path) || this.mayBeFile(path))
      return withExpress.apply(this, args);
    if (this.layerCount() > this.knownLayers) this.startTable();
    const target = { answer: answer as Answer, route: { path } };
    this.tables.at(-1)!.add(method, path, target);
    const result = withExpress.call(this, path, this.onlyOnce(target));
    this.knownLayers = this.layerCount();
    return result;
  }

  /** Starts a table behind all middleware that Express has so far. */
  private startTable(): void {
    const table = new RouteTable<Target>();
    this.getInstance<Application>().use((request: Request, response: Response, next: NextFunction) => {
      const found = table.find(request.method, pathOf(request.url));
      if (!found) return next();
      void this.answer(found, request, response, next);
    });
    this.tables.push(table);
    this.staticPrefixes = [];
  }

  /** The function that Express calls for a route. If the table has already called the route, it only passes the request on. */
  private onlyOnce(target: Target): Answer {
    return (request, response, next) => {
      const handedOn = this.handedOn.get(request);
      return handedOn?.target === target ? next(handedOn.error) : target.answer(request, response, next);
    };
  }

  private layerCount(): number {
    return this.getInstance<Application>().router.stack.length;
  }

  private mayBeFile(path: string): boolean {
    return this.staticPrefixes.some((prefix) => mayLieBelow(prefix, path));
  }

  /** Files below a prefix are no middleware for the routes elsewhere. Without this the API documentation would slow every route. */
  override useStaticAssets(path: string, options: StaticOptions): unknown {
    super.useStaticAssets(path, options);
    if (options?.prefix && isLiteral(options.prefix)) {
      this.staticPrefixes.push(options.prefix);
      this.knownLayers++;
    }
    return this;
  }

  /** Nest's developer tools see every request by a middleware of Express: with a hook, Express routes everything. */
  override setOnRequestHook(...args: Parameters<ExpressAdapter['setOnRequestHook']>): void {
    this.hasHooks = true;
    super.setOnRequestHook(...args);
  }

  override setOnResponseHook(...args: Parameters<ExpressAdapter['setOnResponseHook']>): void {
    this.hasHooks = true;
    super.setOnResponseHook(...args);
  }

  override status(response: Response, statusCode: number): Response {
    response.statusCode = statusCode;
    return response;
  }

  /** Writes JSON, which is nearly every answer, without looking up five settings of Express for it. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (!isData(body) || response.hasHeader('Content-Type')) return super.reply(response, body, statusCode);
    const text = JSON.stringify(body);
    const bytes = Buffer.byteLength(text);
    if (bytes > LARGE_BYTES) this.onLarge(response, bytes);
    if (statusCode !== undefined) response.statusCode = statusCode;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', bytes);
    return response.end(text);
  }
}

function isData(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !(body instanceof StreamableFile) && !(body instanceof Error);
}
