import { Command } from 'commander';
import { readConfig } from '../../../platform/config/config.js';
import { print } from '../print/print.js';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('apply pending migrations (start does this too)')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => run(json));
}

async function run(json?: boolean): Promise<void> {
  const applied = await migrate();
  const text = applied.map((name) => `applied ${name}`).join('\n') || 'nothing to apply';
  await print({ json }, { applied }, text);
}

async function migrate(): Promise<string[]> {
  const config = readConfig();
  const { openDatabase } = await import('../../../platform/database/open-database.js');
  const { prepareDatabase } = await import('../../../cell/directory/become-cell.js');
  const database = await openDatabase(config, 'command');
  try {
    return await prepareDatabase(database.url, config);
  } finally {
    await database.close();
  }
}
