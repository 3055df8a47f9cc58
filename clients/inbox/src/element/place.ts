const GAP = 8;
const LEAST_HEIGHT = 320;

/** Puts the panel below the bell, or above it where there is more room, and inside the window. On a phone the style sheet decides. */
export function place(panel: HTMLElement, bell: HTMLElement): void {
  const { top, bottom, left, right } = bell.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const below = clientHeight - bottom - 2 * GAP;
  const isBelow = below >= LEAST_HEIGHT || below >= top;
  const start = getComputedStyle(bell).direction === 'rtl' ? left : right - panel.offsetWidth;
  const { style } = panel;
  style.left = `${Math.max(GAP, Math.min(start, clientWidth - panel.offsetWidth - GAP))}px`;
  style.top = isBelow ? `${bottom + GAP}px` : 'auto';
  style.bottom = isBelow ? 'auto' : `${clientHeight - top + GAP}px`;
  style.maxHeight = `${Math.min(600, isBelow ? below : top - 2 * GAP)}px`;
}
