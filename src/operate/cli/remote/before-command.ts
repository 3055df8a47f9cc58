import type { Command } from 'commander';
import { CommandError } from '../print/print.js';
import { withRemoteOptions } from './options.js';

const NAMES = ['url', 'key', 'profile', 'database'];

/** Accepts the options that choose a service before the name of a command, too: `carillon --url ... trigger ...`. */
export function acceptBeforeCommand(program: Command): Command {
  return withRemoteOptions(program).hook('preAction', (_, command) => {
    for (const name of NAMES) {
      const value: unknown = program.getOptionValue(name);
      if (value === undefined || command === program) continue;
      if (!command.options.some((option) => option.attributeName() === name))
        throw new CommandError(`${command.name()} does not take --${name}: it does not use the HTTP API`);
      command.setOptionValue(name, value);
    }
  });
}
