import { autocompletion } from '@codemirror/autocomplete';
import type { CompletionSource } from '@codemirror/autocomplete';
import { wordsAt } from './complete';
import type { Words } from './variable';

/** Long enough for any tag. */
const LOOK_BACK = 20_000;

/** Offers what fits at the cursor. The words are asked for each time: they may change while one types. */
export function liquidCompletion(words: () => Words) {
  const source: CompletionSource = ({ state, pos, explicit }) => {
    const found = wordsAt(state.sliceDoc(Math.max(0, pos - LOOK_BACK), pos), words(), explicit);
    if (!found) return null;
    const options = found.choices.map((choice, i) => ({ ...choice, boost: -i / found.choices.length }));
    return { from: pos - found.length, options, validFor: /^[\w.-]*$/ };
  };
  return autocompletion({ icons: false, override: [source] });
}
