import { Command } from 'commander';
import { withPrintOptions } from '../print/print.js';
import { JSON_INPUT } from '../remote/json-input.js';
import type { PreviewOptions } from './preview.js';

export function previewCommand(): Command {
  const command = new Command('preview')
    .description('render the templates of a configuration file without a database, a network or the values of secrets')
    .argument('<file>', 'YAML file; - reads standard input')
    .option('--event <event>', 'only this event, such as shop/web/order-paid')
    .option('--notification <name>', 'only this notification')
    .option('--channel <slug>', 'only templates for this channel')
    .option('--context <json>', `data for the templates: ${JSON_INPUT}`)
    .option('--user <email>', 'a user of the file (default: its first user, or a sample user)')
    .option('--locale <locale>', 'for this locale, such as de-AT (default: that of the user or the organization)')
    .option(
      '--attach <file>',
      'show the message as if it carried a file of this name, which need not exist; may be given again',
      (name, all: string[]) => [...all, name],
      [],
    )
    .option('--html <file>', 'write the HTML of the message, if one template is chosen')
    .option('--open', 'open the HTML of the message in the browser, if one template is chosen');
  return withPrintOptions(command).action(async (file: string, options: PreviewOptions) =>
    (await import('./preview.js')).preview(file, options),
  );
}
