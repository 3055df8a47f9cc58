import { Command } from 'commander';
import { withJson } from '../../print/print.js';
import { withServiceOptions } from '../options.js';
import type { TestChannelOptions } from '../resource/channel.js';

export function channelCommand(): Command {
  return new Command('channel').description('channels of an organization').addCommand(testCommand());
}

function testCommand(): Command {
  const command = new Command('test')
    .description('send a test message; the exit code is 2 if the provider does not accept it')
    .argument('<channel>', 'the channel, such as acme/mail, or acme/shop/hook for one of a project')
    .option('--to <address>', 'address to send to, if the channel needs one')
    .option('--subject <text>', 'subject of the message')
    .option('--text <text>', 'text of the message');
  return withServiceOptions(withJson(command)).action(async (path: string, options: TestChannelOptions) =>
    (await import('../resource/channel.js')).test(path, options),
  );
}
