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

/** The elements of HTML that have no end tag, as the converter knows them: `BR` is none. */
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/** The converter fails at about 400 levels of some elements. */
const MAX_DEPTH = 100;

/** In characters. An attribute can be repeated in the HTML of each element, and those of `mj-attributes` are. */
const MAX_REPEATED = 16 * 1024 * 1024;

/** What the tags of a source say about it. */
class Elements {
  /** The open elements of MJML, and how many elements each is in. */
  readonly #open: { name: string; depth: number }[] = [];
  #depth = 0;
  #count = 0;
  #longest = 0;
  #shared = 0;

  /** Why this tag cannot be, or null. */
  add(name: string, tag: string): string | null {
    this.#count += 1;
    this.#longest = Math.max(this.#longest, tag.length);
    if (this.#open.some(({ name: open }) => open === 'mj-attributes')) this.#shared += tag.length;
    if (this.#count * (this.#longest + this.#shared) > MAX_REPEATED) return 'is too much: the HTML would be too large';
    const isEnd = tag.startsWith('</');
    const isAlone = tag.endsWith('/>') || VOID.has(name);
    if (isMjml(name) && isEnd) return this.#close(name);
    if (isMjml(name) && REFUSED[name]) return REFUSED[name];
    if (isMjml(name) && !KNOWN.includes(name)) return `is not an element of MJML${suggest(name, KNOWN)}`;
    if (isMjml(name) && !isAlone) this.#open.push({ name, depth: this.#depth });
    this.#depth = Math.max(0, this.#depth + (isAlone ? 0 : isEnd ? -1 : 1));
    return this.#depth > MAX_DEPTH ? TOO_DEEP : null;
  }

  /** The element that has no end tag. */
  get open(): string | undefined {
    return this.#open.at(-1)?.name;
  }

  #close(name: string): string | null {
    if (this.open !== name) return this.open ? `closes nothing here: <${this.open}> is open` : 'closes nothing here';
    this.#depth = this.#open.pop()!.depth;
    return null;
  }
}

const TOO_DEEP = `is inside more than ${MAX_DEPTH} others`;
const isMjml = (name: string) => /^mj(ml$|-)/i.test(name);

/** What the converter would leave out without a word, or would not survive: the first such problem, with its line. */
export function elementProblem(source: string): string | null {
  const elements = new Elements();
  const at = (position: number) => `line:${source.slice(0, position).split('\n').length}`;
  for (let start = source.indexOf('<'); start !== -1; start = source.indexOf('<', start)) {
    const end = endOfTag(source, start);
    if (end === -1) return `has a tag without an end, ${at(start)}`;
    const tag = source.slice(start, end);
    const name = /^<\/?([^\s/>!?]{1,60})/.exec(tag)?.[1];
    const problem = name !== undefined && elements.add(name, tag);
    if (problem) return `<${tag.startsWith('</') ? '/' : ''}${name}> ${problem}, ${at(start)}`;
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
