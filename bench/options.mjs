import { parseArgs } from 'node:util';
import { FULL, QUICK } from './size.mjs';

/** An invalid command line. */
export class UsageError extends Error {}

const usage = (names) => `usage: npm run bench -- [SCENARIO ...] [--quick] [--rounds N] [--write] [--results FOLDER]

  scenarios  ${names.join(', ')} (default: all)
  --quick    small sizes, to check that everything works; the figures mean nothing
  --rounds   rounds to measure on each side (default: 5, or 3 with --quick)
  --write    also write docs/benchmarks.md
  --results  folder for the results as JSON (default: bench/results)`;

/** @param {string[]} names of all scenarios */
export function readOptions(args, names) {
  const options = {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    results: { type: 'string' },
    help: { type: 'boolean', default: false },
  };
  const { values, positionals } = parse(args, options, names);
  const unknown = positionals.filter((name) => !names.includes(name));
  if (values.help || unknown.length > 0) throw new UsageError(usage(names));
  if (values.quick && values.write)
    throw new UsageError('--quick and --write cannot be combined: the figures of a quick run mean nothing');
  const size = values.quick ? QUICK : FULL;
  const rounds = Number(values.rounds ?? size.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new UsageError('--rounds must be a whole number of at least 1');
  const chosen = positionals.length > 0 ? names.filter((name) => positionals.includes(name)) : names;
  return { chosen, size: { ...size, rounds }, quick: values.quick, write: values.write, results: values.results };
}

function parse(args, options, names) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${error.message}\n${usage(names)}`);
  }
}
