import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate, onServer, testServer, withDatabase } from '../../support/servers/cluster.ts';
import {
  migrateTo,
  type Outcome,
  type RecordedVersion,
  readRows,
  recordedVersions,
  replay,
  storeRows,
} from './recorded-version.ts';

let server: string;
const databases: string[] = [];
beforeAll(async () => {
  server = (await testServer()).url;
});
afterAll(() =>
  onServer(server, async (client) => {
    for (const name of databases) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }),
);

/** A database with the schema and the rows of the version. */
async function databaseOf(recorded: RecordedVersion): Promise<string> {
  const name = `upgrade_${randomBytes(8).toString('hex')}`;
  await onServer(server, (client) => client.query(`CREATE DATABASE ${name}`));
  databases.push(name);
  const url = withDatabase(server, name);
  await migrateTo(url, recorded.lastMigration);
  await connected(url, (client) => storeRows(client, recorded));
  return url;
}

async function connected<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
const isWrite = ({ text }: Outcome) => /\b(INSERT|UPDATE|DELETE)\b/.test(text);

test.each(recordedVersions().map((recorded) => [recorded.version, recorded] as const))(
  'the rows of version %s survive the migrations, and its programs work beside the new ones',
  async (_, recorded) => {
    const before = await connected(await databaseOf(recorded), (client) => replay(client, recorded));
    // The record is complete: on its own schema nothing fails, and it writes rows.
    expect(before.filter(({ rows }) => typeof rows === 'string')).toEqual([]);
    expect(before.filter((outcome) => isWrite(outcome) && outcome.rows !== 0).length).toBeGreaterThan(50);

    const url = await databaseOf(recorded);
    await migrate(url);
    await connected(url, async (client) => {
      const found = await readRows(client, recorded);
      for (const [table, rows] of Object.entries(recorded.rows)) {
        // A migration may add rows, and changes none.
        const kept = new Set(sorted(found[table]!));
        expect({ table, gone: sorted(rows).filter((row) => !kept.has(row)) }).toEqual({ table, gone: [] });
      }
      expect(await replay(client, recorded)).toEqual(before);
    });
  },
);
