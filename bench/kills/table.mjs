/** @typedef {import('./verdict.mjs').Figure} Figure */

/** @param {Figure} figure */
export const isFailure = ({ value, most }) => most !== undefined && value > most;

/** @param {Figure[]} figures */
export function textTable(figures) {
  const lines = figures.map((figure) => [figure.what, amount(figure), allowed(figure), result(figure)]);
  const all = [['', 'value', 'at most', ''], ...lines];
  const widths = all[0].map((_, column) => Math.max(...all.map((line) => line[column].length)));
  const pad = (text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]));
  return all.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}

const amount = ({ value, unit }) => value.toLocaleString('en', { maximumFractionDigits: 1 }) + (unit ? ` ${unit}` : '');

const allowed = ({ most }) => (most === undefined ? '' : most.toLocaleString('en'));

function result(figure) {
  if (figure.most === undefined) return '';
  return isFailure(figure) ? 'FAILED' : 'ok';
}
