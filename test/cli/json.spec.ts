import { expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from '../../src/operate/cli/command/program.js';

const leaves = (command: Command, path: string[] = []): { path: string; command: Command }[] =>
  command.commands.length === 0
    ? [{ path: path.join(' '), command }]
    : command.commands.flatMap((child) => leaves(child, [...path, child.name()]));

const COMMANDS = leaves(createProgram());

// The log of the service has its own setting, LOG_FORMAT.
const WITHOUT_JSON = ['start'];

it('can print JSON with every command', () => {
  const without = COMMANDS.filter(({ command }) => !command.options.some(({ long }) => long === '--json'));
  expect(without.map(({ path }) => path)).toEqual(WITHOUT_JSON);
});

it('describes every command, argument and option in its help', () => {
  const silent = COMMANDS.flatMap(({ path, command }) => [
    ...(command.description() ? [] : [path]),
    ...command.registeredArguments.filter(({ description }) => !description).map((each) => `${path} ${each.name()}`),
    ...command.options
      .filter(({ hidden, description }) => !hidden && !description)
      .map(({ long }) => `${path} ${long}`),
  ]);
  expect(silent).toEqual([]);
});
