import { Module } from '@nestjs/common';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiKeyStore } from '../auth/api-key-store.js';
import { ScopeService } from '../auth/scope.service.js';
import { readConfig } from '../config/config.js';
import { ConfigModule } from '../config/config.module.js';
import { CarillonLogger } from '../config/log.js';
import { migrate } from '../prisma/migrate.js';
import { openDatabase } from '../prisma/open-database.js';
import { PrismaModule } from '../prisma/prisma.module.js';
import { StoredBytes } from '../quota/stored-bytes.js';
import { SecretModule } from '../secret/secret.module.js';

/** The services of every command: the database and the keys. The whole service would take twice the CPU time to load. */
@Module({ providers: [StoredBytes, ApiKeyStore, ScopeService] })
class CommandModule {}

/**
 * Runs a command, with or without a running server. Starts the embedded database if it does not run yet. `modules`: what the command
 * needs beyond the database and the keys.
 */
export async function withServices<Result>(
  work: (services: INestApplicationContext) => Promise<Result>,
  modules: Type[] = [],
): Promise<Result> {
  const config = readConfig();
  const database = await openDatabase(config, 'command');
  try {
    await migrate(database.url);
    const logger = new CarillonLogger(
      {
        logLevel: config.logLevel === 'debug' ? 'debug' : 'error',
        logFormat: 'pretty',
      },
      'stderr',
    );
    const imports = [ConfigModule.with(config), SecretModule, PrismaModule.with(database.url), ...modules];
    const services = await NestFactory.createApplicationContext(
      { module: CommandModule, imports },
      { logger, abortOnError: false },
    );
    try {
      return await work(services);
    } finally {
      await services.close();
    }
  } finally {
    await database.close();
  }
}
