import { createRequire } from 'node:module';

// Jest's own, of the very version that runs.
const { default: TestSequencer } = createRequire(import.meta.resolve('jest'))('@jest/test-sequencer');

// Whole stories and random requests take a minute each, however short their files are, by which Jest goes where it has
// not run before: begun last, they would run on alone.
const LONGEST = /\/test\/(flows|contract)\//;

export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path }) => LONGEST.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
