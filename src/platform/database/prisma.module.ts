import { Global, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { CONFIG } from '../config/config.js';
import type { Config } from '../config/config.js';
import { CommitGate } from '../http/limit/commit-gate.js';
import { ConnectionShares } from '../http/limit/connection-shares.js';
import { ConnectionWatch } from './connection/connection-watch.js';
import { DATABASE_URL, Database } from './database.js';
import { IdOrders } from './order/id-orders.js';
import { PrismaService } from './prisma.service.js';

const SHARES = {
  provide: ConnectionShares,
  useFactory: ({ databasePoolMax }: Config) => new ConnectionShares(databasePoolMax),
  inject: [CONFIG],
};

@Global()
@Module({})
export class PrismaModule {
  static with(databaseUrl: string): DynamicModule {
    return {
      module: PrismaModule,
      providers: [
        { provide: DATABASE_URL, useValue: databaseUrl },
        Database,
        PrismaService,
        SHARES,
        { provide: CommitGate, useValue: new CommitGate() },
        ConnectionWatch,
        IdOrders,
      ],
      exports: [DATABASE_URL, Database, PrismaService, ConnectionShares, CommitGate, ConnectionWatch, IdOrders],
    };
  }
}
