// What test files import from `@jest/globals`, with one time limit for every test and every hook.

const runner = globalThis;
export const { describe, expect } = runner;
/** Knows `fn` and `spyOn`, and fakes no timers: our code is given the time. */
export const { jest } = runner;

/** It only ends what hangs: on a busy machine a test that takes one second may take a minute. */
const LIMIT_MS = 240_000;

/** The runner has no limits of its own, and calls `run` with a row of a table. */
const limited =
  (run) =>
  async (...row) => {
    let timer;
    const late = new Promise((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`Not finished after ${LIMIT_MS / 1000} s.`)), LIMIT_MS);
    });
    try {
      return await Promise.race([run(...row), late]);
    } catch (error) {
      // The runner shows the stack of what was thrown.
      throw error instanceof Error ? error : new Error(`Thrown: ${String(error)}`);
    } finally {
      clearTimeout(timer);
    }
  };

const hook = (add) => (run) => add(limited(run));
export const beforeAll = hook((run) =>
  runner.beforeAll(() => {
    // The runner still has the name of the last test of the file before.
    expect.setState({ currentTestName: undefined });
    return run();
  }),
);
export const afterAll = hook(runner.afterAll);
export const beforeEach = hook(runner.beforeEach);
export const afterEach = hook(runner.afterEach);

const tests = (add) =>
  Object.assign((name, run) => add(name, limited(run)), {
    each:
      (...table) =>
      (name, run) =>
        add.each(...table)(name, limited(run)),
  });
export const test = Object.assign(tests(runner.test), {
  only: tests(runner.test.only),
  skip: tests(runner.test.skip),
});
