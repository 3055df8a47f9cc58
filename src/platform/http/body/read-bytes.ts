import { raw } from 'express';
import type { Request, Response } from 'express';
import { clientLeft, invalidField, payloadTooLarge, unsupportedMediaType } from '../problem.js';

const READ = Symbol('read body');
type Read = Request & { [READ]?: Buffer };

/** Reads the body before the request is routed: `readBytes` then returns the same bytes. */
export async function readAhead(request: Request, response: Response, limitKb: number): Promise<Buffer> {
  return ((request as Read)[READ] = await readBytes(request, response, limitKb));
}

/** Reads the body of a request. Refuses it as soon as it exceeds the limit. */
export function readBytes(request: Request, response: Response, limitKb: number): Promise<Buffer> {
  const read = (request as Read)[READ];
  if (read) return Promise.resolve(read);
  return request.headers['content-encoding'] === undefined
    ? readPlain(request, limitKb)
    : readCompressed(request, response, limitKb);
}

/** Reads an uncompressed body, as nearly all are. Express's reader would do more work, because it supports every encoding. */
function readPlain(request: Request, limitKb: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const limit = limitKb * 1024;
    if (Number(request.headers['content-length']) > limit) return reject(payloadTooLarge(limitKb));
    // The client left while its key was looked up: the body is incomplete, and must not count as empty.
    if (request.destroyed) return reject(clientLeft());
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= limit) return;
      request.removeAllListeners('data').pause();
      reject(payloadTooLarge(limitKb));
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('close', () => request.readableEnded || reject(clientLeft()));
  });
}

function readCompressed(request: Request, response: Response, limitKb: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(clientLeft());
    raw({ type: () => true, limit: limitKb * 1024 })(request, response, (error?: unknown) => {
      if (error) reject(refusal(error as { status?: number; message: string }, limitKb));
      else resolve(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
    });
  });
}

function refusal({ status, message }: { status?: number; message: string }, limitKb: number): Error {
  if (status === 413) return payloadTooLarge(limitKb);
  return status === 415
    ? unsupportedMediaType()
    : invalidField('body', 'invalid_format', `could not be read: ${message}`);
}
