import { createRequire } from 'node:module';

// The one that Jest itself has, from where Jest has it.
const ofJest = createRequire(createRequire(import.meta.url).resolve('jest'));
const { default: Sequencer } = createRequire(ofJest.resolve('@jest/core'))('@jest/test-sequencer');

/** These wait for processes, or for one cell after the other: begun last, they would leave one of two cores with nothing to do at the end. */
const isSlow = ({ path }) => /[\\/]test[\\/]((faults|long|growth|operate|move|docs|cell)[\\/]|cli[\\/]exit)/.test(path);

/** The test files that Jest has selected, for its global setup, which comes next (jest/prepare.mjs). */
export let selected = [];

/** Slow files first. Otherwise as Jest orders them: those that failed, then by the time they took, then by size. */
class SlowFirst extends Sequencer {
  async sort(tests) {
    selected = tests.map(({ path }) => path);
    const sorted = await super.sort(tests);
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
  }
}

// Jest reads a sequencer from the default export.
export { SlowFirst as default };
