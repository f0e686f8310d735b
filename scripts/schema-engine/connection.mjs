// The `cli` commands of the engine: test the connection, create the database, drop it.
import pg from 'pg';
import { parse, toClientConfig } from 'pg-connection-string';

/** Prisma's codes for PostgreSQL's. All others mean "cannot reach the server". @type {Record<string, string>} */
const PRISMA_CODES = { '3D000': 'P1003', '28P01': 'P1000', 28000: 'P1010', '42P04': 'P1009' };

/**
 * Host, user and database as separate fields, because a connection string would override a separate `database`.
 * @param {string} url
 * @returns {import('pg').ClientConfig}
 */
export const clientConfig = (url) => toClientConfig(parse(url));

/**
 * @param {import('pg').ClientConfig} config
 * @param {(client: import('pg').Client) => Promise<unknown>} use
 */
export async function withClient(config, use) {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** @param {string} url @param {(name: string) => string} statement makes SQL from the quoted name of the database */
const onServer = (url, statement) => {
  const config = clientConfig(url);
  const name = pg.escapeIdentifier(config.database ?? '');
  return withClient({ ...config, database: 'postgres' }, (client) => client.query(statement(name)));
};

/** @type {Record<string, (url: string) => Promise<unknown>>} */
const COMMANDS = {
  'can-connect-to-database': (url) => withClient(clientConfig(url), async () => {}),
  'create-database': (url) => onServer(url, (name) => `CREATE DATABASE ${name}`),
  'drop-database': (url) => onServer(url, (name) => `DROP DATABASE ${name} WITH (FORCE)`),
};

/**
 * @param {string | undefined} command
 * @param {string | undefined} url
 * @returns {Promise<number>} exit code; errors go to standard error in the form of the engine's log
 */
export async function connectionCommand(command, url) {
  try {
    const run = COMMANDS[command ?? ''];
    if (!run) throw new Error(`Unknown command ${command}.`);
    if (!url) throw new Error('No database address was given.');
    await run(url);
    return 0;
  } catch (error) {
    const { message, code } = /** @type {{ message: string, code?: string }} */ (error);
    const fields = { message: message || code, error_code: PRISMA_CODES[code ?? ''] ?? 'P1001' };
    // The CLI drops the first line and reads a JSON log entry from each of the others.
    process.stderr.write(`\n${JSON.stringify({ level: 'ERROR', target: 'schema_engine::logger', fields })}`);
    return 1;
  }
}
