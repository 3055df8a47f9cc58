import { Command } from 'commander';
import { withPrintOptions } from '../print/print.js';
import type { PrintOptions } from '../print/print.js';

export function doctorCommand(): Command {
  const command = new Command('doctor').description(
    'check configuration, database, migrations, clock, mail domains and settings of channels; show the size of each table',
  );
  return withPrintOptions(command).action(async (options: PrintOptions) =>
    (await import('../doctor.js')).doctor(options),
  );
}
