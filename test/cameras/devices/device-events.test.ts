import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeDeviceConditions } from '../../../src/cameras/devices/condition.store.ts';
import type { Warning } from '../../../src/cameras/devices/condition.ts';
import { updateDevice } from '../../../src/cameras/devices/device.store.ts';
import { writePresence } from '../../../src/cameras/devices/presence.store.ts';
import { writeDevicesSeen } from '../../../src/cameras/devices/streamed-devices.store.ts';
import type { Device } from '../../../src/platform/prisma-client/client.ts';
import { storeStreamReport } from '../../../src/runs/record/cameras/outage-notification.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { addDevice } from '../../support/rows/runs.ts';
import { told } from '../../support/told.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function deviceOf(onlineStatus: Device['onlineStatus']): Promise<Device> {
  const { id } = await addDevice(database.db);
  return database.db.device.update({ where: { id }, data: { onlineStatus } });
}

/** Type and data of all events about the device. */
const toldOf = async ({ id }: Device) =>
  (await told(database.db, { deviceId: id })).map(({ type, data }) => [type, data] as const);
const typesOf = async (device: Device) => (await toldOf(device)).map(([type]) => type);
const rowOf = ({ id }: Device) => database.db.device.findUniqueOrThrow({ where: { id } });

/** A node writes that the camera sends frames; the newest is so many seconds old. */
const gaveFrame = (device: Device, secondsAgo = 0) =>
  writeDevicesSeen(database.db, [
    {
      deviceId: device.id,
      lastFrameMs: Date.now() - secondsAgo * 1000,
      onlineStatus: 'online',
      silentMs: secondsAgo * 1000,
    },
  ]);
/** A node writes that no frame came for 30 seconds. */
const fellSilent = (device: Device, lastFrameMs: number | null = null) =>
  writeDevicesSeen(database.db, [
    { deviceId: device.id, lastFrameMs, onlineStatus: 'offline', silentMs: 30_000 },
  ]);
const probed = (device: Device, onlineStatus: Device['onlineStatus'], error: string | null = null) =>
  writePresence(database.db, device, {
    onlineStatus,
    info: null,
    fault: error === null ? null : { reason: 'connection_refused', sentence: error },
    failedForMs: 10_000,
  });

const BROKE_OFF = 'The camera broke off while it was read.';
/** The stream stops after so many restarts, by default all without a frame. */
const stops = (
  device: Device,
  restartsInARow: number,
  { isUndecodable = false, restartsWithoutFrame = restartsInARow } = {},
) =>
  storeStreamReport(
    database.db,
    {
      type: 'stream',
      deviceId: device.id,
      event: 'failed',
      message: BROKE_OFF,
      faultReason: 'broken_off',
      isUndecodable,
      restartsInARow,
      restartsWithoutFrame,
      info: null,
    },
    device.streamRevision,
  );

describe('device_offline and device_online', () => {
  test('they come in pairs, once each, also when several nodes write the same at once', async () => {
    const device = await deviceOf('unknown');
    const lastFrameMs = Date.now();
    const thrice = (write: () => Promise<void>) => Promise.all([1, 2, 3].map(write));
    await thrice(() => gaveFrame(device));
    expect(await typesOf(device)).toEqual([]);
    await thrice(() => fellSilent(device, lastFrameMs));
    await thrice(() => gaveFrame(device));
    await thrice(() => fellSilent(device, lastFrameMs));
    const about = { deviceId: device.id, deviceName: 'Camera', lastFrameAt: expect.any(String) };
    expect(await toldOf(device)).toEqual([
      ['device_offline', { ...about, lastFrameAt: new Date(lastFrameMs).toISOString() }],
      ['device_online', { ...about, offlineForSeconds: expect.any(Number) }],
      ['device_offline', { ...about, lastFrameAt: new Date(lastFrameMs).toISOString() }],
    ]);
  });

  test('offlineForSeconds counts from the last frame, or from the first failed probe, not from the event', async () => {
    const [streamed, idle] = [await deviceOf('online'), await deviceOf('online')];
    await fellSilent(streamed);
    await gaveFrame(streamed);
    await probed(idle, 'offline');
    await probed(idle, 'online');
    const secondsOf = async (device: Device) => Number((await toldOf(device))[1]![1].offlineForSeconds);
    const [silent, failed] = [await secondsOf(streamed), await secondsOf(idle)];
    expect([silent >= 30, silent < 60, failed >= 10, failed < 40]).toEqual([true, true, true, true]);
  });

  test('device_offline after a failed probe has the error', async () => {
    const device = await deviceOf('online');
    await probed(device, 'offline', 'The camera refuses the connection.');
    await probed(device, 'offline', 'The camera refuses the connection.');
    await gaveFrame(device);
    expect(await toldOf(device)).toMatchObject([
      ['device_offline', { error: 'The camera refuses the connection.', lastFrameAt: null }],
      ['device_online', {}],
    ]);
  });

  test('without a device_offline there is no device_online', async () => {
    const [found, absent] = [await deviceOf('unknown'), await deviceOf('unknown')];
    await probed(found, 'online');
    await gaveFrame(found);
    await probed(absent, 'offline', 'The camera refuses the connection.');
    await probed(absent, 'online');
    await gaveFrame(absent);
    expect([await typesOf(found), await typesOf(absent)]).toEqual([[], []]);
  });

  test('a probe that neither finds a video nor a fault sends no event', async () => {
    const [there, gone] = [await deviceOf('online'), await deviceOf('online')];
    await probed(there, 'unknown');
    await fellSilent(gone);
    await probed(gone, 'unknown');
    expect([await typesOf(there), await typesOf(gone)]).toEqual([[], ['device_offline']]);
    await gaveFrame(gone);
    expect(await typesOf(gone)).toEqual(['device_offline', 'device_online']);
  });

  test('device_online follows at a new address when device_offline was sent at the old one', async () => {
    const device = await deviceOf('online');
    await fellSilent(device);
    const { userId, id } = device;
    const moved = await updateDevice(
      database.db,
      { userId, id, now: new Date() },
      { streamUrlEncrypted: 'other' },
    );
    expect(moved).toMatchObject({ onlineStatus: 'unknown', lastError: null, lastErrorAt: null });
    await probed(moved!, 'offline');
    expect(await typesOf(device)).toEqual(['device_offline']);
    await gaveFrame(device);
    expect(await typesOf(device)).toEqual(['device_offline', 'device_online']);
  });

  test('no event is sent for a deleted device, or by a probe of a former address', async () => {
    const { db } = database;
    const gone = await deviceOf('online');
    await db.device.update({ where: { id: gone.id }, data: { deletedAt: new Date() } });
    await fellSilent(gone);
    const moved = await deviceOf('online');
    await db.device.update({ where: { id: moved.id }, data: { streamRevision: 2 } });
    await probed(moved, 'offline');
    expect([await typesOf(gone), await typesOf(moved)]).toEqual([[], []]);
    expect((await rowOf(moved)).onlineStatus).toBe('online');
  });
});

describe('device_analysis_error', () => {
  test('it is sent once, at the third restart in a row', async () => {
    const device = await deviceOf('online');
    await stops(device, 1);
    await stops(device, 2);
    expect(await typesOf(device)).toEqual([]);
    await Promise.all([stops(device, 3), stops(device, 3), stops(device, 4)]);
    expect(await toldOf(device)).toMatchObject([['device_analysis_error', { error: BROKE_OFF }]]);
  });

  test('it is not sent again in the same outage by a write without a newer frame, a new lane or another node', async () => {
    const device = await deviceOf('online');
    await stops(device, 3);
    const { outageNotifiedAt, lastErrorAt } = await rowOf(device);
    for (let restarts = 4; restarts < 8; restarts++) {
      // The newest frame that the node knows is older than the outage.
      await gaveFrame(device, 5);
      await stops(device, restarts);
    }
    for (let restarts = 1; restarts < 5; restarts++) await stops(device, restarts);
    await fellSilent(device, Date.now() - 30_000);
    await stops(device, 5);
    expect(await typesOf(device)).toEqual(['device_analysis_error', 'device_offline']);
    const row = await rowOf(device);
    expect([row.outageNotifiedAt, row.lastError]).toEqual([outageNotifiedAt, BROKE_OFF]);
    expect(row.lastErrorAt!.getTime()).toBeGreaterThan(lastErrorAt!.getTime());
  });

  test('it is sent again for another outage, after a frame that is newer than the first outage', async () => {
    const device = await deviceOf('online');
    await stops(device, 3);
    await gaveFrame(device, -1);
    expect(await rowOf(device)).toMatchObject({ lastError: null, lastErrorAt: null, outageNotifiedAt: null });
    await stops(device, 1, { isUndecodable: true });
    await stops(device, 3);
    expect(await typesOf(device)).toEqual(['device_analysis_error', 'device_analysis_error']);
  });

  test('the end of an outage of less than 30 s sends no event', async () => {
    const device = await deviceOf('online');
    await stops(device, 3);
    await gaveFrame(device, -1);
    expect(await typesOf(device)).toEqual(['device_analysis_error']);
  });

  test('a stream with a few frames after each restart is one outage until no frames come at all', async () => {
    const device = await deviceOf('online');
    const flaps = async (restarts: number) => {
      await stops(device, restarts, { restartsWithoutFrame: 1 });
      await gaveFrame(device, -1);
    };
    for (let restarts = 1; restarts < 9; restarts++) await flaps(restarts);
    expect(await typesOf(device)).toEqual(['device_analysis_error']);
    for (const without of [1, 2, 3, 4]) await stops(device, 8 + without, { restartsWithoutFrame: without });
    expect(await typesOf(device)).toEqual(['device_analysis_error', 'device_analysis_error']);
  });

  test('an error that is newer than the newest frame stays', async () => {
    const device = await deviceOf('online');
    await stops(device, 1);
    await gaveFrame(device, 5);
    expect((await rowOf(device)).lastError).toBe(BROKE_OFF);
    await gaveFrame(device, -1);
    expect((await rowOf(device)).lastError).toBeNull();
  });
});

test('warnings of the same reason about several scenes begin and end each for itself', async () => {
  const device = await deviceOf('online');
  const [one, other] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
  const about = (sceneId?: string): Warning => ({
    ...{ reason: 'people_beside_zone', message: 'They are not counted.', sinceMs: 0 },
    ...(sceneId && { sceneId }),
  });
  const write = (warnings: Warning[]) =>
    writeDeviceConditions(database.db, device.id, new Map([[device.id, { fault: null, warnings }]]));
  await write([about(one)]);
  await write([about(one), about(other)]);
  await write([about(other), about(one)]);
  await write([about(other), about()]);
  await write([]);
  const edges = (await toldOf(device)).map(([, { state, sceneId }]) => `${state} ${sceneId ?? 'camera'}`);
  expect(edges.slice(0, 2)).toEqual([`began ${one}`, `began ${other}`]);
  expect(edges.slice(2, 4).sort()).toEqual(['began camera', `ended ${one}`]);
  expect(edges.slice(4).sort()).toEqual([`ended ${other}`, 'ended camera'].sort());
});
