// `npm run test:long` sets it: then Jest runs test/faults and the processes test at full size, and test/long, which `npm test` leaves out.
const isLong = process.env.TEST_LONG === '1';

export default {
  testMatch: isLong
    ? ['<rootDir>/test/{faults,long}/**/*.spec.ts', '<rootDir>/test/operate/processes.spec.ts']
    : ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/!(long)/**/*.spec.ts'],
  testSequencer: '<rootDir>/scripts/test-order.mjs',
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    // TypeScript names its imports by what they compile to; Jest reads the sources.
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // As in the build (scripts/build.mjs).
    '^@nestjs/swagger$': '<rootDir>/src/contract/swagger-stand-in.ts',
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
  // One more than the cores of a small machine: many tests wait for processes, timers or PostgreSQL.
  maxWorkers: 3,
  // A worker that ran many files holds more than 1 GB, and collecting that garbage costs more than a new worker.
  workerIdleMemoryLimit: '1GB',
};
