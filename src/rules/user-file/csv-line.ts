import { withoutFormula } from './formula.js';

/** Cells as a line of a CSV file, in quotes where they need them, and never as formulas: a spreadsheet would run a text that somebody else chose. */
export const csvLine = (cells: readonly (string | undefined)[], delimiter = ',') =>
  `${cells.map((cell = '') => quoted(withoutFormula(cell))).join(delimiter)}\r\n`;

const quoted = (cell: string) => (/[",;\r\n\t]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
