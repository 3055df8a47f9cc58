import { raw } from 'express';
import type { Request, Response } from 'express';
import { invalid, payloadTooLarge, unsupportedMediaType } from '../problem.js';

/** Reads the body of a request; more than the limit is refused as soon as it is seen. */
export function readBytes(request: Request, response: Response, limitKb: number): Promise<Buffer> {
  return request.headers['content-encoding'] === undefined
    ? readPlain(request, limitKb)
    : readPacked(request, response, limitKb);
}

/** By hand, for nearly every body: Express's reader is made for all kinds of them. */
function readPlain(request: Request, limitKb: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const limit = limitKb * 1024;
    if (Number(request.headers['content-length']) > limit) return reject(payloadTooLarge(limitKb));
    // Its client left while the key was looked up: what has come is not the whole, and no body is not what it sent.
    if (request.destroyed) return reject(cutOff());
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
    request.on('close', () => request.readableEnded || reject(cutOff()));
  });
}

function readPacked(request: Request, response: Response, limitKb: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(cutOff());
    raw({ type: () => true, limit: limitKb * 1024 })(request, response, (error?: unknown) => {
      if (error) reject(refusal(error as { status?: number; message: string }, limitKb));
      else resolve(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
    });
  });
}

const cutOff = () => invalid({ body: ['could not be read: request aborted'] });

function refusal({ status, message }: { status?: number; message: string }, limitKb: number): Error {
  if (status === 413) return payloadTooLarge(limitKb);
  return status === 415 ? unsupportedMediaType() : invalid({ body: [`could not be read: ${message}`] });
}
