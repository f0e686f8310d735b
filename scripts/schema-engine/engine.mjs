// The WebAssembly engine. It is instantiated by hand, because Node 20 cannot import .wasm as a module.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import { CatalogAwarePg } from './adapter.mjs';

/** Loads the module of the engine. */
async function instantiate() {
  const glue = new URL(import.meta.resolve('@prisma/schema-engine-wasm/schema_engine_bg'));
  const bindings = await import(glue.href);
  const wasm = new WebAssembly.Module(readFileSync(fileURLToPath(glue).replace(/\.js$/, '.wasm')));
  const instance = new WebAssembly.Instance(wasm, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  /** @type {{ __wbindgen_start?: () => void }} */ (instance.exports).__wbindgen_start?.();
  return bindings;
}

// A panic stores its message here before it traps.
const panic = {
  message: '',
  /** @param {string} message */
  set_message(message) {
    panic.message = message;
  },
  get: () => panic.message,
};

/**
 * `evaluateDataLoss` and `createMigration` read the schema that results from the migrations only from the memory of the
 * engine, not from a shadow database as the native engine does. `devDiagnostic` stores it there. It is called again when
 * migrations have been applied since.
 */
const NEEDS_SHADOW = 'shadow DB must be provided through an external factory';

/**
 * @param {{ datasource: { url?: string, shadowDatabaseUrl?: string }, datamodels: [string, string][] | undefined }} options
 * @returns {Promise<{ call(method: string, params: unknown): Promise<unknown> }>}
 */
export async function loadEngine({ datasource, datamodels }) {
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: panic });
  const { SchemaEngine } = await instantiate();
  const factory = bindMigrationAwareSqlAdapterFactory(new CatalogAwarePg(datasource));
  const engine = await SchemaEngine.new({ datamodels }, () => {}, factory);
  return {
    async call(method, params) {
      if (typeof engine[method] !== 'function') throw new Error(`The schema engine has no method ${method}.`);
      try {
        return await engine[method](params).catch(async (/** @type {Error} */ error) => {
          if (!error.message.includes(NEEDS_SHADOW)) throw error;
          await engine.devDiagnostic(params);
          return engine[method](params);
        });
      } catch (error) {
        throw panic.message ? new Error(panic.message) : error;
      }
    },
  };
}
