interface Answer {
  /** Four digits that may be a code. */
  code: string | null;
  /** What follows the word. */
  rest: string;
  /** What follows the code. */
  note: string;
}

const MAX_LENGTH = 1000;

/** An answer that starts with ACK or OK; null: any other. */
export function readTextAnswer(text: string): Answer | null {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const found = /^(?:ack|ok)(?![\p{L}\p{N}])[^\p{L}\p{N}]*(.*)$/iu.exec(line);
  if (!found) return null;
  const rest = found[1]!.slice(0, MAX_LENGTH);
  const [, code = null, note = rest] = /^(\d{4})(?!\p{N})[^\p{L}\p{N}]*(.*)$/u.exec(rest) ?? [];
  return { code, rest, note };
}
