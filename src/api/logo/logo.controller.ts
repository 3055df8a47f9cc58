import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { RateLimits } from '../../auth/quota/rate-limit.js';
import { Public } from '../../auth/require-permission.decorator.js';
import { FileStore } from '../../engine/file/file-store.js';
import { Database } from '../../platform/database/database.js';
import { SLUG } from '../../platform/field/slug.js';
import { clientAddress, networkOf } from '../../platform/http/client-address.js';
import { notFound, tooManyWrongKeys } from '../../platform/http/problem.js';
import { readImageHeader } from './image-header.js';
import { FIND_LOGO } from './logo.sql.js';

interface Logo {
  contentType: string;
  bytes: Buffer;
}

/** Wrong addresses of a network in a minute. */
const MAX_WRONG = 100;

const YEAR_SECONDS = 365 * 24 * 3600;

/** Thousands may open the same mail at the same time. A logo that was removed is shown for a minute at most. */
const CACHE = { maxSize: 16 * 1024 * 1024, ttl: 60_000, sizeCalculation: ({ bytes }: Logo) => bytes.length };

/** Logos, for mail programs and pages. The address holds the hash of the bytes: nobody can guess it, and they never change. */
@ApiExcludeController()
@Controller('logos/:org/:file')
export class LogoController {
  private readonly wrong = new RateLimits<string>(60_000);
  private readonly logos = new LRUCache<string, Logo>(CACHE);

  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
  ) {}

  @Get()
  @Public()
  async show(
    @Param() { org = '', file = '' }: Record<string, string>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const logo = await this.find(org.toLowerCase(), file.toLowerCase());
    if (!logo) {
      const { waitMs } = this.wrong.take(networkOf(clientAddress(request)), MAX_WRONG);
      throw waitMs > 0 ? tooManyWrongKeys(Math.ceil(waitMs / 1000)) : notFound('file');
    }
    response.status(200).set({
      'Content-Type': logo.contentType,
      'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // Applications show it next to their inbox, from other origins.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Robots-Tag': 'noindex',
    });
    response.end(logo.bytes);
  }

  private async find(org: string, file: string): Promise<Logo | undefined> {
    if (!SLUG.test(org) || !/^[0-9a-f]{64}$/.test(file)) return undefined;
    const key = `${org}/${file}`;
    const known = this.logos.get(key);
    if (known) return known;
    const values = [org, Buffer.from(file, 'hex')];
    const { rows } = await this.database.query<{ organizationId: number; id: string }>('find-logo', FIND_LOGO, values);
    if (!rows[0]) return undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of this.files.read(rows[0].organizationId, rows[0].id)) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const { contentType } = readImageHeader(bytes) ?? {};
    if (contentType) this.logos.set(key, { contentType, bytes });
    return contentType && { contentType, bytes };
  }
}
