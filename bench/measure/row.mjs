import { median, summary } from './statistics.mjs';

/** @typedef {import('./statistics.mjs').Summary} Summary */
/** @typedef {Record<string, number>} Sample values that one round of one side measured */
/** @typedef {{ service: Sample[], floor?: Sample[] }} Samples */
/**
 * @typedef {object} Row one line of a table, and a second one for its floor
 * @property {string} what
 * @property {'/s' | 'ms' | 'MB'} unit
 * @property {Summary} service
 * @property {string} [floorIs]
 * @property {Summary} [floor]
 * @property {Summary} [ratio] service to floor, round by round
 * @property {{ service?: Cpu, floor?: Cpu }} [cpu]
 */
/** @typedef {{ ownMs: number, postgresMs: number }} Cpu per operation */

/**
 * @param {string} what
 * @param {'/s' | 'ms' | 'MB'} unit
 * @param {string} key name of the value in the samples
 * @param {Samples} samples
 * @param {string} [floorIs]
 * @returns {Row}
 */
export function row(what, unit, key, samples, floorIs) {
  const service = samples.service.map((sample) => sample[key]);
  if (!floorIs) return { what, unit, service: summary(service) };
  const floor = samples.floor.map((sample) => sample[key]);
  const ratio = summary(service.map((value, round) => value / floor[round]));
  return { what, unit, service: summary(service), floorIs, floor: summary(floor), ratio };
}

/** The same, with the CPU time per operation if the samples have it. */
export function rowWithCpu(what, unit, key, samples, floorIs) {
  const known = Object.entries(samples).filter(([, [first]]) => 'cpuMs' in first);
  const cpu = Object.fromEntries(known.map(([side, rounds]) => [side, cpuOf(rounds)]));
  return { ...row(what, unit, key, samples, floorIs), cpu };
}

const cpuOf = (rounds) => ({
  ownMs: median(rounds.map(({ cpuMs }) => cpuMs)),
  postgresMs: median(rounds.map(({ postgresCpuMs }) => postgresCpuMs)),
});
