import { choicesIn, optionsWithValue, quoted } from './command-tree.js';
import type { Completion } from './command-tree.js';

/** `place` becomes the command that was typed so far; `value` is set if the word is the value of an option. */
export function bashScript(all: Completion[]): string {
  const places = all.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  return `# Completion of carillon for bash.
_carillon() {
  local word place='' value='' offered='' i
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ -n $value ]]; then
      value=''
      continue
    fi
    case "$word" in
      ${optionsWithValue(all).join('|')}) value=1 ;;
      -*) ;;
      *)
        case "\${place:+$place }$word" in
          ${places.join('|')}) place="\${place:+$place }$word" ;;
        esac
        ;;
    esac
  done
  if [[ -n $value ]]; then
    case "$place $previous" in
${choicesIn(all)
  .map(({ path, option, choices }) => `      ${quoted(`${path} ${option}`)}) offered=${quoted(choices.join(' '))} ;;`)
  .join('\n')}
    esac
  elif [[ $current == -* ]]; then
    case "$place" in
${all.map(({ path, options }) => `      ${quoted(path)}) offered=${quoted(wordsIn(options))} ;;`).join('\n')}
    esac
  else
    case "$place" in
${all
  .filter(({ words }) => words.length > 0)
  .map(({ path, words }) => `      ${quoted(path)}) offered=${quoted(wordsIn(words))} ;;`)
  .join('\n')}
    esac
  fi
  # Without an offer, bash completes names of files.
  [[ -n $offered ]] && COMPREPLY=($(compgen -W "$offered" -- "$current"))
  return 0
}
complete -o default -F _carillon carillon
`;
}

const wordsIn = (offers: { word: string }[]) => offers.map(({ word }) => word).join(' ');
