import { parseArgs } from 'node:util';
import { UsageError } from '../options.mjs';

const SECONDS_PER_KILL = 1.5;

const USAGE = `usage: npm run kills -- [--kills N] [--seconds N] [--seed N]

  --kills    number of SIGKILLs (default: 60)
  --seconds  time over which they are spread (default: ${SECONDS_PER_KILL} per kill); more if the machine starts processes slowly
  --seed     repeats the random choices of an earlier run, not its timing (default: random)`;

const OPTIONS = {
  kills: { type: 'string', default: '60' },
  seconds: { type: 'string' },
  seed: { type: 'string' },
  help: { type: 'boolean', default: false },
};

export function readOptions(args) {
  const values = parse(args);
  if (values.help) throw new UsageError(USAGE);
  const kills = whole('--kills', values.kills, 1, 10_000);
  const seconds = whole('--seconds', values.seconds ?? String(Math.ceil(kills * SECONDS_PER_KILL)), 1, 86_400);
  const seed = whole('--seed', values.seed ?? String(Math.floor(Math.random() * 1e9)), 0, 2 ** 32 - 1);
  return { kills, seconds, seed };
}

function parse(args) {
  try {
    return parseArgs({ args, options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError(`${error.message}\n${USAGE}`);
  }
}

function whole(name, text, min, max) {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max)) throw new UsageError(`${name} must be a whole number from ${min} to ${max}`);
  return value;
}
