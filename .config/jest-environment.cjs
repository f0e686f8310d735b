const { ModuleMocker } = require('jest-mock');

/** The realm of Jest's worker itself: jest-runtime.cjs says why. */
module.exports = class WorkersRealm {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #before = { exit: process.exit, console: globalThis.console };

  getVmContext() {
    return null;
  }

  async setup() {}

  /** Jest replaces both for the time of a test file. */
  async teardown() {
    process.exit = this.#before.exit;
    globalThis.console = this.#before.console;
  }
};
