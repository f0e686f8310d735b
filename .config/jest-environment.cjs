const { ModuleMocker } = require('jest-mock');

/** Of a process that runs test files: what the next file would find. */
const state = () => ({
  environment: JSON.stringify(Object.entries(process.env).sort()),
  folder: process.cwd(),
  signals: ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal)).join(),
});

/** The realm of Jest's worker itself: jest-runtime.cjs says why. */
module.exports = class WorkersRealm {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #before = { exit: process.exit, console: globalThis.console };
  #state = state();

  getVmContext() {
    return null;
  }

  async setup() {}

  /** @throws Error naming what the test file has left for the next one */
  async teardown() {
    // Jest replaces both for the time of a test file.
    process.exit = this.#before.exit;
    globalThis.console = this.#before.console;
    const now = state();
    const left = Object.keys(now).filter((name) => now[name] !== this.#state[name]);
    if (left.length > 0)
      throw new Error(`This file leaves other test files changed state of the process: ${left.join(', ')}.`);
  }
};
