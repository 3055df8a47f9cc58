import { Command } from 'commander';
import type { ApplyCommandOptions } from '../apply.js';

export function applyCommand(): Command {
  return new Command('apply')
    .description('make the database agree with a provisioning file; twice changes nothing')
    .argument('<file>', 'YAML; - reads standard input')
    .option('--dry-run', 'print what would change, change nothing; exits with 2 when something would')
    .option('--prune', 'also delete what the file does not name, in each list that it holds')
    .option('--yes', 'with --prune: do not ask')
    .option('--json', 'print data, not words')
    .action(async (file: string, options: ApplyCommandOptions) => (await import('../apply.js')).apply(file, options));
}
