import { Random } from '../random.mjs';

/** Every fault except the SIGKILL of a process of the service, with its shortest and longest time. */
export const OTHERS = {
  /** SIGSTOP, and SIGCONT after a while. */
  stop: [1000, 8000],
  /** PostgreSQL ends without a shutdown and recovers from its log. */
  crash: [0, 0],
  /** PostgreSQL ends sessions of the service. */
  terminate: [0, 0],
  /** Others hold every connection that PostgreSQL allows. */
  connections: [1000, 6000],
  /** PostgreSQL cannot store anything. */
  disk: [1000, 8000],
  /** The network swallows what a process and PostgreSQL send each other. */
  network: [2000, 12_000],
  /** The provider of one organization misbehaves. */
  provider: [2000, 10_000],
};

/** Answers of PostgreSQL to a single statement that the network loses, in each minute: 210 in an hour. */
const ANSWERS_PER_MINUTE = 3.5;

/**
 * @typedef {object} Planned
 * @property {number} atMs from the start of the load
 * @property {'kill' | 'answer' | keyof typeof OTHERS} kind
 * @property {number} forMs
 */

/**
 * When which fault comes. The same options give the same faults. The others come equally often, and at least once.
 * @param {{ minutes: number, kills: number, seed: number }} options
 * @returns {Planned[]}
 */
export function schedule({ minutes, kills, seed }) {
  const random = new Random(seed);
  const totalMs = minutes * 60_000;
  const kinds = Object.keys(OTHERS);
  const rounds = Math.max(1, Math.round((kills * 0.7) / kinds.length));
  const longestMs = (totalMs * 0.5) / (rounds * kinds.length);
  const time = () => random.between(totalMs * 0.05, totalMs * 0.95);
  const planned = Array.from({ length: kills }, () => ({ atMs: time(), kind: 'kill', forMs: 0 }));
  for (let answers = Math.ceil(minutes * ANSWERS_PER_MINUTE); answers > 0; answers--)
    planned.push({ atMs: time(), kind: 'answer', forMs: 0 });
  for (let round = 0; round < rounds; round++) {
    for (const kind of kinds) {
      const [least, most] = OTHERS[kind];
      planned.push({ atMs: time(), kind, forMs: Math.min(random.between(least, most), longestMs) });
    }
  }
  return planned.sort((a, b) => a.atMs - b.atMs);
}
