import { parseArgs } from 'node:util';
import { UsageError } from '../options.mjs';

const KILLS_PER_MINUTE = 6;
const SHORT = { minutes: '0.75', kills: '5', seed: '14' };

const USAGE = `usage: npm run torture -- [--minutes N] [--kills N] [--seed N] [--write FILE] [--short]

  --minutes  how long faults come (default: 10); afterwards the run waits until all has ended
  --kills    number of SIGKILLs (default: ${KILLS_PER_MINUTE} a minute); for every ten of them there are seven other faults, at least one of each
  --seed     repeats the faults of an earlier run, not their exact effect (default: random)
  --write    writes the tables into this Markdown file, between <!-- torture --> and <!-- /torture -->
  --short    the same as --minutes ${SHORT.minutes} --kills ${SHORT.kills} --seed ${SHORT.seed}`;

const OPTIONS = {
  minutes: { type: 'string' },
  kills: { type: 'string' },
  seed: { type: 'string' },
  write: { type: 'string' },
  short: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

export function readOptions(args) {
  const given = parse(args);
  if (given.help) throw new UsageError(USAGE);
  const values = { minutes: '10', ...(given.short ? SHORT : {}), ...given };
  const minutes = number('--minutes', values.minutes, 0.1, 1440);
  const kills = whole('--kills', values.kills ?? String(Math.ceil(minutes * KILLS_PER_MINUTE)), 1, 10_000);
  const seed = whole('--seed', values.seed ?? String(Math.floor(Math.random() * 1e9)), 0, 2 ** 32 - 1);
  return { minutes, kills, seed, write: values.write };
}

function parse(args) {
  try {
    return { ...parseArgs({ args, options: OPTIONS }).values };
  } catch (error) {
    throw new UsageError(`${error.message}\n${USAGE}`);
  }
}

function number(name, text, min, max) {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max)) throw new UsageError(`${name} must be a number from ${min} to ${max}`);
  return value;
}

function whole(name, text, min, max) {
  if (!/^\d+$/.test(text)) throw new UsageError(`${name} must be a whole number from ${min} to ${max}`);
  return number(name, text, min, max);
}
