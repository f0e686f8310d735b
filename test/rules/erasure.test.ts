import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { tablesOf } from '../support/rows/user-tables.ts';

/** Tables whose rows belong to no user, and why. Every other table has to be erased with its user. */
const WITHOUT_USER: Readonly<Record<string, string>> = {
  User: 'the user itself',
  ComputeNode: 'machines of the operator',
  SetupCode: 'codes with which the first user is created: nobody’s',
  Setting: 'facts that programs agree on',
  Announcement: 'words of the operator; eraseUser takes the user out of its recipients and authors',
  RateLimit:
    'counters of calls, gone an hour after their minute; eraseUser removes those of the user and its keys',
  _prisma_migrations: 'which migrations were applied',
};

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

describe('every table', () => {
  test('belongs to a user by cascading foreign keys, or is listed with a reason', async () => {
    const { all, ofUsers } = await tablesOf(database.db);
    expect(all.filter((table) => !ofUsers.has(table)).sort()).toEqual(Object.keys(WITHOUT_USER).sort());
  });

  test('with a column for a user, device, scene or run belongs to a user', async () => {
    const { ofUsers } = await tablesOf(database.db);
    const named = await database.db.$queryRaw<{ table: string }[]>`
      SELECT DISTINCT table_name::text AS "table" FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name IN ('userId', 'deviceId', 'sceneId', 'taskId')`;
    expect(named.map(({ table }) => table).filter((table) => !ofUsers.has(table))).toEqual([]);
  });

  test('of a user has foreign keys that are valid for all rows, including older ones', async () => {
    const unchecked = await database.db.$queryRaw`
      SELECT conname FROM pg_constraint WHERE NOT convalidated AND connamespace = 'public'::regnamespace`;
    expect(unchecked).toEqual([]);
  });

  test('with a nullable or non-cascading key to its user is found by this check', async () => {
    const { db } = database;
    await db.$executeRaw`CREATE TABLE "Nullable" (id int, "userId" uuid REFERENCES "User" ON DELETE CASCADE)`;
    await db.$executeRaw`CREATE TABLE "Kept" (id int, "userId" uuid NOT NULL REFERENCES "User")`;
    await db.$executeRaw`CREATE TABLE "Good" (id int, "sceneId" uuid NOT NULL REFERENCES "Scene" ON DELETE CASCADE)`;
    const { all, ofUsers } = await tablesOf(db);
    expect(all).toEqual(expect.arrayContaining(['Nullable', 'Kept', 'Good']));
    expect(['Nullable', 'Kept', 'Good'].map((table) => ofUsers.has(table))).toEqual([false, false, true]);
    await db.$executeRaw`DROP TABLE "Nullable", "Kept", "Good"`;
  });
});
