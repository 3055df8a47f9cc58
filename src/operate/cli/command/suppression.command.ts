import { Command } from 'commander';
import { withJson, withPrintOptions } from '../print/print.js';
import { remoteService, withRemoteOptions } from '../remote/options.js';
import type { RemoteOptions } from '../remote/options.js';
import type { AddSuppressionOptions, LiftSuppressionOptions, ListSuppressionsOptions } from '../suppression.js';

// Loaded only when a command runs.
const suppression = (options: RemoteOptions) =>
  remoteService(options) ? import('../remote/resource/suppression.js') : import('../suppression.js');

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
    .option('--org <slug>', 'organization; over HTTP, left out: the one of your key')
    .option('--project <slug>', 'only those of this project')
    .option('--address <address>', 'only this address')
    .option('--cause <cause>', 'only with this cause: hard_bounce, complaint, stop, manual');
  return withRemoteOptions(withPrintOptions(command)).action(async (options: ListSuppressionsOptions) =>
    (await suppression(options)).list(options),
  );
}

function addCommand(): Command {
  const command = new Command('add')
    .description('suppress an address')
    .option('--org <slug>', 'organization; over HTTP, left out: the one of your key')
    .option('--project <slug>', 'stop only messages of this project')
    .option('--name <kind>', 'kind of address, such as email or phone', 'email')
    .requiredOption('--value <address>', 'the address')
    .option('--cause <cause>', 'hard_bounce, complaint, stop, manual', 'manual')
    .option('--note <text>', 'why')
    .option('--expires <time>', 'when it ends by itself, such as 2030-01-01T00:00:00Z');
  return withRemoteOptions(withJson(command)).action(async (options: AddSuppressionOptions) =>
    (await suppression(options)).add(options),
  );
}

function liftCommand(): Command {
  const command = new Command('lift')
    .description('lift a suppression: the address gets messages again')
    .argument('<id>', 'id from `suppression list`')
    .option('--org <slug>', 'over HTTP: the organization; left out: the one of your key');
  return withRemoteOptions(withJson(command)).action(async (id: string, options: LiftSuppressionOptions) =>
    (await suppression(options)).lift(id, options),
  );
}
