import { randomBytes } from 'node:crypto';
import { checkOutput } from '../liquid.js';
import type { RenderPartial } from '../liquid.js';

/**
 * Keeps the HTML of partials out of the conversion of Markdown. A word that no value can guess stands for each partial. Afterwards its HTML
 * replaces the word, or the whole paragraph if there is nothing else in it. Inside a tag it is left out: there it could be the target of a link.
 */
export class MarkdownHoles {
  readonly #word = `hole${randomBytes(12).toString('hex')}x`;
  readonly #html: string[] = [];

  /** The length of all HTML that was put into holes. A captured partial can stand in many. */
  #filled = 0;

  constructor(private readonly render: RenderPartial) {}

  /** A partial may be given another one, captured: it has holes too. */
  readonly leave: RenderPartial = (name, values, render) =>
    `${this.#word}${this.#html.push(this.fill(this.render(name, values, render))) - 1}x`;

  /** Throws if the HTML becomes too large. */
  fill(html: string): string {
    if (this.#html.length === 0) return html;
    const hole = `${this.#word}(\\d+)x`;
    const all = new RegExp(`<p>${hole}</p>|<[^<>]*${hole}[^<>]*>|${hole}`, 'g');
    return html.replace(all, (found, paragraph?: string, inTag?: string, alone?: string) => {
      if (inTag !== undefined) return found.replace(new RegExp(hole, 'g'), '');
      const partial = this.#html[Number(paragraph ?? alone)] ?? '';
      this.#filled += partial.length;
      checkOutput(html.length + this.#filled);
      return partial;
    });
  }
}
