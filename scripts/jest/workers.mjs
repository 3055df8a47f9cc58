import { existsSync, statSync } from 'node:fs';

/** Their values are no files. */
const WITH_VALUE = ['-t', '--testNamePattern'];

/** Jest starts all workers at once, 0.2 s of CPU time each. A run of some named files needs no more workers than files. */
export function workersFor(args, maxWorkers) {
  const named = args.filter((arg, i) => !arg.startsWith('-') && !WITH_VALUE.includes(args[i - 1]));
  const areFiles = named.length > 0 && named.every((path) => existsSync(path) && statSync(path).isFile());
  const isChosen = args.some((arg) => /^(--maxWorkers|-w|--runInBand|-i$)/.test(arg));
  return areFiles && !isChosen && named.length < maxWorkers ? [`--maxWorkers=${named.length}`] : [];
}
