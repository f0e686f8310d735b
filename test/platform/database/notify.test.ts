import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CHANNELS, type Listener, listen, notify } from '../../../src/platform/database/notify.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';

let database: TestDatabase;
let listener: Listener;
const heard: string[] = [];
let connects = 0;
let losses = 0;

beforeAll(async () => {
  database = await testDatabase();
  listener = listen({
    databaseUrl: database.url,
    channels: [CHANNELS.runs],
    onNotify: (channel, payload) => void heard.push(`${channel}:${payload}`),
    onConnect: () => void connects++,
    onLost: () => void losses++,
  });
  await eventually('it listens', () => connects === 1);
});
afterAll(async () => {
  await listener.close();
  await database.drop();
});

test('a notification arrives at commit, on its channel only', async () => {
  const { db } = database;
  await db.$transaction(async (tx) => {
    await notify(tx, CHANNELS.frames, 'not listened to');
    await notify(tx, CHANNELS.runs, 'device');
  });
  await eventually('it is heard', () => heard.length > 0);
  expect(heard).toEqual(['analysis_runs:device']);
});

test('a lost connection is opened again, and the listener is told to read everything again', async () => {
  const { db } = database;
  await db.$executeRaw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'LISTEN%'`;
  await eventually('it listens again', () => connects === 2);
  expect(losses).toBe(1);
  heard.length = 0;
  await notify(db, CHANNELS.runs, 'again');
  await eventually('it hears again', () => heard.includes('analysis_runs:again'));
});
