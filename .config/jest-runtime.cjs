const asyncHooks = require('node:async_hooks');
const { pathToFileURL } = require('node:url');
const { setFlagsFromString } = require('node:v8');
const { default: Runtime } = require('jest-runtime');

const loaders = import('./tree-loaders.mjs');

// As in the programs that tests start: scripts/build/bundle-programs.mjs says why.
setFlagsFromString('--wasm-tiering-budget=100000000');

/** What the framework asks of Node's: which test or hook runs. Tests run one after the other, so that one value is enough. */
class SerialStorage {
  #store;

  getStore() {
    return this.#store;
  }

  run(store, callback) {
    const before = this.#store;
    this.#store = store;
    return Promise.resolve(callback()).finally(() => {
      this.#store = before;
    });
  }
}

/** Node's own makes every promise and every callback of the process dearer. */
function requireWithSerialStorage(path) {
  const { AsyncLocalStorage } = asyncHooks;
  asyncHooks.AsyncLocalStorage = SerialStorage;
  try {
    return require(path);
  } finally {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}

/**
 * Runs test files, and what they import, as plain Node modules in the realm of Jest's worker. Jest's own runtime gives
 * each test file a realm of its own and evaluates the whole program and its packages in it again.
 * The test files of one worker share their modules: no test may depend on the state of a module.
 */
class NativeRuntime extends Runtime {
  #jest;
  #framework;

  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    this.#jest = environment.moduleMocker;
  }

  /** The test framework. It is loaded again for each test file, because it keeps that file's tests. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    return requireWithSerialStorage(path);
  }

  setGlobalsForRuntime(globals) {
    this.#framework = { ...globals, jest: this.#jest };
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    await loaders;
    const { useFramework } = await import('./jest-globals.mjs');
    useFramework(this.#framework);
    // Jest's stack traces do not know the lines of the TypeScript source; Node's do.
    delete Error.prepareStackTrace;
    return import(pathToFileURL(path).href);
  }
}

module.exports = { default: NativeRuntime, __esModule: true };
