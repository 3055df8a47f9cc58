// `npm run test:long` sets it: then Jest runs test/faults, test/model and the tests of processes and of commands at full size, and test/long, which `npm test` leaves out.
const isLong = process.env.TEST_LONG === '1';
// `npm run test:browser` sets it: then Jest runs test/browser, which needs a Chromium.
const isBrowser = process.env.TEST_BROWSER === '1';
// Set where the tests run by themselves.
const isCi = process.env.CI === 'true';

export default {
  testMatch: isLong
    ? ['<rootDir>/test/{faults,long,model}/**/*.spec.ts', '<rootDir>/test/{operate/processes,cli/exit}.spec.ts']
    : isBrowser
      ? ['<rootDir>/test/browser/**/*.spec.ts']
      : ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/!(long|browser)/**/*.spec.ts'],
  testSequencer: '<rootDir>/scripts/test-order.mjs',
  // Compiles, and starts and builds what the selected files need.
  globalSetup: '<rootDir>/scripts/jest/prepare.mjs',
  // Node loads the modules, once per worker: see runtime.cjs.
  testEnvironment: '<rootDir>/scripts/jest/environment.cjs',
  runtime: '<rootDir>/scripts/jest/runtime.cjs',
  transform: {},
  // For `--onlyChanged`: TypeScript names its imports by what they compile to.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  // Only for a test that hangs. No test has a limit of its own: on a machine that is busy with something else, it takes ten times as long.
  testTimeout: isLong ? 3_600_000 : isCi ? 1_200_000 : 300_000,
  // More than the cores of a small machine: many tests wait for processes, timers or PostgreSQL. In CI fewer: there the machine may be
  // busy with something else, and the service's own timeouts are short.
  maxWorkers: isBrowser || isCi ? 3 : 5,
  // A worker that ran many files holds more than 1 GB, and collecting that garbage costs more than a new worker.
  workerIdleMemoryLimit: '1GB',
};
