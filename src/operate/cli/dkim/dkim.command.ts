import { Command } from 'commander';
import { withJson } from '../print/print.js';
import type { CreateDkimOptions, DkimRecordOptions } from './dkim.js';

// Loaded only when a command runs.
const dkim = () => import('./dkim.js');

export function dkimCommand(): Command {
  return new Command('dkim')
    .description('make the keys that sign mails, and the DNS records that publish them')
    .addCommand(createCommand())
    .addCommand(recordCommand());
}

const withSelector = (command: Command) =>
  command.option('--selector <name>', 'name of the key in DNS (default: a letter and the date)');

function createCommand(): Command {
  const command = new Command('create')
    .description('make a key, and print it with its DNS record; it is not stored')
    .argument('<domain>', 'domain that signs, such as acme.test')
    .option('--type <type>', 'rsa, or ed25519 for a second key', 'rsa')
    .option('--out <file>', 'new file for the private key, instead of printing it');
  return withJson(withSelector(command)).action(async (domain: string, options: CreateDkimOptions) =>
    (await dkim()).create(domain, options),
  );
}

function recordCommand(): Command {
  const command = new Command('record')
    .description('print the DNS record of a key that you have')
    .argument('<domain>', 'domain that signs, such as acme.test')
    .argument('<file>', 'private key in PEM format')
    .requiredOption('--selector <name>', 'name of the key in DNS');
  return withJson(command).action(async (domain: string, file: string, options: DkimRecordOptions) =>
    (await dkim()).record(domain, file, options),
  );
}
