import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { TenantLimiter } from '../../tenant-limiter.js';
import { tooMany } from './too-many.js';

/** An upload is in memory until it is answered: eight of 16 MB are as much as all unread answers may take. */
const LIMITS = { perOrganization: 1, inAll: 8, maxWaiting: 0, refusal: tooMany('uploads') };

/** Limits uploads, from before their body is read until they are answered. Further ones are refused at once. */
@Injectable()
export class UploadShares extends TenantLimiter<number> {
  constructor() {
    super(LIMITS);
  }

  enter(tenant: number, response: ServerResponse): void {
    // The client left while its key was looked up: nothing would release the share.
    if (response.destroyed) return;
    if (!this.take(tenant)) throw this.refusal(tenant);
    response.once('close', () => this.release(tenant));
  }

  /** Memory has an end: nobody is due a share. */
  protected override dueOf(): number {
    return 0;
  }
}
