import { Command } from 'commander';
import { PERMISSIONS } from '../../../auth/permission.js';
import { ROLE_NAMES } from '../../../auth/role/role.js';
import type { CreateOptions, ListOptions, RevokeOptions } from '../key.js';
import { withJson, withPrintOptions } from '../print/print.js';
import { remoteService, withRemoteOptions } from '../remote/options.js';
import type { RemoteOptions } from '../remote/options.js';

const collect = (value: string, before: string[]) => [...before, value];

// Loaded only when a command runs.
const key = (options: RemoteOptions) =>
  remoteService(options) ? import('../remote/resource/key.js') : import('../key.js');

export function keyCommand(): Command {
  return new Command('key')
    .description('manage API keys')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand());
}

function createCommand(): Command {
  const command = new Command('create')
    .description('create a key and print it; it cannot be shown again')
    .option('--org <slug>', 'organization of the key; over HTTP, left out: the one of your key')
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
    .option('--role <role>', `all permissions of a role: ${ROLE_NAMES.join(', ')}`)
    .option('--all', 'give the key every permission; over HTTP: every permission of your key')
    .option('--expires <time>', 'when the key expires, such as 2030-01-01T00:00:00Z')
    .option('--rate-limit <requests>', 'requests per second that each process allows the key');
  return withRemoteOptions(withJson(command)).action(async (options: CreateOptions) =>
    (await key(options)).create(options),
  );
}

function listCommand(): Command {
  const command = new Command('list')
    .description('list keys; the keys themselves are not stored')
    .option('--org <slug>', 'only keys of this organization');
  return withRemoteOptions(withPrintOptions(command)).action(async (options: ListOptions) =>
    (await key(options)).list(options),
  );
}

function revokeCommand(): Command {
  const command = new Command('revoke')
    .description('revoke a key')
    .argument('<id>', 'id from `key list`')
    .option('--org <slug>', 'over HTTP: organization of the key; left out: the one of your key');
  return withRemoteOptions(withJson(command)).action(async (id: string, options: RevokeOptions) =>
    (await key(options)).revoke(id, options),
  );
}
