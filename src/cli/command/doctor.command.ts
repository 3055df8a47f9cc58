import { Command } from 'commander';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check configuration, database, migrations and clock; show the size of each table')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => (await import('../doctor.js')).doctor(json));
}
