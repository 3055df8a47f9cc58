import { Command } from 'commander';
import { withPrintOptions } from '../print/print.js';
import type { PrintOptions } from '../print/print.js';
import type { AddSuppressionOptions, ListSuppressionsOptions } from '../suppression.js';

// Loaded only when a command runs.
const suppression = () => import('../suppression.js');

export function suppressionCommand(): Command {
  return new Command('suppression')
    .description('addresses that get no messages')
    .addCommand(listCommand())
    .addCommand(addCommand())
    .addCommand(liftCommand());
}

function listCommand(): Command {
  const command = new Command('list')
    .description('list suppressed addresses, oldest first')
    .requiredOption('--org <slug>', 'organization')
    .option('--project <slug>', 'only those of this project')
    .option('--address <address>', 'only this address')
    .option('--cause <cause>', 'only with this cause: hard_bounce, complaint, stop, manual');
  return withPrintOptions(command).action(async (options: ListSuppressionsOptions) =>
    (await suppression()).list(options),
  );
}

function addCommand(): Command {
  return new Command('add')
    .description('suppress an address')
    .requiredOption('--org <slug>', 'organization')
    .option('--project <slug>', 'stop only messages of this project')
    .option('--name <kind>', 'kind of address, such as email or phone', 'email')
    .requiredOption('--value <address>', 'the address')
    .option('--cause <cause>', 'hard_bounce, complaint, stop, manual', 'manual')
    .option('--note <text>', 'why')
    .option('--expires <time>', 'when it ends by itself, such as 2030-01-01T00:00:00Z')
    .option('--json', 'print JSON')
    .action(async (options: AddSuppressionOptions) => (await suppression()).add(options));
}

function liftCommand(): Command {
  return new Command('lift')
    .description('lift a suppression: the address gets messages again')
    .argument('<id>', 'id from `suppression list`')
    .option('--json', 'print JSON')
    .action(async (id: string, options: PrintOptions) => (await suppression()).lift(id, options));
}
