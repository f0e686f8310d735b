// Prisma's pg adapter with the three features that a schema engine needs in addition to a client: PostgreSQL's catalogue
// type "char", scripts of many statements, and a shadow database.
import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { clientConfig, withClient } from './connection.mjs';

/** Oids of "char" (one byte, used all over the catalogue) and of text. */
const CHAR = 18;
const TEXT = 25;

/**
 * The adapter refuses columns of type "char". This reads them as text and returns them as characters. An empty one is
 * the byte 0.
 * @param {any} queryable @returns {any}
 */
function readingCharacters(queryable) {
  const { queryRaw, startTransaction } = queryable;
  queryable.queryRaw = async function (/** @type {unknown} */ query) {
    const result = await this.performIO(query);
    /** @type {{ dataTypeID: number }[]} */
    const fields = result.fields;
    const characters = fields.flatMap((field, at) => (field.dataTypeID === CHAR ? [at] : []));
    const asText = fields.map((field) =>
      field.dataTypeID === CHAR ? { ...field, dataTypeID: TEXT } : field,
    );
    const answered = { performIO: async () => ({ ...result, fields: asText }), pgOptions: this.pgOptions };
    const rows = await queryRaw.call(answered, query);
    for (const at of characters) {
      rows.columnTypes[at] = ColumnTypeEnum.Character;
      for (const row of rows.rows) if (row[at] === '') row[at] = '\0';
    }
    return rows;
  };
  if (startTransaction) {
    queryable.startTransaction = async function (/** @type {unknown[]} */ ...args) {
      return readingCharacters(await startTransaction.apply(this, args));
    };
  }
  return queryable;
}

/**
 * The adapter splits a script at every semicolon, also inside comments, strings and function bodies. PostgreSQL itself
 * knows where a statement ends, so it gets the whole script and runs it as one transaction on one connection.
 * @param {any} adapter @returns {any}
 */
function runningScripts(adapter) {
  adapter.executeScript = async function (/** @type {string} */ script) {
    try {
      await this.client.query(script);
    } catch (error) {
      this.onError(error);
    }
  };
  return adapter;
}

/** @param {any} adapter */
const forEngine = (adapter) => runningScripts(readingCharacters(adapter));

export class CatalogAwarePg extends PrismaPg {
  /** @type {import('pg').ClientConfig} */
  #config;
  /** @type {string | undefined} */
  #shadowUrl;

  /** @param {{ url?: string, shadowDatabaseUrl?: string }} datasource */
  constructor({ url, shadowDatabaseUrl }) {
    const config = url ? clientConfig(url) : {};
    super({ ...config, max: 2 });
    this.#config = config;
    this.#shadowUrl = shadowDatabaseUrl;
  }

  async connect() {
    return forEngine(await super.connect());
  }

  /** Uses the given shadow database, or creates one for this connection and drops it with the connection. */
  async connectToShadowDb() {
    if (this.#shadowUrl) return forEngine(await new PrismaPg(clientConfig(this.#shadowUrl)).connect());
    const config = this.#config;
    const database = `prisma_migrate_shadow_db_${randomUUID()}`;
    const name = pg.escapeIdentifier(database);
    await withClient(config, (client) => client.query(`CREATE DATABASE ${name}`));
    const shadow = await new PrismaPg({ ...config, database, max: 2 }).connect();
    const endPool = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await endPool();
      await withClient(config, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    };
    return forEngine(shadow);
  }
}
