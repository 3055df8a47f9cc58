import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Quotas } from '../../platform/config/quota.js';
import { bodyBytes } from '../../platform/http/body/body-bytes.js';
import { StoredBytes } from './stored-bytes.js';

/** An organization that stores too much may still switch things off. */
const SMALL_BYTES = 1024;

/** A value is stored in its row, and in the audit log. */
const COPIES = 2;

/** Counts the bodies of all operations that store something. The next measurement replaces the sum. */
@Injectable()
export class StoredBodies {
  constructor(private readonly stored: StoredBytes) {}

  /** Refuses a large body of an organization that stores too much, before the body is read, and counts the others. */
  admit(request: IncomingMessage, response: ServerResponse, organizationId: number, quotas: Quotas): void {
    if (mayBeLarge(request)) this.stored.requireSpace(organizationId, quotas);
    response.once('close', () => {
      const bytes = bodyBytes(request);
      if (bytes > 0 && response.statusCode < 300) this.stored.add(organizationId, COPIES * bytes);
    });
  }
}

const mayBeLarge = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SMALL_BYTES;
