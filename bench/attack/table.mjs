import { brokenPromises, isBusy } from './verdict.mjs';

const HEADER = ['', 'triggers p50', 'p99', 'reads p50', 'p99', 'memory', '', 'answers to the attacker'];

/** @param {import('./verdict.mjs').Result[]} results */
export function textTable(results) {
  const lines = [HEADER, ...results.map(line)];
  const isText = (column) => column === 0 || column >= 6;
  const widths = HEADER.map((_, column) => Math.max(...lines.map((each) => each[column].length)));
  const pad = (text, column) => (isText(column) ? text.padEnd(widths[column]) : text.padStart(widths[column]));
  return lines.map((each) => each.map(pad).join('  ').trimEnd()).join('\n');
}

function line(result) {
  const { name, memory, quiet, answers } = result;
  const change = (what, key) => `${ms(quiet.before[what][key])} → ${ms(quiet.under[what][key])} ms`;
  return [
    name,
    change('triggers', 'p50'),
    change('triggers', 'p99'),
    change('reads', 'p50'),
    change('reads', 'p99'),
    `${amount(memory.before)} → ${amount(memory.peak)} MB`,
    isBusy(result) ? 'BUSY' : brokenPromises(result).length === 0 ? 'ok' : 'FAILED',
    Object.entries(answers)
      .map(([answer, count]) => `${count.toLocaleString('en')} × ${answer}`)
      .join(', '),
  ];
}

const ms = (value) => (value === Infinity ? 'lost' : amount(value));

const amount = (value) =>
  Number.isNaN(value) ? '–' : value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
