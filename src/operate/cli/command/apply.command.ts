import { Command } from 'commander';
import type { ApplyCommandOptions } from '../apply.js';
import { withPrintOptions } from '../print/print.js';
import { withRemoteOptions } from '../remote/options.js';

const commands = () => import('../apply.js');

const withFile = (name: string, description: string) =>
  new Command(name).description(description).argument('<file>', 'YAML file; - reads standard input');

const withPrune = (command: Command) =>
  command.option('--prune', 'also delete entries that are missing from a list in the file');

export function applyCommand(): Command {
  const command = withFile(
    'apply',
    'make an organization match a configuration file; applying it again changes nothing',
  )
    .option('--strict-translations', 'change nothing and fail while translations are missing or outdated')
    .option('--dry-run', 'print the changes without making them; the exit code is 2 if there are any')
    .option('--yes', 'with --prune: do not ask for confirmation');
  return withRemoteOptions(withPrintOptions(withPrune(command))).action(
    async (file: string, options: ApplyCommandOptions) => (await commands()).apply(file, options),
  );
}

export function planCommand(): Command {
  const command = withFile('plan', 'print what apply would change; the exit code is 2 if there is anything');
  return withRemoteOptions(withPrintOptions(withPrune(command))).action(
    async (file: string, options: ApplyCommandOptions) => (await commands()).apply(file, { ...options, dryRun: true }),
  );
}

export function validateCommand(): Command {
  return withFile('validate', 'check a configuration file without a database, a network or the values of secrets')
    .option('--json', 'print JSON')
    .action(async (file: string, options: { json?: boolean }) =>
      (await import('../file/validate.js')).validate(file, options),
    );
}
