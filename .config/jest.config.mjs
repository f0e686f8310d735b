/** @type {import('jest').Config} */
export default {
  rootDir: '..',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: '<rootDir>/.config/jest-setup.mjs',
  globalTeardown: '<rootDir>/.config/jest-teardown.mjs',
  testSequencer: '<rootDir>/.config/jest-sequencer.mjs',
  testEnvironment: '<rootDir>/.config/jest-environment.cjs',
  runtime: '<rootDir>/.config/jest-runtime.cjs',
  transform: {},
  maxWorkers: 2,
  testTimeout: 30_000,
};
