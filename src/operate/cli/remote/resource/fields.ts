import { visible } from '../../../../platform/config/visible.js';
import { aligned } from '../../print/print.js';

/** One line for each field. */
export function fieldLines(answer: object): string {
  const lines = Object.entries(answer).map(([name, value]) => [`${name}:`, visible(shown(value))]);
  return aligned(lines);
}

const shown = (value: unknown): string =>
  value === null ? '-' : typeof value === 'string' ? value : JSON.stringify(value);
