import { Command } from 'commander';
import { withJson } from '../../print/print.js';
import { JSON_INPUT } from '../json-input.js';
import { withServiceOptions } from '../options.js';
import type {
  DeleteUserOptions,
  GetUserOptions,
  ListUsersOptions,
  PutUserOptions,
  WriteUserOptions,
} from '../resource/user.js';

// Loaded only when a command runs.
const user = () => import('../resource/user.js');

const USER = 'the user, such as acme/ann@example.com';

export function userCommand(): Command {
  return new Command('user')
    .description('users of an organization')
    .addCommand(listCommand())
    .addCommand(getCommand())
    .addCommand(createCommand())
    .addCommand(updateCommand())
    .addCommand(putCommand())
    .addCommand(deleteCommand());
}

function listCommand(): Command {
  const command = new Command('list')
    .description('list users')
    .argument('<organization>', 'the organization, such as acme')
    .option('--search <words>', 'only users whose e-mail, names or addresses start with these words')
    .option('--limit <number>', 'at most this many')
    .option('--json', 'print JSON, one line for each user');
  return withServiceOptions(command).action(async (organization: string, options: ListUsersOptions) =>
    (await user()).list(organization, options),
  );
}

function getCommand(): Command {
  const command = new Command('get')
    .description('show a user')
    .argument('<user>', USER)
    .option('--whole', 'with custom fields, addresses, settings, memberships and preferences');
  return withServiceOptions(withJson(command)).action(async (path: string, options: GetUserOptions) =>
    (await user()).get(path, options),
  );
}

const withFields = (command: Command) =>
  command
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--custom-fields <json>', `custom fields; an update merges them: ${JSON_INPUT}`);

function createCommand(): Command {
  const command = withFields(new Command('create').description('create a user').argument('<user>', USER));
  return withServiceOptions(withJson(command)).action(async (path: string, options: WriteUserOptions) =>
    (await user()).create(path, options),
  );
}

function updateCommand(): Command {
  const command = new Command('update')
    .description('change a user; fields that you leave out keep their values')
    .argument('<user>', USER);
  withFields(command)
    .option('--replace-custom-fields <json>', `replace all custom fields: ${JSON_INPUT}`)
    .option('--lock', 'the user receives no messages')
    .option('--unlock', 'the user receives messages again');
  return withServiceOptions(withJson(command)).action(async (path: string, options: WriteUserOptions) =>
    (await user()).update(path, options),
  );
}

function putCommand(): Command {
  const command = new Command('put')
    .description('create a user or replace it as a whole; takes what `user get --whole --json` prints')
    .argument('<user>', USER)
    .requiredOption('--data <json>', `the user: ${JSON_INPUT}`);
  return withServiceOptions(withJson(command)).action(async (path: string, options: PutUserOptions) =>
    (await user()).put(path, options),
  );
}

function deleteCommand(): Command {
  const command = new Command('delete')
    .description('delete a user with their addresses, list memberships and inbox')
    .argument('<user>', USER)
    .option('--erase', 'also erase their data from the history of messages');
  return withServiceOptions(withJson(command)).action(async (path: string, options: DeleteUserOptions) =>
    (await user()).remove(path, options),
  );
}
