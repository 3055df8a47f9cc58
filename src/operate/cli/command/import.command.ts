import { Command, Option } from 'commander';
import { USER_FILE_FORMATS } from '../../provisioning/user-files/user-file-format.js';
import type { ImportCommandOptions, ImportMembersOptions } from '../import.js';
import { withRemoteOptions } from '../remote/options.js';

const commands = () => import('../import.js');

export function importCommand(): Command {
  return new Command('import')
    .description('read users from a file of any size; imports all valid rows, on the database none if interrupted')
    .addCommand(usersCommand())
    .addCommand(membersCommand());
}

function fromFile(name: string, description: string): Command {
  const command = new Command(name)
    .description(description)
    .argument('<file>', 'CSV with a header line, or NDJSON; - reads standard input')
    .requiredOption('--org <slug>', 'the organization')
    .addOption(new Option('--format <format>', 'file format (default: by the file name)').choices(USER_FILE_FORMATS))
    .option('--delimiter <character>', 'separator of CSV cells', ',')
    .option('--dry-run', 'check the file without changing anything')
    .option('--json', 'print JSON');
  return withRemoteOptions(command);
}

function usersCommand(): Command {
  return fromFile('users', 'create and update users').action(async (file: string, options: ImportCommandOptions) =>
    (await commands()).importUsers(file, options),
  );
}

function membersCommand(): Command {
  return fromFile('members', 'add users to a distribution list')
    .requiredOption('--project <slug>', 'the project')
    .requiredOption('--list <name>', 'the distribution list')
    .action(async (file: string, options: ImportMembersOptions) => (await commands()).importMembers(file, options));
}
