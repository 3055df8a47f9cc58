/** @typedef {import('./row.mjs').Row} Row */

export const HEADINGS = ['', 'median', 'range', 'ratio to floor', 'CPU per operation', 'of PostgreSQL'];

/**
 * The cells of a scenario's table: a line for each row, and one below it for its floor.
 * @param {Row[]} rows
 */
export function cells(rows) {
  return rows.flatMap(({ what, unit, service, floorIs, floor, ratio, cpu }) => [
    line(
      what,
      unit,
      service,
      cpu?.service,
      ratio ? `${digits(ratio.median)} (${digits(ratio.min)} to ${digits(ratio.max)})` : '',
    ),
    ...(floor ? [line(`floor: ${floorIs}`, unit, floor, cpu?.floor, '1')] : []),
  ]);
}

const line = (what, unit, { median, min, max }, cpu, ratio) => [
  what,
  `${digits(median)}${unit === '/s' ? unit : ` ${unit}`}`,
  `${digits(min)} to ${digits(max)}`,
  ratio,
  cpu ? `${digits(cpu.ownMs)} ms` : '',
  cpu ? `${digits(cpu.postgresMs)} ms` : '',
];

/** Three digits that mean something; a dash for what is not known. */
export function digits(value) {
  if (!Number.isFinite(value)) return '-';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(value < 1 ? 2 : 3)));
}

/** For a terminal: the first column to the left, the others to the right. */
export function textTable(rows) {
  const lines = [HEADINGS, ...cells(rows)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((each) => each[column].length)));
  const pad = (text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]));
  return lines.map((each) => each.map(pad).join('  ').trimEnd()).join('\n');
}

export function markdownTable(rows) {
  const lines = [HEADINGS, HEADINGS.map((_, column) => (column === 0 ? '---' : '--:')), ...cells(rows)];
  return lines.map((each) => `| ${each.join(' | ')} |`).join('\n');
}
