import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';
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

const ROOT = join(import.meta.dirname, '../..');
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
      SELECT DISTINCT table_name::text AS "table" FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name IN ('userId', 'deviceId', 'sceneId', 'taskId')`;
    expect(named.map(({ table }) => table).filter((table) => !ofUsers.has(table))).toEqual([]);
  });

  test('of a user has foreign keys that are valid for all rows, including older ones', async () => {
    const unchecked = await database.db.$queryRaw`
      SELECT conname FROM pg_constraint WHERE NOT convalidated AND connamespace = 'public'::regnamespace`;
    expect(unchecked).toEqual([]);
  });

  test('lost the rows of erased users in the migration that added its key', async () => {
    const { db } = database;
    const { task, scene } = await queueScene(db, await addDevice(db));
    const places = [
      { userId: task.userId, deviceId: task.deviceId, sceneId: scene.id },
      { userId: randomUUID(), deviceId: randomUUID(), sceneId: randomUUID() },
    ];
    const keys = ['Track_taskId', 'Hour_userId', 'Hour_deviceId', 'Hour_sceneId'];
    for (const key of keys)
      await db.$executeRawUnsafe(
        `ALTER TABLE "Attribute${key.split('_')[0]}" DROP CONSTRAINT "Attribute${key}_fkey"`,
      );
    await db.attributeHour.createMany({ data: places.map((place) => ({ ...place, hour: new Date(0) })) });
    await db.attributeTrack.createMany({
      data: [task.id, randomUUID()].map((taskId) => ({ taskId, trackId: 1, capturedAt: new Date(0) })),
    });
    for (const name of [
      '20261123013500_rows_belong_to_users',
      '20261123013600_rows_belong_to_users_checked',
    ]) {
      const sql = readFileSync(join(ROOT, 'prisma/migrations', name, 'migration.sql'), 'utf8');
      for (const statement of sql.replaceAll(/^--.*$/gm, '').split(';'))
        if (statement.includes('"Attribute')) await db.$executeRawUnsafe(statement);
    }
    expect((await db.attributeHour.findMany()).map(({ sceneId }) => sceneId)).toEqual([scene.id]);
    expect((await db.attributeTrack.findMany()).map(({ taskId }) => taskId)).toEqual([task.id]);
    await db.user.deleteMany();
    expect([await db.attributeHour.count(), await db.attributeTrack.count()]).toEqual([0, 0]);
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
