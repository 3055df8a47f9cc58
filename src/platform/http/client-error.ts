import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { headersTooLarge, invalidField, payloadTooLarge, requestTimeout } from './problem.js';
import type { Problem } from './problem.js';

const logger = new Logger('Http');

/** Answers bytes that are no request, which Node's parser refuses before the service sees them. Node would answer without a body. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: ServerResponse };
  // The client left, or has a part of another answer already.
  if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent) return void socket.destroy(error);
  const problem = problemOf(error.code);
  const requestId = randomUUID();
  logger.log({ message: 'request refused', status: problem.status, reason: error.code, requestId });
  const body = JSON.stringify(problem.body());
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge();
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return payloadTooLarge(16);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout();
  return invalidField('request', 'invalid_format', 'is not valid HTTP');
}
