import { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { migrate } from '../prisma/migrate.js';
import { openDatabase } from '../prisma/open-database.js';
import { print } from './context.js';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the database to the newest schema (start does so too)')
    .option('--json', 'print data, not words')
    .action(async ({ json }: { json?: boolean }) => {
      const database = await openDatabase(readConfig(), 'command');
      try {
        const applied = await migrate(database.url);
        print(json, { applied }, applied.length > 0 ? applied.map((name) => `applied ${name}`).join('\n') : 'nothing to apply');
      } finally {
        await database.close();
      }
    });
}
