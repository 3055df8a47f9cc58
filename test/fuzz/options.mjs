import { parseArgs } from 'node:util';
import { UsageError } from '../../bench/options.mjs';

const USAGE = `usage: npm run test:fuzz -- [--seconds N | --requests N] [--seed N] [--clients N] [--processes N]

  --seconds    length of the run (default: 60)
  --requests   number of requests instead, such as 1000000
  --seed       repeats the choices of an earlier run; answers that depend on timing may differ (default: random)
  --clients    clients that send at the same time, besides 64 in a race (default: 16)
  --processes  processes of the service on one database (default: 1)`;

const OPTIONS = {
  seconds: { type: 'string' },
  requests: { type: 'string' },
  seed: { type: 'string' },
  clients: { type: 'string', default: '16' },
  processes: { type: 'string', default: '1' },
  help: { type: 'boolean', default: false },
};

/** @param {string[]} args */
export function readOptions(args) {
  const values = parse(args);
  if (values.help) throw new UsageError(USAGE);
  if (values.seconds && values.requests) throw new UsageError('--seconds and --requests cannot be combined');
  return {
    seconds: values.requests ? Infinity : whole('--seconds', values.seconds ?? '60', 1, 86_400),
    requests: values.requests ? whole('--requests', values.requests, 1, 1e9) : Infinity,
    seed: whole('--seed', values.seed ?? String(Math.floor(Math.random() * 1e9)), 0, 2 ** 31 - 1),
    clients: whole('--clients', values.clients, 1, 256),
    processes: whole('--processes', values.processes, 1, 16),
  };
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
