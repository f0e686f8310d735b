#!/usr/bin/env node
// Prisma's schema engine for machines that cannot download the native one: the CLI starts this file as its engine
// (PRISMA_SCHEMA_ENGINE_BINARY, set by .config/prisma.ts) and exchanges JSON-RPC messages with it over standard input and
// output, one a line. @prisma/schema-engine-wasm does the work over @prisma/adapter-pg.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { connectionCommand } from './schema-engine/connection.mjs';
import { loadEngine } from './schema-engine/engine.mjs';

/** @typedef {{ id: number, method?: string, params?: Record<string, unknown> }} Request */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    datasource: { type: 'string' },
    datamodels: { type: 'string', multiple: true },
    'extension-types': { type: 'string' },
    'enabled-preview-features': { type: 'string' },
  },
});

/** @type {{ url?: string, shadowDatabaseUrl?: string }} */
const datasource = typeof values.datasource === 'string' ? JSON.parse(values.datasource) : {};

/** @param {unknown} message */
const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** An error in the form that the CLI expects. @param {unknown} error */
function describe(error) {
  const { message, code, meta } = /** @type {{ message?: string, code?: string, meta?: object }} */ (error);
  return {
    code: 4466,
    message: 'An error happened. Check the data field for details.',
    data: {
      is_panic: false,
      message: message ?? String(error),
      meta: meta ?? null,
      error_code: code ?? null,
    },
  };
}

async function serve() {
  const files = (values.datamodels ?? []).map(String);
  const engine = await loadEngine({
    datasource,
    datamodels: files.length > 0 ? files.map((file) => [file, readFileSync(file, 'utf8')]) : undefined,
  });
  for await (const line of createInterface({ input: process.stdin })) {
    if (!line.trim()) continue;
    /** @type {Request} */
    const { id, method, params } = JSON.parse(line);
    if (!method) continue; // The answer of the CLI to a `print`.
    try {
      const result = await engine.call(method, params);
      // The native engine prints a diff through the CLI while it works; this engine returns it at the end.
      const stdout = /** @type {{ stdout?: string | null } | null} */ (result)?.stdout;
      if (method === 'diff' && stdout) {
        send({ jsonrpc: '2.0', id: `print-${id}`, method: 'print', params: { content: stdout.trimEnd() } });
      }
      send({ jsonrpc: '2.0', id, result: result ?? null });
    } catch (error) {
      send({ jsonrpc: '2.0', id, error: describe(error) });
    }
  }
}

if (positionals[0] === 'cli') process.exitCode = await connectionCommand(positionals[1], datasource.url);
else await serve();
