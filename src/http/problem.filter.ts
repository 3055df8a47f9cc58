import { Catch, HttpException, Logger } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Problem, invalid, notFound, unavailable } from './problem.js';
import { requestId } from './request-id.js';

/** Writes every error answer. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const problem = toProblem(error);
    const body = problem.body();
    if (problem.status >= 500) {
      this.logger.error({ message: 'request failed', requestId: requestId(request), error: describe(error) });
      body.request_id = requestId(request);
    }
    if (response.headersSent) return void response.destroy();
    response.status(problem.status).set(problem.headers);
    response.set('Content-Type', 'application/problem+json').end(JSON.stringify(body));
  }
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HttpException && error.getStatus() === 404) return notFound('path');
  if (error instanceof HttpException && error.getStatus() === 400) return invalid({ request: [error.message] });
  if (isUnreachableDatabase(error)) return unavailable('The database cannot be reached at the moment.');
  return new Problem(
    'internal',
    'The service failed to handle the request. Its logs say why: search them for the request_id.',
  );
}

// PostgreSQL: class 08 connection, 57P0x shutting down, 57014 and 55P03 waited too long, 53300 too many connections. Prisma: P1xxx, P2024 and P2028 no free connection.
function isUnreachableDatabase(error: unknown): boolean {
  const { code = '', message = '', cause } = (error ?? {}) as { code?: string; message?: string; cause?: unknown };
  return (
    /^(08|57P0|57014|55P03|53300|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|P1\d|P2024|P2028)/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Can't reach database/.test(message) ||
    (cause !== undefined && cause !== error && isUnreachableDatabase(cause))
  );
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
