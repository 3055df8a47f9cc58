import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';

const compress = promisify(gzip);

/** A document that does not change while the process runs. Clients that accept it get it compressed. */
export class FixedDocument {
  private compressed: Promise<Buffer> | undefined;

  constructor(
    private readonly type: string,
    private readonly read: () => Buffer | string,
  ) {}

  async send(request: Request, response: Response): Promise<void> {
    response.setHeader('Content-Type', this.type);
    response.setHeader('Vary', 'Accept-Encoding');
    if (!request.acceptsEncodings('gzip')) return void response.end(this.read());
    this.compressed ??= compress(this.read());
    response.setHeader('Content-Encoding', 'gzip');
    response.end(await this.compressed);
  }
}
