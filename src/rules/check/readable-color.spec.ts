import { expect, it } from '@jest/globals';
import { parseColor } from './color.js';
import type { Color } from './color.js';
import { CONTRAST, hexOf, onColor, readableOn } from './readable-color.js';

/** Written from WCAG 2.2 a second time, with the constant of its text, so that a mistake in ours shows. */
function ratio(one: Color, other: Color): number {
  const light = ([r, g, b]: Color) => {
    const [R, G, B] = [r, g, b].map((each) =>
      each / 255 <= 0.03928 ? each / 3294.6 : ((each / 255 + 0.055) / 1.055) ** 2.4,
    );
    return R! * 0.2126 + G! * 0.7152 + B! * 0.0722 + 0.05;
  };
  return Math.max(light(one) / light(other), light(other) / light(one));
}

const levels = Array.from({ length: 16 }, (_, i) => i * 17);
const colors = levels.flatMap((red) => levels.flatMap((green) => levels.map((blue): Color => [red, green, blue])));
const BACKGROUNDS = ['#ffffff', '#f5f6f8', '#26292f', '#1c1e22', '#121212', '#000000'];

it.each(BACKGROUNDS)('makes every color readable on %s, and keeps those that are', (given) => {
  const background = parseColor(given)!;
  for (const contrast of Object.values(CONTRAST)) {
    const wrong = colors.filter((color) => {
      const shown = readableOn(color, background, contrast);
      const isKept = hexOf(shown) === hexOf(color);
      return ratio(shown, background) < contrast || (ratio(color, background) >= contrast && !isKept);
    });
    expect(wrong).toEqual([]);
  }
});

it('changes a color as little as it takes', () => {
  const white = parseColor('#ffffff')!;
  const changed = colors.filter((color) => ratio(color, white) < CONTRAST.text);
  // A step is a hundredth of the way to black.
  const most = Math.max(...changed.map((color) => ratio(readableOn(color, white, CONTRAST.text), white)));
  expect(most).toBeLessThan(CONTRAST.text * 1.05);
});

it('has text that can be read on every color', () => {
  expect(colors.filter((color) => ratio(onColor(color), color) < CONTRAST.text)).toEqual([]);
});

it('writes a color as pages do', () => {
  expect(hexOf([26, 127, 5])).toBe('#1a7f05');
});
