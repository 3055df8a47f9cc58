import { Command } from 'commander';
import { withJson } from '../../print/print.js';
import { withServiceOptions } from '../options.js';
import type { CheckChannelOptions, TestChannelOptions } from '../resource/channel.js';

export function channelCommand(): Command {
  return new Command('channel')
    .description('channels of an organization')
    .addCommand(testCommand())
    .addCommand(checkCommand());
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

function checkCommand(): Command {
  const command = new Command('check')
    .description('check the settings at the provider and send nothing; the exit code is 2 if they are not accepted')
    .argument('<channel>', 'the channel, such as acme/sms, or acme/shop/sms for one of a project');
  return withServiceOptions(withJson(command)).action(async (path: string, options: CheckChannelOptions) =>
    (await import('../resource/channel.js')).check(path, options),
  );
}
