import { parseColor } from './color.js';
import type { Color } from './color.js';

/** How the text of an element looks, as far as attributes say so. */
export interface Look {
  /** Null: not known. */
  color: Color | null;
  background: Color | null;
  /** Pixels; null: not known. */
  size: number | null;
  isBold: boolean;
  /** Also if what is inside has another size. Text of the size 0 is hidden, too. */
  isHidden: boolean;
}

export const FIRST_LOOK: Look = { color: null, background: null, size: null, isBold: false, isHidden: false };

type Attributes = Readonly<Record<string, string>>;

/** Sizes of headings that most mail programs use. */
const HEADINGS: Readonly<Record<string, number>> = { h1: 32, h2: 24, h3: 19 };

/** The look of an element inside another one. */
export function lookInside(outer: Look, name: string, attributes: Attributes): Look {
  const style = declarations(attributes.style ?? '');
  return {
    color: colorOf(outer, name, style, attributes),
    background: backgroundOf(outer, style, attributes),
    size: sizeOf(style.get('font-size')) ?? HEADINGS[name] ?? outer.size,
    isBold: boldOf(outer, name, style.get('font-weight')),
    isHidden: outer.isHidden || hides(style) || 'hidden' in attributes,
  };
}

/** Whether text is not seen. MJML gives outer elements the size 0, and those inside their own. */
export const isUnseen = ({ isHidden, size }: Look): boolean => isHidden || size === 0;

/** Text of this size can be read with less contrast (WCAG 2.2). */
export const isLarge = ({ size, isBold }: Look): boolean => size !== null && (size >= 24 || (isBold && size >= 18.66));

function declarations(style: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const each of style.split(';')) {
    const at = each.indexOf(':');
    if (at < 0) continue;
    const value = each.slice(at + 1).toLowerCase();
    found.set(each.slice(0, at).trim().toLowerCase(), value.replace('!important', '').trim());
  }
  return found;
}

type Style = ReadonlyMap<string, string>;

function colorOf(outer: Look, name: string, style: Style, attributes: Attributes): Color | null {
  const given = style.get('color') ?? (name === 'font' ? attributes.color : undefined);
  if (given === 'inherit') return outer.color;
  if (given !== undefined) return parseColor(given);
  // Mail programs and style sheets give links a color of their own.
  return name === 'a' ? null : outer.color;
}

function backgroundOf(outer: Look, style: Style, attributes: Attributes): Color | null {
  if (attributes.background !== undefined || style.has('background-image')) return null;
  const given = lastOf(style, ['background-color', 'background']) ?? attributes.bgcolor;
  if (given === undefined || /^(transparent|none|inherit)$/.test(given)) return outer.background;
  // A shorthand may have an image, or a position beside its color.
  if (given.includes('url(') || given.includes('gradient')) return null;
  return parseColor(given) ?? parseColor(given.split(/\s/, 1)[0]!);
}

/** The value of the declaration that counts: of two that mean the same, the later one. */
function lastOf(style: Style, properties: readonly string[]): string | undefined {
  return [...style].findLast(([property]) => properties.includes(property))?.[1];
}

function sizeOf(given: string | undefined): number | null {
  const [, number, unit] = /^(\d{1,4}(?:\.\d{1,4})?)(px|pt)$/.exec(given ?? '') ?? [];
  if (/^0(em|rem|%)?$/.test(given ?? '')) return 0;
  return number === undefined ? null : Number(number) * (unit === 'pt' ? 4 / 3 : 1);
}

function boldOf(outer: Look, name: string, weight: string | undefined): boolean {
  if (weight !== undefined) return weight === 'bold' || Number(weight) >= 600;
  return outer.isBold || /^(b|strong|th|h[1-6])$/.test(name);
}

/** As the preview lines of newsletters, which only the list of mails shows. */
function hides(style: Style): boolean {
  const isNothing = (property: string) => /^0(px|em|%)?$/.test(style.get(property) ?? '');
  return (
    style.get('display') === 'none' || style.get('visibility') === 'hidden' || ['max-height', 'opacity'].some(isNothing)
  );
}
