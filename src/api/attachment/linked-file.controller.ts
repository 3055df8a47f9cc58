import { once } from 'node:events';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RateLimits } from '../../auth/quota/rate-limit.js';
import { Public } from '../../auth/require-permission.decorator.js';
import { FileLinks } from '../../engine/file/file-links.js';
import { FileStore } from '../../engine/file/file-store.js';
import { Database } from '../../platform/database/database.js';
import { clientAddress, networkOf } from '../../platform/http/client-address.js';
import { tooMany } from '../../platform/http/limit/too-many.js';
import { notFound, tooManyWrongKeys } from '../../platform/http/problem.js';
import { TenantLimiter } from '../../platform/tenant-limiter.js';
import { FIND_LINKED } from './attachment.sql.js';

interface LinkedRow {
  organizationId: number;
  fileId: string;
  size: number;
  filename: string;
  contentType: string;
}

/** Wrong links of an address in a minute. */
const MAX_WRONG = 100;

/** A download holds two chunks of a file in memory, and a connection to the database for each chunk. */
const LIMITS = { perOrganization: 8, inAll: 32, maxWaiting: 16, waitMs: 5000, refusal: tooMany('downloads') };

/** How long a client may take for one chunk. */
const CHUNK_MS = 30_000;

/** A browser must never run or show them on the address of this service. */
const ACTIVE = /html|xml|svg|script/i;

/** The files behind the links in messages. The signature in the link takes the place of a key. */
@ApiExcludeController()
@Controller('files/:org/:token')
export class LinkedFileController {
  private readonly wrong = new RateLimits<string>(60_000);
  private readonly downloads = new TenantLimiter<number>(LIMITS);

  constructor(
    private readonly database: Database,
    private readonly links: FileLinks,
    private readonly files: FileStore,
  ) {}

  @Get()
  @Public()
  async download(
    @Param() { org = '', token = '' }: Record<string, string>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.find(org, token);
    if (!file) {
      const { waitMs } = this.wrong.take(networkOf(clientAddress(request)), MAX_WRONG);
      throw waitMs > 0 ? tooManyWrongKeys(Math.ceil(waitMs / 1000)) : notFound('file');
    }
    await this.downloads.run(file.organizationId, () => this.send(file, request, response));
  }

  private async find(org: string, token: string): Promise<LinkedRow | undefined> {
    const linked = this.links.verify(token);
    if (!linked) return undefined;
    const values = [org.toLowerCase(), linked.occurrence, linked.position];
    return (await this.database.query<LinkedRow>('find-linked-file', FIND_LINKED, values)).rows[0];
  }

  private async send(file: LinkedRow, request: Request, response: Response): Promise<void> {
    const { filename, contentType, size, organizationId, fileId } = file;
    response.status(200).set({
      'Content-Type': ACTIVE.test(contentType) ? 'application/octet-stream' : contentType,
      'Content-Length': String(size),
      'Content-Disposition': `attachment; filename="${filename.replace(/[^ -~]|["\\\\%]/g, '_')}"; filename*=UTF-8''${encoded(filename)}`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    });
    if (request.method !== 'HEAD')
      for await (const chunk of this.files.read(organizationId, fileId))
        if (!response.write(chunk) && !(await drained(response))) return void response.destroy();
    response.end();
  }
}

const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** False: the client has left, or reads too slowly. */
async function drained(response: Response): Promise<boolean> {
  if (response.destroyed) return false;
  const ended = new AbortController();
  const end = () => ended.abort();
  const timer = setTimeout(end, CHUNK_MS);
  response.once('close', end);
  try {
    await once(response, 'drain', { signal: ended.signal });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    response.off('close', end);
  }
}
