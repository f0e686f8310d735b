import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeDevicesSeen } from '../../src/analysis/run.store.ts';
import { noteStreamNews } from '../../src/analysis/stream-news.ts';
import { writePresence } from '../../src/devices/device.store.ts';
import type { Device } from '../../src/platform/prisma-client/client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addDevice } from '../support/runs.ts';
import { told } from '../support/told.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function deviceOf(onlineStatus: Device['onlineStatus']): Promise<Device> {
  const { id } = await addDevice(database.db);
  return database.db.device.update({ where: { id }, data: { onlineStatus } });
}

/** `[type, data]` of every event about the device so far. */
const toldOf = async ({ id }: Device) =>
  (await told(database.db, { deviceId: id })).map(({ type, data }) => [type, data] as const);
const typesOf = async (device: Device) => (await toldOf(device)).map(([type]) => type);
const seen = (device: Device, onlineStatus: 'online' | 'offline', lastFrameMs: number | null = null) =>
  writeDevicesSeen(database.db, [{ deviceId: device.id, lastFrameMs, onlineStatus }]);
const probed = (device: Device, onlineStatus: 'online' | 'offline', error: string | null = null) =>
  writePresence(database.db, device, { onlineStatus, info: null, error });

test('frames that begin, end and begin again are told once each, also when two write it at once', async () => {
  const device = await deviceOf('unknown');
  const lastFrameMs = Date.parse('2026-03-01T10:00:00.500Z');
  for (const status of ['online', 'offline', 'online'] as const) {
    await Promise.all([1, 2, 3].map(() => seen(device, status, lastFrameMs)));
  }
  const about = { deviceId: device.id, deviceName: 'Camera', lastFrameAt: '2026-03-01T10:00:00.500Z' };
  expect(await toldOf(device)).toEqual([
    ['device_online', about],
    ['device_offline', about],
    ['device_online', { ...about, offlineForSeconds: expect.any(Number) }],
  ]);
});

test('a probe that finds a known camera gone says why; the first look at an address is no event', async () => {
  const known = await deviceOf('online');
  await probed(known, 'offline', 'The camera refuses the connection.');
  await probed(known, 'offline', 'The camera refuses the connection.');
  await seen(known, 'online');
  expect(await toldOf(known)).toMatchObject([
    ['device_offline', { error: 'The camera refuses the connection.', lastFrameAt: null }],
    ['device_online', {}],
  ]);
  const fresh = await deviceOf('unknown');
  await probed(fresh, 'online');
  await seen(fresh, 'online');
  expect(await typesOf(fresh)).toEqual([]);
});

test('nothing is told of a device that was deleted, nor by a look at its former address', async () => {
  const { db } = database;
  const gone = await deviceOf('online');
  await db.device.update({ where: { id: gone.id }, data: { deletedAt: new Date() } });
  await seen(gone, 'offline');
  const moved = await deviceOf('online');
  await db.device.update({ where: { id: moved.id }, data: { streamRevision: 2 } });
  await probed(moved, 'offline');
  expect([await typesOf(gone), await typesOf(moved)]).toEqual([[], []]);
  expect((await db.device.findUniqueOrThrow({ where: { id: moved.id } })).onlineStatus).toBe('online');
});

test('an outage is told once: at the third restart in a row or when nothing can be decoded, and again after frames', async () => {
  const device = await deviceOf('online');
  const fault = (restartsInARow: number, message = 'The camera broke off while it was read.') =>
    noteStreamNews(
      database.db,
      { type: 'stream', deviceId: device.id, event: 'failed', message, restartsInARow, info: null },
      device.streamRevision,
    );
  await fault(1);
  await fault(2);
  expect(await typesOf(device)).toEqual([]);
  await Promise.all([fault(3), fault(3), fault(4)]);
  expect(await toldOf(device)).toMatchObject([
    ['device_analysis_error', { error: 'The camera broke off while it was read.' }],
  ]);
  await seen(device, 'offline');
  await seen(device, 'online');
  await fault(1, 'The camera has no frame that can be decoded.');
  await fault(3);
  const types = ['device_analysis_error', 'device_offline', 'device_online', 'device_analysis_error'];
  expect(await typesOf(device)).toEqual(types);
});
