import { Parser } from 'htmlparser2';
import { contrastOf } from './color.js';
import { FIRST_LOOK, isLarge, isUnseen, lookInside } from './look.js';
import type { Look } from './look.js';

/** What a mail tool wants to know about the HTML of a message. */
export interface HtmlFacts {
  images: { src: string; alt: string | null }[];
  links: { href: string; text: string }[];
  /** Texts that are hard to read on their background. */
  faint: { text: string; ratio: number }[];
  /** Characters that readers see, without blanks. */
  visible: number;
  /** False: it is longer or deeper than is looked at. */
  isWhole: boolean;
}

// Nobody sends more on purpose: Gmail shows 102 KB. The parser's work for a closing tag grows with the depth.
const MAX_CHARACTERS = 400_000;
const MAX_DEPTH = 200;
const MAX_ELEMENTS = 20_000;

const MIN_CONTRAST = 4.5;
const MIN_CONTRAST_LARGE = 3;
const UNSEEN = new Set(['style', 'script', 'title', 'head', 'template', 'noscript']);
const MAX_EXCERPT = 60;

interface Element {
  look: Look;
  isUnseen: boolean;
  /** Its text was found to be hard to read. The parser brings it in pieces. */
  isFaint?: true;
}

/** Reads HTML of any size and shape in bounded time. */
export function readHtml(html: string): HtmlFacts {
  return new HtmlReader().read(html);
}

class HtmlReader {
  private readonly facts: HtmlFacts = { images: [], links: [], faint: [], visible: 0, isWhole: true };
  private readonly open: Element[] = [{ look: FIRST_LOOK, isUnseen: false }];
  private elements = 0;
  private link: HtmlFacts['links'][number] | null = null;

  private readonly parser = new Parser(
    {
      onopentag: (name, attributes) => this.openTag(name, attributes),
      onclosetag: (name) => this.closeTag(name),
      ontext: (text) => this.text(text),
    },
    { decodeEntities: true },
  );

  read(html: string): HtmlFacts {
    if (html.length > MAX_CHARACTERS) this.facts.isWhole = false;
    this.parser.write(html.slice(0, MAX_CHARACTERS));
    if (this.facts.isWhole) this.parser.end();
    return this.facts;
  }

  private openTag(name: string, attributes: Record<string, string>): void {
    this.elements++;
    if (this.open.length > MAX_DEPTH || this.elements > MAX_ELEMENTS) {
      this.facts.isWhole = false;
      this.parser.pause();
    }
    const outer = this.open.at(-1)!;
    this.open.push({ look: lookInside(outer.look, name, attributes), isUnseen: outer.isUnseen || UNSEEN.has(name) });
    if (name === 'img') this.image(attributes);
    if (name === 'a' && attributes.href !== undefined) {
      this.link = { href: attributes.href.trim(), text: '' };
      this.facts.links.push(this.link);
    }
  }

  private closeTag(name: string): void {
    if (this.open.length > 1) this.open.pop();
    if (name === 'a') this.link = null;
  }

  private image({ src = '', alt }: Record<string, string>): void {
    this.facts.images.push({ src: src.trim(), alt: alt ?? null });
    if (alt) this.addToLink(alt);
  }

  private text(text: string): void {
    const element = this.open.at(-1)!;
    const words = text.trim();
    if (element.isUnseen || isUnseen(element.look) || words === '') return;
    this.facts.visible += words.length;
    this.addToLink(text);
    const ratio = lowContrastOf(element.look);
    if (ratio === null || element.isFaint) return;
    element.isFaint = true;
    this.facts.faint.push({ text: words.slice(0, MAX_EXCERPT), ratio });
  }

  private addToLink(text: string): void {
    if (this.link && this.link.text.length < MAX_EXCERPT) this.link.text += text.slice(0, MAX_EXCERPT);
  }
}

/** Null: it can be read, or its colors are not known. */
function lowContrastOf(look: Look): number | null {
  if (look.color === null || look.background === null) return null;
  const ratio = contrastOf(look.color, look.background);
  return ratio < (isLarge(look) ? MIN_CONTRAST_LARGE : MIN_CONTRAST) ? ratio : null;
}
