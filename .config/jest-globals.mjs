// What test files import from `@jest/globals`. The test files of a worker share this module, but each has a test
// framework of its own (jest-runtime.cjs): the exports change before each file.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, test;
/** Knows `fn` and `spyOn`, and fakes no timers: our code is given the time. */
export let jest;

export function useFramework(framework) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, jest } = framework);
}
