/** The style that gives a page the colour of its organization, with text on it that can be read. Another value counts as no colour. */
export function accentStyle(color: string | null): string {
  const [, hex] = /^#([0-9a-f]{6})$/i.exec(color ?? '') ?? [];
  if (hex === undefined) return '';
  const [red, green, blue] = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
  const luminance = 0.2126 * linear(red!) + 0.7152 * linear(green!) + 0.0722 * linear(blue!);
  // Where black and white text have the same contrast (WCAG 2).
  return `:root { --accent: #${hex}; --on-accent: ${luminance > 0.179 ? '#000' : '#fff'}; }`;
}

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
