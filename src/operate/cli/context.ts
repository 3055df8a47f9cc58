import { Module } from '@nestjs/common';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CellModule } from '../../cell/cell.module.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import { CarillonLogger } from '../../platform/config/log.js';
import { PrismaModule } from '../../platform/database/prisma.module.js';
import { SecretModule } from '../../platform/secret/secret.module.js';
import { closeSoon, withDatabase } from './connection.js';

@Module({})
class CommandModule {}

/**
 * Runs a command that needs services of the HTTP API. A short command uses `withConnection` instead. `modules`: what the command needs
 * beyond the database and the secrets.
 */
export function withServices<Result>(
  work: (services: INestApplicationContext) => Promise<Result>,
  modules: Type[] = [],
): Promise<Result> {
  return withDatabase(async (databaseUrl, config) => {
    const logger = new CarillonLogger(
      {
        logLevel: config.logLevel === 'debug' ? 'debug' : 'error',
        logFormat: 'pretty',
      },
      'stderr',
    );
    const imports = [ConfigModule.with(config), SecretModule, PrismaModule.with(databaseUrl), ...modules];
    if (config.cell) imports.push(CellModule);
    const services = await NestFactory.createApplicationContext(
      { module: CommandModule, imports },
      { logger, abortOnError: false },
    );
    try {
      return await work(services);
    } finally {
      await closeSoon(services.close());
    }
  });
}
