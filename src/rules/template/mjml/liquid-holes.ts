import { randomBytes } from 'node:crypto';

/**
 * Keeps the Liquid of a source out of its conversion to HTML: `{% if a < b %}` is no MJML. A word that nobody can guess stands for each piece, until
 * `fill` puts it back.
 */
export class LiquidHoles {
  readonly #word = `hole${randomBytes(12).toString('hex')}x`;
  readonly #pieces: string[] = [];
  readonly #lines: number[] = [];

  /** The source without its Liquid, with all its lines. */
  readonly text: string;

  constructor(source: string) {
    const parts: string[] = [];
    let line = 1;
    let at = 0;
    for (const { start, end } of piecesOf(source)) {
      const piece = source.slice(start, end);
      line += lines(source.slice(at, start));
      // The line breaks stay, so that a line of the text is the line of the source.
      parts.push(source.slice(at, start), `${this.#word}${this.#pieces.length}x${'\n'.repeat(lines(piece))}`);
      this.#pieces.push(piece);
      this.#lines.push(line);
      line += lines(piece);
      at = end;
    }
    this.text = parts.join('') + source.slice(at);
  }

  /** Puts the Liquid back. Null if the result would be longer than `most`: one piece can stand at many places. */
  fill(html: string, most: number): string | null {
    let length = html.length;
    const filled = html.replace(this.#hole(), (_, i: string) => {
      const piece = this.#pieces[Number(i)]!;
      length += piece.length;
      return length > most ? '' : piece;
    });
    return length > most ? null : filled;
  }

  /** The lines with Liquid that the HTML does not have. */
  lostIn(html: string): number[] {
    const found = new Set(Array.from(html.matchAll(this.#hole()), ([, i]) => Number(i)));
    return this.#lines.filter((_, i) => !found.has(i));
  }

  #hole(): RegExp {
    return new RegExp(`${this.#word}(\\d+)x`, 'g');
  }
}

const lines = (text: string) => text.split('\n').length - 1;

/** The places of all Liquid that has an end. Each end is looked for once: a source can have a beginning at every second character. */
function* piecesOf(source: string): Generator<{ start: number; end: number }> {
  const open = /\{[{%]/g;
  const endless = new Set<string>();
  for (let found = open.exec(source); found && endless.size < 2; found = open.exec(source)) {
    const close = found[0] === '{{' ? '}}' : '%}';
    const end = endless.has(close) ? -1 : source.indexOf(close, open.lastIndex);
    if (end === -1) {
      endless.add(close);
      continue;
    }
    yield { start: found.index, end: end + 2 };
    open.lastIndex = end + 2;
  }
}
