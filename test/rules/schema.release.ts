import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { prisma } from '../support/prisma-cli.ts';
import { makeAndDropPartitions } from './dropped-partitions.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

// It replays every migration; rules/schema compares a migrated database with the schema.
test('migrate dev finds no drift, also where partitions were made and dropped', async () => {
  await makeAndDropPartitions(database.db);
  const { exitCode, stdout } = await prisma(['migrate', 'dev'], database.url, { asTerminal: true });
  expect(stdout).toContain('Already in sync');
  expect(exitCode).toBe(0);
});
