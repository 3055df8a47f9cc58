import { Catch, HttpException, Logger } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { allowedMethods } from './adapter/allowed-methods.js';
import { Problem, invalidField, methodNotAllowed, notFound, unavailable } from './problem.js';
import { requestId } from './request-id.js';
import { LogThrottle } from './log-throttle.js';

/** The methods that a path accepts. Set on the app. */
type OutageOf = (error: unknown) => { detail: string; retryAfterSeconds: number } | null;

/** Writes every error answer. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');
  private readonly seldom = new LogThrottle();

  constructor(private readonly outageOf: OutageOf) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const problem = toProblem(error, this.outageOf, request);
    if (problem.kind === 'client-left') return void response.destroy();
    const body = problem.body();
    if (problem.status >= 500) {
      this.log(problem, error, requestId(request));
      body.request_id = requestId(request);
    }
    if (response.headersSent) return void response.destroy();
    answerProblem(response, problem, body);
  }

  /** A 503 is given on purpose, often to all requests of an outage: one line in a while says why. Others are defects. */
  private log(problem: Problem, error: unknown, id: string): void {
    if (problem.isPlanned)
      return this.logger.debug({ message: 'request refused', requestId: id, error: describe(error) });
    if (problem.kind !== 'unavailable')
      return this.logger.error({ message: 'request failed', requestId: id, error: describe(error) });
    const { detail } = problem.body();
    this.seldom.log(detail ?? '', (more) =>
      this.logger.warn({ message: 'requests are answered 503', detail, requestId: id, ...more }),
    );
  }
}

const QUOTA = Symbol('quota');
type Refused = Response & { [QUOTA]?: string };

/** The quota that refused the request, if one did. */
export const refusingQuota = (response: Response): string | undefined => (response as Refused)[QUOTA];

export function answerProblem(response: Response, problem: Problem, body = problem.body()): void {
  (response as Refused)[QUOTA] = problem.quota;
  response.status(problem.status).set(problem.headers);
  response.set('Content-Type', 'application/problem+json').end(JSON.stringify(body));
}

function toProblem(error: unknown, outageOf: OutageOf, request: Request): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HttpException && error.getStatus() === 404) return noRoute(request);
  if (error instanceof HttpException && error.getStatus() === 400)
    return invalidField('request', 'invalid_format', error.message);
  const outage = outageOf(error);
  if (outage) return unavailable(outage.detail, outage.retryAfterSeconds);
  return new Problem(
    'internal',
    'The service failed to handle the request. Its logs say why: search them for the request_id.',
  );
}

function noRoute(request: Request): Problem {
  const { method } = request;
  const allowed = allowedMethods(request);
  return allowed.length === 0 ? notFound('path') : methodNotAllowed(method, allowed);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
