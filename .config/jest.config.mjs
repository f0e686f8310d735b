/** @type {import('jest').Config} */
export default {
  rootDir: '..',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: '<rootDir>/.config/jest-setup.mjs',
  globalTeardown: '<rootDir>/.config/jest-teardown.mjs',
  testEnvironment: '<rootDir>/.config/jest-environment.cjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } },
    ],
  },
  maxWorkers: 2,
  testTimeout: 30_000,
};
