import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Result the result of a scenario
 * @property {string} scenario
 * @property {string} at
 * @property {boolean} quick
 * @property {number} rounds
 * @property {Awaited<ReturnType<typeof import('./machine.mjs').machineOf>>} machine
 * @property {import('../measure/row.mjs').Row[]} rows
 * @property {{ what: string, plan: string }[]} [plans]
 * @property {string[]} notes
 * @property {Record<string, number>} counts
 */

const RESULTS = fileURLToPath(new URL('../results', import.meta.url));

/** Stores one file per scenario. */
export class Results {
  #folder;

  constructor(folder = RESULTS) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  #file(scenario) {
    return join(this.#folder, `${scenario}.json`);
  }

  /** Called before a run: if it fails, no old figures remain. */
  remove(scenario) {
    rmSync(this.#file(scenario), { force: true });
  }

  /** @param {Result} result */
  write(result) {
    writeFileSync(this.#file(result.scenario), `${JSON.stringify(result, null, 2)}\n`);
  }

  /** @returns {Result | null} */
  read(scenario) {
    return existsSync(this.#file(scenario)) ? JSON.parse(readFileSync(this.#file(scenario), 'utf8')) : null;
  }
}
