// `npm run test:long` sets it. Then Jest runs the tests that have a long form, and those of test/long, which have no other.
const isLong = process.env.TEST_LONG === '1';

export default {
  testMatch: isLong
    ? ['<rootDir>/test/{faults,growth,long}/**/*.spec.ts']
    : ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/!(long)/**/*.spec.ts'],
  testSequencer: '<rootDir>/scripts/test-order.mjs',
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  // TypeScript names its imports by what they compile to; Jest reads the sources.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
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
  maxWorkers: 2,
};
