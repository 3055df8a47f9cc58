import { Command } from 'commander';
import type { ConsoleOptions } from '../console.js';

export function consoleCommand(): Command {
  return new Command('console')
    .description('print a link that signs you in to the console once, within 15 minutes, with every permission')
    .option('--org <slug>', 'only this organization; default: all organizations')
    .option('--json', 'print JSON')
    .action(async (options: ConsoleOptions) => (await import('../console.js')).openConsole(options));
}
