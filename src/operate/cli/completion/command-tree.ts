import type { Command, Option } from 'commander';

/** A word that a shell offers. */
export interface Offer {
  word: string;
  description: string;
}

export interface OfferedOption extends Offer {
  takesValue: boolean;
  /** The values that it accepts. Empty: any. */
  choices: readonly string[];
}

/** What can follow a command, such as `key create`. The program itself has the path ''. */
export interface Completion {
  path: string;
  /** Commands, or the values of its first argument. Empty: files. */
  words: Offer[];
  options: OfferedOption[];
}

/** Every command with what can follow it, from the same table that parses the arguments. */
export function completionsOf(program: Command): Completion[] {
  return [at(program, ''), ...below(program, [])];
}

const below = (command: Command, path: string[]): Completion[] =>
  command.commands.flatMap((child) => {
    const place = [...path, child.name()];
    return [at(child, place.join(' ')), ...below(child, place)];
  });

function at(command: Command, path: string): Completion {
  const options = command.options.filter(({ hidden, long }) => !hidden && long).map(offer);
  const help = { word: '--help', description: 'show help', takesValue: false, choices: [] };
  return { path, words: wordsOf(command), options: [...options, help] };
}

function wordsOf(command: Command): Offer[] {
  if (command.commands.length > 0)
    return command.commands.map((child) => ({ word: child.name(), description: child.description() }));
  const choices = command.registeredArguments[0]?.argChoices ?? [];
  return choices.map((word) => ({ word, description: '' }));
}

const offer = ({ long, description, required, optional, argChoices = [] }: Option): OfferedOption => ({
  ...{ word: long!, description },
  takesValue: required || optional,
  choices: argChoices,
});

/** The options that take the next word, in any command. */
export const optionsWithValue = (all: Completion[]): string[] => [
  ...new Set(all.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue).map(({ word }) => word))),
];

/** The options that offer values: `trigger --priority` and its values. */
export const choicesIn = (all: Completion[]): { path: string; option: string; choices: readonly string[] }[] =>
  all.flatMap(({ path, options }) =>
    options.filter(({ choices }) => choices.length > 0).map(({ word, choices }) => ({ path, option: word, choices })),
  );

/** In single quotes, as bash and zsh read them. */
export const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
