// Prisma's pg adapter, taught the two things a schema engine needs beyond what a client needs: PostgreSQL's
// catalogue type "char", and a shadow database.
import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { clientConfig, withClient } from './connection.mjs';

/** Oids of "char" (one byte, used all over the catalogue) and of text. */
const CHAR = 18;
const TEXT = 25;

/**
 * The adapter refuses columns of type "char"; read them as text and hand them on as characters. An empty one is the
 * byte 0.
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
    return readingCharacters(await super.connect());
  }

  /** A given shadow database is used as it is, else one is made for this connection and dropped with it. */
  async connectToShadowDb() {
    if (this.#shadowUrl)
      return readingCharacters(await new PrismaPg(clientConfig(this.#shadowUrl)).connect());
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
    return readingCharacters(shadow);
  }
}
