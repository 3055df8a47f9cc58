import { Command } from 'commander';
import { PERMISSIONS } from '../../../auth/permission.js';
import type { CreateOptions, ListOptions } from '../key.js';
import { withPrintOptions } from '../print/print.js';
import type { PrintOptions } from '../print/print.js';

const collect = (value: string, before: string[]) => [...before, value];

// Loaded only when a command runs.
const key = () => import('../key.js');

export function keyCommand(): Command {
  return new Command('key')
    .description('manage API keys')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('create a key and print it; it cannot be shown again')
    .option('--org <slug>', 'organization of the key')
    .option('--project <slug>', 'limit the key to this project')
    .option('--application <slug>', 'limit the key to this application of the project')
    .option('--operator', 'operator key: reaches every organization')
    .requiredOption('--name <name>', 'what the key is for; the ping operation returns this name')
    .option(
      '--permission <permission>',
      `permission of the key; may be repeated: ${PERMISSIONS.join(', ')}`,
      collect,
      [],
    )
    .option('--all', 'give the key every permission')
    .option('--expires <time>', 'when the key expires, such as 2030-01-01T00:00:00Z')
    .option('--rate-limit <requests>', 'requests per second that each process allows the key')
    .option('--json', 'print JSON')
    .action(async (options: CreateOptions) => (await key()).create(options));
}

function listCommand(): Command {
  const command = new Command('list')
    .description('list keys; the keys themselves are not stored')
    .option('--org <slug>', 'only keys of this organization');
  return withPrintOptions(command).action(async (options: ListOptions) => (await key()).list(options));
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description('revoke a key')
    .argument('<id>', 'id from `key list`')
    .option('--json', 'print JSON')
    .action(async (id: string, options: PrintOptions) => (await key()).revoke(id, options));
}
