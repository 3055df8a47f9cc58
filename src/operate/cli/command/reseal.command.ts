import { Command } from 'commander';

export function resealCommand(): Command {
  return new Command('reseal')
    .description('encrypt all stored secrets with SECRET_KEY, before you remove SECRET_KEY_PREVIOUS')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => (await import('../reseal.js')).reseal(json));
}
