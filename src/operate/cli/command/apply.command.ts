import { Command } from 'commander';
import type { ApplyCommandOptions } from '../apply.js';
import { withPrintOptions } from '../print/print.js';

export function applyCommand(): Command {
  const command = new Command('apply')
    .description('make the database match a provisioning file; applying it again changes nothing')
    .argument('<file>', 'YAML file; - reads standard input')
    .option('--dry-run', 'print the changes without making them; the exit code is 2 if there are any')
    .option('--prune', 'also delete entries that are missing from a list in the file')
    .option('--yes', 'with --prune: do not ask for confirmation');
  return withPrintOptions(command).action(async (file: string, options: ApplyCommandOptions) =>
    (await import('../apply.js')).apply(file, options),
  );
}
