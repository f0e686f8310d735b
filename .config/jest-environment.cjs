const { ModuleMocker } = require('jest-mock');

/** Packages set them once, when they are loaded: libvips. */
const OF_PACKAGES = ['VIPSHOME'];

/** What the next test file of this process would find: variables of the environment and the folder. */
const state = () => new Map([...Object.entries(process.env), ['(folder)', process.cwd()]]);

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
    const names = new Set([...now.keys(), ...this.#state.keys()]);
    const left = [...names].filter(
      (name) => now.get(name) !== this.#state.get(name) && !OF_PACKAGES.includes(name),
    );
    if (left.length > 0)
      throw new Error(`This file leaves a changed environment to the next one: ${left.join(', ')}.`);
  }
};
