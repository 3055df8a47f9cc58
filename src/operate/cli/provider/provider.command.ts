import { Command } from 'commander';
import { withJson, type PrintOptions } from '../print/print.js';

// Loaded only when a command runs.
const provider = () => import('./provider.js');

export function providerCommand(): Command {
  return new Command('provider')
    .description('list and test provider files')
    .addCommand(
      withJson(new Command('list').description('list the built-in provider files')).action(
        async (options: PrintOptions) => (await provider()).list(options),
      ),
    )
    .addCommand(
      withJson(new Command('show').description('print a built-in provider file'))
        .argument('<type>', 'channel type, such as postmark')
        .action(async (type: string, options: PrintOptions) => (await provider()).show(type, options)),
    )
    .addCommand(
      withJson(
        new Command('describe').description(
          'print what a provider file says, in Markdown: settings, outcomes, reports',
        ),
      )
        .argument('<file>', 'provider file in YAML, or the type of a built-in one')
        .action(async (file: string, options: PrintOptions) => (await provider()).describe(file, options)),
    )
    .addCommand(
      withJson(
        new Command('test').description('check a provider file, and run its examples against a server on this machine'),
      )
        .argument('<file>', 'provider file in YAML')
        .action(async (file: string, options: PrintOptions) => (await provider()).test(file, options)),
    );
}
