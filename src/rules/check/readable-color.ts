import { contrastOf } from './color.js';
import type { Color } from './color.js';

/** The lowest contrast (WCAG 2.2): of text, and of large text, icons, borders and the focus. */
export const CONTRAST = { text: 4.5, graphic: 3 } as const;

const BLACK: Color = [0, 0, 0];
const WHITE: Color = [255, 255, 255];
const STEPS = 100;

/** Black or white, whichever is easier to read on a color. One of them always has a contrast of more than 4.5. */
export const onColor = (color: Color): Color => (contrastOf(color, BLACK) >= contrastOf(color, WHITE) ? BLACK : WHITE);

/** A color that can be read on a background: the same, if it can be; else as little darker or lighter as it takes. */
export function readableOn(color: Color, background: Color, contrast: number): Color {
  const end = onColor(background);
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(color, end, step / STEPS);
    if (contrastOf(mixed, background) >= contrast) return mixed;
  }
  return end;
}

/** Rounded first, so that the contrast is that of the color which is shown. */
function mix(from: Color, to: Color, share: number): Color {
  const [red, green, blue] = from.map((each, i) => Math.round(each + (to[i]! - each) * share));
  return [red!, green!, blue!];
}

export const hexOf = (color: Color) => `#${color.map((each) => each.toString(16).padStart(2, '0')).join('')}`;
