/** Red, green and blue, 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

const NAMED: Readonly<Record<string, string>> = {
  ...{ black: '#000000', silver: '#c0c0c0', gray: '#808080', grey: '#808080', white: '#ffffff', maroon: '#800000' },
  ...{ red: '#ff0000', purple: '#800080', fuchsia: '#ff00ff', magenta: '#ff00ff', green: '#008000', lime: '#00ff00' },
  ...{ olive: '#808000', yellow: '#ffff00', navy: '#000080', blue: '#0000ff', teal: '#008080', aqua: '#00ffff' },
  ...{ cyan: '#00ffff', orange: '#ffa500', pink: '#ffc0cb', gold: '#ffd700', brown: '#a52a2a', darkgray: '#a9a9a9' },
  ...{ lightgray: '#d3d3d3', lightgrey: '#d3d3d3', dimgray: '#696969', whitesmoke: '#f5f5f5', gainsboro: '#dcdcdc' },
};

/** Null: not a color that mail programs agree on, or one that shows what is below it. */
export function parseColor(given: string): Color | null {
  const value = given.trim().toLowerCase();
  return parseHex(NAMED[value] ?? value) ?? parseRgb(value);
}

function parseHex(value: string): Color | null {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(value)?.[1];
  if (digits === undefined) return null;
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const [red, green, blue] = [0, 2, 4].map((at) => parseInt(long.slice(at, at + 2), 16));
  return [red!, green!, blue!];
}

/** `rgb(1, 2, 3)` or `rgb(1 2 3)`, or with an alpha of 1. */
function parseRgb(value: string): Color | null {
  const inside = /^rgba?\(([\d.,/\s]{1,60})\)$/.exec(value)?.[1];
  if (inside === undefined) return null;
  const [red, green, blue, alpha = 1, more] = inside
    .split(/[\s,/]+/)
    .filter(Boolean)
    .map(Number);
  if (red === undefined || green === undefined || blue === undefined || alpha !== 1 || more !== undefined) return null;
  const color: Color = [red, green, blue];
  return color.every((each) => each >= 0 && each <= 255) ? color : null;
}

/** From 1, the same color, to 21, black on white (WCAG 2.2). */
export function contrastOf(one: Color, other: Color): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(color: Color): number {
  const [red, green, blue] = color.map((each) => {
    const share = each / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
