import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { readConfig } from '../config/config.js';
import { CarillonLogger } from '../config/log.js';
import { migrate } from '../prisma/migrate.js';
import { openDatabase } from '../prisma/open-database.js';

/** Runs a command, with or without a running server. Starts the embedded database if it does not run yet. */
export async function withServices<Result>(
  work: (services: INestApplicationContext) => Promise<Result>,
): Promise<Result> {
  const config = readConfig();
  const database = await openDatabase(config, 'command');
  try {
    await migrate(database.url);
    // The role `api`, so that the command runs no worker: only `start` does.
    const quiet = { ...config, role: 'api' as const };
    const logger = new CarillonLogger(
      {
        logLevel: config.logLevel === 'debug' ? 'debug' : 'error',
        logFormat: 'pretty',
      },
      'stderr',
    );
    const services = await NestFactory.createApplicationContext(AppModule.with(quiet, database.url), {
      logger,
      abortOnError: false,
    });
    try {
      return await work(services);
    } finally {
      await services.close();
    }
  } finally {
    await database.close();
  }
}
