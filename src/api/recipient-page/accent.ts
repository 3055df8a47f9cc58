import { parseColor } from '../../rules/check/color.js';
import type { Color } from '../../rules/check/color.js';
import { CONTRAST, hexOf, onColor, readableOn } from '../../rules/check/readable-color.js';

/** The backgrounds of a page that has `color-scheme: light dark`, in the browsers of today. */
const LIGHT: Color = [255, 255, 255];
const DARK: Color = [28, 30, 34];

/** The style that gives a page the color of its organization: buttons and the focus can be seen, and text on them can be read. */
export function accentStyle(color: string | null): string {
  const accent = parseColor(color ?? '');
  if (!accent) return '';
  return `${rootStyle(accent, LIGHT)} @media (prefers-color-scheme: dark) { ${rootStyle(accent, DARK)} }`;
}

function rootStyle(accent: Color, background: Color): string {
  const shown = readableOn(accent, background, CONTRAST.graphic);
  return `:root { --accent: ${hexOf(shown)}; --on-accent: ${hexOf(onColor(shown))}; }`;
}
