import { choicesIn, optionsWithValue, quoted } from './command-tree.js';
import type { Completion, Offer } from './command-tree.js';

// A variable must not be called path: zsh ties it to PATH.
export function zshScript(all: Completion[]): string {
  const places = all.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  return `#compdef carillon
# Completion of carillon for zsh.
_carillon() {
  local word place='' value='' previous="\${words[CURRENT-1]}" i
  local -a offered
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    if [[ -n $value ]]; then
      value=''
      continue
    fi
    case "$word" in
      (${optionsWithValue(all).join('|')}) value=1 ;;
      (-*) ;;
      (*)
        case "\${place:+$place }$word" in
          (${places.join('|')}) place="\${place:+$place }$word" ;;
        esac
        ;;
    esac
  done
  if [[ -n $value ]]; then
    case "$place $previous" in
${choicesIn(all)
  .map(
    ({ path, option, choices }) =>
      `      (${quoted(`${path} ${option}`)}) offered=(${choices.map((choice) => quoted(choice)).join(' ')}) ;;`,
  )
  .join('\n')}
    esac
  elif [[ "\${words[CURRENT]}" == -* ]]; then
    case "$place" in
${all.map(({ path, options }) => `      (${quoted(path)}) offered=(${described(options)}) ;;`).join('\n')}
    esac
  else
    case "$place" in
${all
  .filter(({ words }) => words.length > 0)
  .map(({ path, words }) => `      (${quoted(path)}) offered=(${described(words)}) ;;`)
  .join('\n')}
    esac
  fi
  if (( \${#offered} )); then
    _describe carillon offered
  else
    _files
  fi
}
# Loaded by itself from fpath, or read with source.
if [[ "\${funcstack[1]}" == _carillon ]]; then
  _carillon "$@"
else
  compdef _carillon carillon
fi
`;
}

/** \`_describe\` takes a word, a colon and its description. */
const described = (offers: Offer[]) =>
  offers.map(({ word, description }) => quoted(description ? `${word}:${description}` : word)).join(' ');
