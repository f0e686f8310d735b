import { availableParallelism } from 'node:os';

/** What guards a release and costs minutes lies beside the other tests: test/README.md says what belongs where. */
const TIER = process.env.TEST_TIER === 'release' ? 'release' : 'test';

/** @type {import('jest').Config} */
export default {
  rootDir: '..',
  roots: ['<rootDir>/test'],
  testMatch: [`<rootDir>/test/**/*.${TIER}.ts`],
  globalSetup: '<rootDir>/.config/jest-setup.mjs',
  globalTeardown: '<rootDir>/.config/jest-teardown.mjs',
  testSequencer: '<rootDir>/.config/jest-sequencer.mjs',
  testEnvironment: '<rootDir>/.config/jest-environment.cjs',
  runtime: '<rootDir>/.config/jest-runtime.cjs',
  transform: {},
  // Two more than there are cores: the tests of flows/ wait for other programs most of the time. Five took a tenth longer on two.
  maxWorkers: Math.min(availableParallelism() + 2, 4),
  // It only ends what hangs: on a machine with twenty times the work that it can do, a test of ten seconds takes minutes.
  testTimeout: 600_000,
};
