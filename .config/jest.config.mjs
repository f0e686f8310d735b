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
  // It runs test files, and what they import, as plain Node modules. Jest's own runner gives each test file a realm of its
  // own and evaluates the whole program and its packages in it again. The test files of one worker share their modules:
  // no test may depend on the state of a module.
  runner: ['jest-light-runner', { runtime: 'child_process' }],
  setupFiles: ['<rootDir>/.config/jest-worker.mjs'],
  // Two more than there are cores: the tests of flows/ wait for other programs most of the time.
  maxWorkers: Math.min(availableParallelism() + 2, 4),
};
