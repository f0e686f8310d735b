import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

// Jest's own, of the very version that runs.
const { default: TestSequencer } = createRequire(import.meta.resolve('jest'))('@jest/test-sequencer');

// Whole stories, real cameras and films, and random requests take up to a minute each, however short their files are, by which
// Jest goes where it has not run before: begun last, they would run on alone.
const LONGEST = /\/test\/(flows|contract|video|scripts\/replay)\b/;

/** The long ones early; with TEST_SEED in an order of its own for each seed, in which `npm run test:flaky` looks for faults. */
export default class Sequencer extends TestSequencer {
  sort(tests) {
    const seed = process.env.TEST_SEED;
    const sorted = super.sort(tests);
    if (seed) {
      const place = ({ path }) => createHash('sha256').update(`${seed} ${path}`).digest('hex');
      return [...sorted].sort((one, other) => place(one).localeCompare(place(other)));
    }
    const isLong = ({ path }) => LONGEST.test(path);
    const [long, short] = [sorted.filter(isLong), sorted.filter((test) => !isLong(test))];
    // Taken in turn: most of the long ones wait for cameras and programs, and beside them another file can compute.
    return [...long.flatMap((test, at) => [test, ...short.slice(at, at + 1)]), ...short.slice(long.length)];
  }
}
