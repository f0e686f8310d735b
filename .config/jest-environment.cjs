const { appendFileSync, readFileSync } = require('node:fs');
const { ModuleMocker } = require('jest-mock');

/** Packages set them once, when they are loaded: libvips. */
const OF_PACKAGES = ['VIPSHOME'];
/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** What the next test file of this process would find: variables of the environment and the folder. */
const state = () => new Map([...Object.entries(process.env), ['(folder)', process.cwd()]]);

/** Processor time of this process, and of the programs that it has started and that have ended. */
function processorSeconds() {
  const times = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ').slice(11, 15);
  return times.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

/** The realm of Jest's worker itself: jest-runtime.cjs says why. */
module.exports = class WorkersRealm {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #before = { exit: process.exit, console: globalThis.console };
  #state = state();
  #path;
  /** Where the processor time of each file is written, for the table of test/README.md. */
  #log = process.env.TEST_PROCESSOR_TIME;
  #beganSeconds = this.#log ? processorSeconds() : 0;

  constructor(_config, { testPath }) {
    this.#path = testPath;
  }

  getVmContext() {
    return null;
  }

  async setup() {}

  /** @throws Error naming what the test file has left for the next one */
  async teardown() {
    // Jest replaces both for the time of a test file.
    process.exit = this.#before.exit;
    globalThis.console = this.#before.console;
    if (this.#log)
      appendFileSync(this.#log, `${(processorSeconds() - this.#beganSeconds).toFixed(2)} ${this.#path}\n`);
    const now = state();
    const names = new Set([...now.keys(), ...this.#state.keys()]);
    const left = [...names].filter(
      (name) => now.get(name) !== this.#state.get(name) && !OF_PACKAGES.includes(name),
    );
    if (left.length > 0)
      throw new Error(`This file leaves a changed environment to the next one: ${left.join(', ')}.`);
  }
};
