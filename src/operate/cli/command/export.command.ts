import { Command, Option } from 'commander';
import type { ListOwner } from '../../provisioning/find.js';
import { USER_FILE_FORMATS } from '../../provisioning/user-files/user-file-format.js';
import type { ExportOptions, ExportUsersOptions } from '../export.js';
import { withPrintOptions } from '../print/print.js';
import { withRemoteOptions } from '../remote/options.js';

const commands = () => import('../export.js');

export function exportCommand(): Command {
  return new Command('export')
    .description('write files that apply and import can read')
    .addCommand(configCommand())
    .addCommand(usersCommand())
    .addCommand(membersCommand());
}

const toFile = (name: string, description: string) =>
  withPrintOptions(new Command(name).description(description).requiredOption('--org <slug>', 'the organization'));

const withFormat = (command: Command) =>
  command.addOption(new Option('--format <format>', 'file format').choices(USER_FILE_FORMATS).default('csv'));

function configCommand(): Command {
  const command = toFile('config', 'an organization as a configuration file, without the values of its secrets').option(
    '--no-people',
    'leave out users and list members',
  );
  return withRemoteOptions(command).action(async (options: ExportOptions) =>
    (await commands()).exportOrganization(options),
  );
}

function usersCommand(): Command {
  return withRemoteOptions(withFormat(toFile('users', 'the users of an organization'))).action(
    async (options: ExportUsersOptions) => (await commands()).exportUsers(options),
  );
}

function membersCommand(): Command {
  const command = withFormat(toFile('members', 'the members of a distribution list'))
    .requiredOption('--project <slug>', 'the project')
    .requiredOption('--list <name>', 'the distribution list');
  return withRemoteOptions(command).action(async (options: ExportUsersOptions & ListOwner) =>
    (await commands()).exportMembers(options),
  );
}
