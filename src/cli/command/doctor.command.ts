import { Command } from 'commander';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'check configuration, database, migrations and clock, say what to do, and show how large each table is',
    )
    .option('--json', 'print data, not words')
    .action(async ({ json }: { json?: boolean }) => (await import('../doctor.js')).doctor(json));
}
