import { Injectable } from '@nestjs/common';
import { tooMany } from '../../platform/http/limit/too-many.js';
import { TenantLimiter } from '../../platform/tenant-limiter.js';

/** A file on its way takes about half a megabyte of memory, and a connection to the database for each chunk of it. */
const LIMITS = { perOrganization: 4, inAll: 32, maxWaiting: 0, refusal: tooMany('files') };

/** Limits the files that are uploaded at the same time. Further ones are refused at once. */
@Injectable()
export class FileShares extends TenantLimiter<number> {
  constructor() {
    super(LIMITS);
  }
}
