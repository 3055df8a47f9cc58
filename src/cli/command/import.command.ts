import { Command, Option } from 'commander';
import { PEOPLE_FORMATS } from '../../provisioning/people/people-format.js';
import type { ImportCommandOptions, ImportMembersOptions } from '../import.js';

const commands = () => import('../import.js');

export function importCommand(): Command {
  return new Command('import')
    .description('people from a file of any size; all good rows or, interrupted, none')
    .addCommand(usersCommand())
    .addCommand(membersCommand());
}

function fromFile(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<file>', 'CSV with a header, or NDJSON; - reads standard input')
    .requiredOption('--org <slug>', 'the organization')
    .addOption(new Option('--format <format>', 'without it: by the name of the file').choices(PEOPLE_FORMATS))
    .option('--delimiter <character>', 'between the cells of CSV', ',')
    .option('--dry-run', 'check everything, change nothing')
    .option('--json', 'print data, not words');
}

function usersCommand(): Command {
  return fromFile('users', 'create and update users').action(async (file: string, options: ImportCommandOptions) =>
    (await commands()).importUsers(file, options),
  );
}

function membersCommand(): Command {
  return fromFile('members', 'add people to a distribution list')
    .requiredOption('--project <slug>', 'the project')
    .requiredOption('--list <name>', 'the distribution list')
    .action(async (file: string, options: ImportMembersOptions) => (await commands()).importMembers(file, options));
}
