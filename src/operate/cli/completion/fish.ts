import { optionsWithValue } from './command-tree.js';
import type { Completion, Offer, OfferedOption } from './command-tree.js';

export function fishScript(all: Completion[]): string {
  const places = all.filter(({ path }) => path !== '').map(({ path }) => quotedForFish(path));
  return `# Completion of carillon for fish.
set -g __carillon_places ${places.join(' ')}
set -g __carillon_values ${optionsWithValue(all).join(' ')}

function __carillon_at
    set -l typed (commandline -opc)
    set -e typed[1]
    set -l place
    set -l value 0
    for word in $typed
        if test $value = 1
            set value 0
        else if contains -- $word $__carillon_values
            set value 1
        else if contains -- (string trim -- "$place $word") $__carillon_places
            set -a place $word
        end
    end
    test "$place" = "$argv"
end

${all.flatMap((each) => [...each.words.map((word) => wordLine(each, word)), ...each.options.map((option) => optionLine(each, option))]).join('\n')}
`;
}

const start = ({ path }: Completion) =>
  `complete -c carillon -n ${quotedForFish(`__carillon_at ${quotedForFish(path)}`)}`;
const about = (description: string) => (description ? ` -d ${quotedForFish(description)}` : '');

const wordLine = (of: Completion, { word, description }: Offer) => `${start(of)} -f -a ${word}${about(description)}`;

function optionLine(of: Completion, { word, description, takesValue, choices }: OfferedOption): string {
  const values = choices.length > 0 ? ` -x -a ${quotedForFish(choices.join(' '))}` : takesValue ? ' -r' : '';
  return `${start(of)} -l ${word.slice(2)}${values}${about(description)}`;
}

/** In single quotes, fish reads only these two after a backslash. */
const quotedForFish = (text: string) => `'${text.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`;
