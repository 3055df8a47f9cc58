import { Command } from 'commander';
import type { ApplyCommandOptions } from './apply.js';

export function applyCommand(): Command {
  return new Command('apply')
    .description('make the database agree with a provisioning file; twice changes nothing')
    .argument('<file>', 'YAML; - reads standard input')
    .option('--dry-run', 'print what would change, change nothing')
    .option('--json', 'print data, not words')
    .action(async (file: string, options: ApplyCommandOptions) => (await import('./apply.js')).apply(file, options));
}
