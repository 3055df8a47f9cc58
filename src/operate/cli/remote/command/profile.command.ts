import { Command } from 'commander';
import { withJson } from '../../print/print.js';
import type { PrintOptions } from '../../print/print.js';
import type { AddProfileOptions } from '../profile/profile.js';

// Loaded only when a command runs.
const profile = () => import('../profile/profile.js');

export function profileCommand(): Command {
  return new Command('profile')
    .description('store addresses of services and their keys, in a file that only you can read')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(useCommand())
    .addCommand(removeCommand());
}

function addCommand(): Command {
  const command = new Command('add')
    .description('store an address and a key under a name; reads the key from a pipe, or asks for it')
    .argument('<name>', 'name of the profile')
    .option('--url <url>', 'address of the service (required), such as https://carillon.example.com')
    .option('--key <key>', 'API key; better leave it out: it would stay in the history of your shell')
    .option('--no-check', 'do not ask the service whether it knows the key');
  return withJson(command).action(async (name: string, options: AddProfileOptions) =>
    (await profile()).add(name, options),
  );
}

function listCommand(): Command {
  const command = new Command('list').description('list the profiles, without their keys');
  return withJson(command).action(async (options: PrintOptions) => (await profile()).list(options));
}

function useCommand(): Command {
  const command = new Command('use')
    .description('make a profile the current one: commands use it unless you name another service')
    .argument('<name>', 'name of the profile');
  return withJson(command).action(async (name: string, options: PrintOptions) => (await profile()).use(name, options));
}

function removeCommand(): Command {
  const command = new Command('remove')
    .description('remove a profile from the file; its key stays valid')
    .argument('<name>', 'name of the profile');
  return withJson(command).action(async (name: string, options: PrintOptions) =>
    (await profile()).remove(name, options),
  );
}
