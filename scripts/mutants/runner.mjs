// Runs compiled test files, one after the other, in this process: libraries are loaded once for many mutants. Each file comes with a copy of the
// compiled sources of its own, so that nothing of ours is shared. The parent sends the path of a file, and gets the first failure, or null.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const circus = require('jest-circus');
const { expect } = require('expect');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const TEST_MS = 30_000; // as in jest.config.mjs

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ config: { fakeTimers: {}, rootDir: '' }, global: globalThis });
const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  replaceProperty: mocker.replaceProperty.bind(mocker),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: (options) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
};
globalThis[Symbol.for('carillon.jest')] = { ...circus, expect, jest }; // see scripts/jest/globals.mjs

let failure = null;
circus.addEventHandler((event) => {
  if (event.name === 'test_start' && failure !== null) event.test.mode = 'skip';
  if (event.name === 'test_done' && event.test.errors.length > 0) failure ??= nameOf(event.test);
});

const nameOf = (test) => (test.parent ? [nameOf(test.parent), test.name] : []).flat().filter(Boolean).join(' \u203a ');

async function run(file) {
  failure = null;
  circus.resetState();
  circus.setState({ ...circus.getState(), testTimeout: TEST_MS });
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    return `it does not start: ${error.message}`;
  }
  const { unhandledErrors } = await circus.run();
  mocker.restoreAllMocks();
  timers.useRealTimers();
  return failure ?? unhandledErrors[0] ?? null;
}

process.on('message', async (file) => process.send({ failure: await run(file) }));
