import { Injectable } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/prisma/client.js';
import { Database } from './database.js';

/** Everyday queries, over the same pool as the hot ones. */
@Injectable()
export class PrismaService extends PrismaClient {
  constructor(database: Database) {
    super({ adapter: new PrismaPg(database.pool) });
  }
}
