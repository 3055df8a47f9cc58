import { randomBytes } from 'node:crypto';
import type { RenderPartial } from '../liquid.js';

/**
 * Keeps the HTML of partials out of the conversion of Markdown. A word that no value can guess stands for each partial. Afterwards its HTML
 * replaces the word, or the whole paragraph if there is nothing else in it. Inside a tag it is left out: there it could be the target of a link.
 */
export class MarkdownHoles {
  readonly #word = `hole${randomBytes(12).toString('hex')}x`;
  readonly #html: string[] = [];

  constructor(private readonly render: RenderPartial) {}

  readonly leave: RenderPartial = (name, values, render) =>
    `${this.#word}${this.#html.push(this.render(name, values, render)) - 1}x`;

  fill(html: string): string {
    if (this.#html.length === 0) return html;
    const hole = `${this.#word}(\\d+)x`;
    const all = new RegExp(`<p>${hole}</p>|<[^<>]*${hole}[^<>]*>|${hole}`, 'g');
    return html.replace(all, (found, paragraph?: string, inTag?: string, alone?: string) => {
      if (inTag !== undefined) return found.replace(new RegExp(hole, 'g'), '');
      return this.#html[Number(paragraph ?? alone)] ?? '';
    });
  }
}
