import { Global, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { DATABASE_URL, Database } from './database.js';
import { PrismaService } from './prisma.service.js';

@Global()
@Module({})
export class PrismaModule {
  static with(databaseUrl: string): DynamicModule {
    return {
      module: PrismaModule,
      providers: [{ provide: DATABASE_URL, useValue: databaseUrl }, Database, PrismaService],
      exports: [DATABASE_URL, Database, PrismaService],
    };
  }
}
