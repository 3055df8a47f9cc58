import { parseArgs } from 'node:util';
import { UsageError } from '../options.mjs';

const usage = (attacks) => `usage: npm run attack -- [ATTACK ...] [--seconds N]

  --seconds  how long to measure under each attack (default: 15)

attacks (default: all):
${attacks.map(({ name, about }) => `  ${name.padEnd(14)}  ${about}`).join('\n')}`;

/** @param {import('./attacks.mjs').Attack[]} attacks */
export function readOptions(args, attacks) {
  const { values, positionals } = parse(args, attacks);
  const unknown = positionals.filter((each) => !attacks.some(({ name }) => name === each));
  if (values.help || unknown.length > 0) throw new UsageError(usage(attacks));
  const seconds = /^\d+$/.test(values.seconds) ? Number(values.seconds) : 0;
  if (seconds < 1 || seconds > 600) throw new UsageError('--seconds must be a whole number from 1 to 600');
  return {
    seconds,
    chosen: positionals.length > 0 ? attacks.filter(({ name }) => positionals.includes(name)) : attacks,
  };
}

function parse(args, attacks) {
  const options = { seconds: { type: 'string', default: '15' }, help: { type: 'boolean', default: false } };
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${error.message}\n${usage(attacks)}`);
  }
}
