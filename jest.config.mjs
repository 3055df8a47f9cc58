// `npm run test:long` sets it: then Jest runs test/faults, test/model and the processes test at full size, and test/long, which `npm test` leaves out.
const isLong = process.env.TEST_LONG === '1';
// `npm run test:browser` sets it: then Jest runs test/browser, which needs a Chromium.
const isBrowser = process.env.TEST_BROWSER === '1';

export default {
  testMatch: isLong
    ? ['<rootDir>/test/{faults,long,model}/**/*.spec.ts', '<rootDir>/test/operate/processes.spec.ts']
    : isBrowser
      ? ['<rootDir>/test/browser/**/*.spec.ts']
      : ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/!(long|browser)/**/*.spec.ts'],
  testSequencer: '<rootDir>/scripts/test-order.mjs',
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    // TypeScript names its imports by what they compile to; Jest reads the sources.
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // As in the build (scripts/build.mjs).
    '^@nestjs/swagger$': '<rootDir>/src/contract/swagger-stand-in.ts',
    // The bundles of their authors: one file instead of 226, and instead of 73. Every file that starts the app loads them anew.
    '^rxjs(/operators)?$': '<rootDir>/node_modules/rxjs/dist/bundles/rxjs.umd.min.js',
    '^libphonenumber-js/max$': '<rootDir>/node_modules/libphonenumber-js/bundle/libphonenumber-max.js',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  testTimeout: 30_000,
  // More than the cores of a small machine: many tests wait for processes, timers or PostgreSQL.
  maxWorkers: 5,
  // A worker that ran many files holds more than 1 GB, and collecting that garbage costs more than a new worker.
  workerIdleMemoryLimit: '1GB',
};
