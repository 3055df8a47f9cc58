import { Command } from 'commander';
import { PERMISSIONS } from '../../auth/permission.js';
import type { CreateOptions, ListOptions } from '../key.js';

const collect = (value: string, before: string[]) => [...before, value];

// The services behind a command take a second to load: not before one is really run.
const key = () => import('../key.js');

export function keyCommand(): Command {
  return new Command('key')
    .description('API keys')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('create a key and print it, this once')
    .option('--org <slug>', 'the organization it belongs to')
    .option('--project <slug>', 'only this project of it')
    .option('--application <slug>', 'only this application of the project')
    .option('--operator', 'no organization: reaches all of them')
    .requiredOption('--name <name>', 'what it is for; the ping operation answers it')
    .option('--permission <permission>', `may be repeated: ${PERMISSIONS.join(', ')}`, collect, [])
    .option('--all', 'every permission')
    .option('--expires <time>', 'when it stops working, such as 2030-01-01T00:00:00Z')
    .option('--rate-limit <requests>', 'requests a second that each process lets it make')
    .option('--json', 'print data, not words')
    .action(async (options: CreateOptions) => (await key()).create(options));
}

function listCommand(): Command {
  return new Command('list')
    .description('list keys; their texts are stored nowhere')
    .option('--org <slug>', 'only those of this organization')
    .option('--json', 'print data, not words')
    .action(async (options: ListOptions) => (await key()).list(options));
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description('refuse a key from now on')
    .argument('<id>', 'as `carillon key list` shows it')
    .option('--json', 'print data, not words')
    .action(async (id: string, { json }: ListOptions) => (await key()).revoke(id, json));
}
