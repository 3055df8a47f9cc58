/** @typedef {import('../measure/row.mjs').Row} Row */

const HEADINGS = ['', 'median', 'range', 'ratio to floor'];
const CPU_HEADINGS = ['CPU per operation', 'of PostgreSQL'];

/**
 * The lines of a scenario's table: the headings, then each row followed by its floor.
 * @param {Row[]} rows
 */
function lines(rows) {
  const hasCpu = rows.some(({ cpu }) => cpu);
  return [
    [...HEADINGS, ...(hasCpu ? CPU_HEADINGS : [])],
    ...rows.flatMap(({ what, unit, service, floorIs, floor, ratio, cpu }) => [
      [...figures(what, unit, service), between(ratio), ...(hasCpu ? cost(cpu?.service) : [])],
      ...(floor ? [[...figures(`floor: ${floorIs}`, unit, floor), '1', ...(hasCpu ? cost(cpu?.floor) : [])]] : []),
    ]),
  ];
}

const figures = (what, unit, { median, min, max }) => [
  what,
  digits(median) + (unit === '/s' ? unit : ` ${unit}`),
  `${digits(min)} to ${digits(max)}`,
];

const between = (ratio) => (ratio ? `${digits(ratio.median)} (${digits(ratio.min)} to ${digits(ratio.max)})` : '');

const cost = (cpu) => (cpu ? [`${digits(cpu.ownMs)} ms`, `${digits(cpu.postgresMs)} ms`] : ['', '']);

/** The counts of a scenario, for readers who want to check them. */
export function sentence(counts) {
  const parts = Object.entries(counts).map(([what, count]) => `${what} ${count.toLocaleString('en')}`);
  return `Counted: ${parts.join(', ')}.`;
}

/** Three significant digits; a dash for an unknown value. */
function digits(value) {
  if (!Number.isFinite(value)) return '-';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(value < 1 ? 2 : 3)));
}

/** For a terminal: the first column is left-aligned, the others are right-aligned. */
export function textTable(rows) {
  const all = lines(rows);
  const widths = all[0].map((_, column) => Math.max(...all.map((line) => line[column].length)));
  const pad = (text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]));
  return all.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}

export function markdownTable(rows) {
  const [headings, ...rest] = lines(rows);
  const rule = headings.map((_, column) => (column === 0 ? '---' : '--:'));
  return [headings, rule, ...rest].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** How PostgreSQL ran the slowest statement of each row, if the scenario has looked. */
export const plansTable = (plans) =>
  [['', 'rows that PostgreSQL read'], ['---', '---'], ...plans.map(({ what, plan }) => [what, plan])]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n');
