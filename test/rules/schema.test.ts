import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PARTITIONED } from '../../src/partitions.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { prisma } from '../support/prisma-cli.ts';
import { makeAndDropPartitions } from './dropped-partitions.ts';

const ROOT = join(import.meta.dirname, '../..');
const SCHEMA = readFileSync(join(ROOT, 'prisma/schema.prisma'), 'utf8');

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** `Table(columns) WHERE predicate` of every partial index, as PostgreSQL knows it. */
async function partialIndexes(): Promise<string[]> {
  const rows = await database.db.$queryRaw<{ definition: string }[]>`
    SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index
    JOIN pg_class ON pg_class.oid = indrelid
    WHERE indpred IS NOT NULL AND relnamespace = 'public'::regnamespace`;
  return rows.map(({ definition }) => {
    const [, unique, table, columns] =
      /CREATE (UNIQUE )?INDEX .* ON public."(\w+)" .*?\((.*?)\)(?: WITH \(.*?\))? WHERE/.exec(definition)!;
    return `${table} ${unique ? 'unique' : 'index'} ${columns!.replace(/"| DESC/g, '')}`;
  });
}

/** The same out of the schema's `// partial:` lines. */
function writtenPartialIndexes(): string[] {
  return [...SCHEMA.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].flatMap(([, model, body]) =>
    [...body!.matchAll(/\/\/ partial: @@(unique|index)\(\[(.*?)\]\)/g)].map(
      ([, kind, columns]) => `${model} ${kind} ${columns!.replace(/\(sort: Desc\)/g, '')}`,
    ),
  );
}

describe('schema and migrations', () => {
  test('the migrations create exactly the schema, also where partitions were made and dropped', async () => {
    await makeAndDropPartitions(database.db);
    const { exitCode, stdout } = await prisma(
      ['migrate', 'diff', '--from-config-datasource', '--to-schema', 'prisma/schema.prisma', '--exit-code'],
      database.url,
    );
    expect(stdout).toContain('No difference detected');
    expect(exitCode).toBe(0);
  });

  test('the tables with partitions, their keys and their parents are those that the service knows', async () => {
    const found = await database.db.$queryRaw<unknown[]>`
      SELECT c.relname::text AS table, (SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum = p.partattrs[0]) AS column,
        (SELECT array_agg(a.attname::text ORDER BY a.attname) FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey)
         WHERE i.indrelid = c.oid AND i.indisunique) AS key,
        (SELECT array_agg(f.confrelid::regclass::text ORDER BY f.confrelid::regclass::text COLLATE "C") FROM pg_constraint f WHERE f.conrelid = c.oid AND f.contype = 'f') AS parents
      FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid ORDER BY 1`;
    const known = PARTITIONED.map(({ table, column, key, parents }) => ({
      ...{ table, column, key: [...key].sort() },
      parents: parents.map((name) => `"${name}"`).sort(),
    }));
    expect(found).toEqual(known.sort((a, b) => (a.table < b.table ? -1 : 1)));
  });

  test('the partial indexes are those that the schema lists', async () => {
    expect((await partialIndexes()).sort()).toEqual(writtenPartialIndexes().sort());
  });

  test('tables with deletedAt have indexes that leave out deleted rows', () => {
    for (const [, model, body] of SCHEMA.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)) {
      if (!/^\s+deletedAt /m.test(body!)) continue;
      expect([model, /\/\/ partial: .*deletedAt IS NULL/.test(body!)]).toEqual([model, true]);
    }
  });

  test('every foreign key has an index that serves the deletion of its parent', async () => {
    // A partial index does not, because it misses rows. It is enough for parents that are deleted rarely, with minutes of time.
    const bare = await database.db.$queryRaw<{ name: string }[]>`
      SELECT c.conname AS name FROM pg_constraint c
      WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace AND NOT EXISTS (
        SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1]
          AND (i.indpred IS NULL OR c.confrelid IN ('"User"'::regclass, '"ComputeNode"'::regclass)))`;
    expect(bare).toEqual([]);
  });

  test('all Prisma packages have the same version', () => {
    const read = (name: string) =>
      JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')) as {
        version: string;
        dependencies?: Record<string, string>;
      };
    const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const { version } = read('prisma');
    for (const name of ['prisma', '@prisma/client', '@prisma/adapter-pg', '@prisma/driver-adapter-utils']) {
      expect([name, own.dependencies[name], read(name).version]).toEqual([name, version, version]);
    }
    const engine = '@prisma/schema-engine-wasm';
    const wanted = read('@prisma/engines-version').version;
    expect([own.dependencies[engine], read(engine).version]).toEqual([wanted, wanted]);
  });
});
