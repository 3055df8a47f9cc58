// Control characters, and those that change the direction of text. A terminal obeys them: a name could move the cursor, rewrite lines
// above it, or set the clipboard.
const UNSAFE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

const escaped = (character: string) => {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`;
};

/** A text from outside, safe to print on one line of a terminal. */
export const visible = (text: string) => text.replace(UNSAFE, escaped);

/** The same for a text of several lines. */
export const visibleLines = (text: string) =>
  text.replace(UNSAFE, (character) => (character === '\n' || character === '\t' ? character : escaped(character)));
