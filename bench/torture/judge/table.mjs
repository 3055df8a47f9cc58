import { median } from '../../measure/statistics.mjs';
import { repeatsOf } from './repeats.mjs';
import { recoveries } from './recovery.mjs';
import { isBroken, repeatsPerFault } from './verdict.mjs';

/** What each kind of fault is, in words. */
const KINDS = {
  kill: 'SIGKILL of a process',
  stop: 'SIGSTOP of a process',
  crash: 'crash of PostgreSQL',
  terminate: 'sessions ended by PostgreSQL',
  connections: 'no connections left',
  disk: 'full disk',
  network: 'black hole to PostgreSQL',
  answer: 'one answer of PostgreSQL lost',
  provider: 'misbehaving provider',
};

/**
 * The tables of a run, as Markdown: the whole in one line, and then in detail.
 * @param {import('./facts.mjs').Facts} facts
 * @param {import('./verdict.mjs').Figure[]} figures
 * @param {[string, number][]} operations
 * @param {string[]} steady organizations whose provider never misbehaved
 */
export function tables(facts, figures, operations, steady) {
  const repeats = repeatsPerFault(facts.faults, repeatsOf(facts));
  const recovered = recoveries(facts, steady);
  return [
    table(
      ['operations', 'faults', 'lost', 'duplicate rows', 'repeats per kill', 'stuck', 'recovery'],
      [summary(facts, figures, repeats, recovered)],
    ),
    table(
      ['operations', 'number'],
      operations.map(([what, count]) => [what, amount(count)]),
    ),
    table(
      ['fault', 'number', 'repeats, median', 'repeats, most', 'recovery, median', 'recovery, longest'],
      faultRows(facts, repeats, recovered),
    ),
    table(['promise', 'found', 'at most', ''], figures.map(figureRow)),
  ].join('\n\n');
}

function summary({ ledger, faults, calls }, figures, repeats, recovered) {
  const found = (beginning) =>
    figures.filter(({ what }) => what.startsWith(beginning)).reduce((sum, { value }) => sum + value, 0);
  const perKill = repeats.filter((_, number) => faults[number].kind === 'kill');
  return [
    `${amount(ledger.accepted.size)} triggers, ${amount(calls.size)} messages`,
    amount(faults.length),
    amount(found('lost')),
    amount(found('duplicate')),
    perKill.length === 0 ? '' : `median ${amount(median(perKill))}, most ${amount(Math.max(...perKill))}`,
    amount(found('stuck')),
    faults.length === 0 ? '' : `median ${seconds(median(recovered))}, longest ${seconds(Math.max(...recovered))}`,
  ];
}

function faultRows({ faults }, repeats, recovered) {
  return Object.entries(KINDS).map(([kind, what]) => {
    const of = (values) => values.filter((_, number) => faults[number].kind === kind);
    const count = of(faults).length;
    if (count === 0) return [what, '0', '', '', '', ''];
    const [times, again] = [of(recovered), of(repeats)];
    return [
      what,
      amount(count),
      amount(median(again)),
      amount(Math.max(...again)),
      seconds(median(times)),
      seconds(Math.max(...times)),
    ];
  });
}

const figureRow = (figure) => [
  figure.what,
  amount(figure.value),
  amount(figure.most),
  isBroken(figure) ? 'FAILED' : 'ok',
];

const amount = (value) => value.toLocaleString('en', { maximumFractionDigits: 1 });

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** The first column is text, the others are figures. Written as Prettier writes it. */
function table(head, rows) {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column].length)));
  const pad = (text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]));
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head.map(pad)), line(rule), ...rows.map((row) => line(row.map(pad)))].join('\n');
}
