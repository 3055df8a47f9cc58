import { suggest } from '../../../platform/field/error/closest.js';

/** The elements of MJML that we convert. */
const KNOWN = [
  ...['mjml', 'mj-head', 'mj-body', 'mj-attributes', 'mj-all', 'mj-class', 'mj-breakpoint', 'mj-font', 'mj-preview'],
  ...['mj-style', 'mj-title', 'mj-accordion', 'mj-accordion-element', 'mj-accordion-title', 'mj-accordion-text'],
  ...['mj-button', 'mj-column', 'mj-divider', 'mj-group', 'mj-hero', 'mj-image', 'mj-navbar', 'mj-navbar-link'],
  ...['mj-raw', 'mj-section', 'mj-social', 'mj-social-element', 'mj-spacer', 'mj-table', 'mj-text', 'mj-wrapper'],
];

/** Elements that we refuse, and why. */
const REFUSED: Readonly<Record<string, string>> = {
  'mj-include': "cannot be used: write a partial, and {% render 'its-slug' %} in mj-raw or mj-text",
  'mj-carousel': 'cannot be used: its HTML grows with the square of its images, and few mail programs show it',
  'mj-html-attributes': 'cannot be used: the conversion does not know it',
};

/** The elements of HTML that have no end tag. */
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/** The converter fails at about 400 levels of some elements. */
const MAX_DEPTH = 100;

/** In characters. An attribute can be repeated in the HTML of each element, and those of `mj-attributes` are. */
const MAX_REPEATED = 16 * 1024 * 1024;

/** What the tags of a source say about it. */
class Elements {
  #open: string[] = [];
  #htmlDepth = 0;
  #count = 0;
  #longest = 0;
  #shared = 0;

  /** Why this tag cannot be, or null. */
  add(name: string, tag: string): string | null {
    this.#count += 1;
    this.#longest = Math.max(this.#longest, tag.length);
    if (this.#open.includes('mj-attributes')) this.#shared += tag.length;
    if (this.#count * (this.#longest + this.#shared) > MAX_REPEATED) return 'is too much: the HTML would be too large';
    const isEnd = tag.startsWith('</');
    const isAlone = tag.endsWith('/>') || VOID.has(name);
    if (!isMjml(name)) {
      this.#htmlDepth = Math.max(0, this.#htmlDepth + (isAlone ? 0 : isEnd ? -1 : 1));
      return this.#htmlDepth > MAX_DEPTH ? TOO_DEEP : null;
    }
    if (isEnd) return this.#close(name);
    if (REFUSED[name]) return REFUSED[name];
    if (!KNOWN.includes(name)) return `is not an element of MJML${suggest(name, KNOWN)}`;
    if (!isAlone) this.#open.push(name);
    return this.#open.length > MAX_DEPTH ? TOO_DEEP : null;
  }

  /** The element that has no end tag. */
  get open(): string | undefined {
    return this.#open.at(-1);
  }

  #close(name: string): string | null {
    if (this.#open.at(-1) !== name)
      return this.open ? `closes nothing here: <${this.open}> is open` : 'closes nothing here';
    this.#open.pop();
    this.#htmlDepth = 0;
    return null;
  }
}

const TOO_DEEP = `is inside more than ${MAX_DEPTH} others`;
const isMjml = (name: string) => name === 'mjml' || name.startsWith('mj-');

/** What the converter would leave out without a word, or would not survive: the first such problem, with its line. */
export function elementProblem(source: string): string | null {
  const elements = new Elements();
  const at = (position: number) => `line:${source.slice(0, position).split('\n').length}`;
  for (let start = source.indexOf('<'); start !== -1; start = source.indexOf('<', start)) {
    const end = endOfTag(source, start);
    if (end === -1) return `has a tag without an end, ${at(start)}`;
    const name = /^<\/?([a-z][\w:-]*)/i.exec(source.slice(start, Math.min(end, start + 60)))?.[1]?.toLowerCase();
    const problem = name && elements.add(name, source.slice(start, end));
    if (problem) return `<${source[start + 1] === '/' ? '/' : ''}${name}> ${problem}, ${at(start)}`;
    start = end;
  }
  return elements.open ? `<${elements.open}> has no end tag` : null;
}

/** Where the tag, comment or the like that starts here ends; -1: nowhere. */
function endOfTag(source: string, start: number): number {
  for (const [open, close] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
  ] as const)
    if (source.startsWith(open, start)) return after(source, close, start);
  let position = start + 1;
  for (; position < source.length && source[position] !== '>'; position++) {
    const quote = source[position];
    if (quote !== '"' && quote !== "'") continue;
    position = source.indexOf(quote, position + 1);
    if (position === -1) return -1;
  }
  return position < source.length ? position + 1 : -1;
}

function after(source: string, close: string, from: number): number {
  const found = source.indexOf(close, from);
  return found === -1 ? -1 : found + close.length;
}
