import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cameraStats } from '../../../../scripts/support/silent-lanes.ts';
import { type DeviceCondition, presentCondition } from '../../../../src/cameras/devices/condition.ts';
import { presentDecoding } from '../../../../src/cameras/devices/decoding/decoding.ts';
import { updateDevice } from '../../../../src/cameras/devices/device.store.ts';
import { writePresence } from '../../../../src/cameras/devices/presence.store.ts';
import { CameraStates } from '../../../../src/runs/record/cameras/camera-states.ts';
import { type TestDatabase, testDatabase } from '../../../support/database.ts';
import { addDevice } from '../../../support/rows/runs.ts';
import { told } from '../../../support/told.ts';

const SINCE_MS = Date.parse('2026-01-31T08:00:00.000Z');
const SINCE = new Date(SINCE_MS).toISOString();
const DAMAGED: DeviceCondition = {
  fault: { reason: 'damaged_video', message: 'Pictures arrive damaged.', sinceMs: SINCE_MS },
  warnings: [{ reason: 'view_changed', message: 'The camera was turned.', sinceMs: SINCE_MS }],
};
const NONE: DeviceCondition = { fault: null, warnings: [] };
const AT = { nowMs: 0, frameMs: SINCE_MS, requestedFps: 5 };
const silent = { info: () => undefined, warn: () => undefined };
const states = () =>
  new CameraStates({ nodeId: crypto.randomUUID(), log: silent, onOverload: () => undefined });

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const atOnce = (_: string, work: () => Promise<void>) => work();

const shown = async (id: string) =>
  presentCondition(await database.db.device.findUniqueOrThrow({ where: { id } }));

describe('the faults and warnings of cameras', () => {
  test('are stored with the device while they last', async () => {
    const { id } = await addDevice(database.db);
    const cameras = states();
    cameras.add(id, 0, SINCE_MS);
    cameras.report(id, cameraStats(id, DAMAGED), AT);
    await cameras.store(database.db, 1_000, atOnce);
    expect(await shown(id)).toEqual({
      fault: { reason: 'damaged_video', message: 'Pictures arrive damaged.', since: SINCE },
      warnings: [{ reason: 'view_changed', message: 'The camera was turned.', since: SINCE }],
    });
    cameras.report(id, cameraStats(id, NONE), AT);
    await cameras.store(database.db, 2_000, atOnce);
    expect(await shown(id)).toEqual(NONE);
  });

  test('what decoding costs is stored where it has changed, and forgotten with the address', async () => {
    const { db } = database;
    const { id, userId } = await addDevice(db);
    const cameras = states();
    const stored = async () => presentDecoding(await db.device.findUniqueOrThrow({ where: { id } }));
    const report = async (stream: 'main' | 'second', percent: number) => {
      cameras.report(id, { ...cameraStats(id, NONE), decodingCost: { stream, percent } }, AT);
      await cameras.store(db, 1_000, atOnce);
      return stored();
    };
    const change = async (columns: object) => {
      await updateDevice(db, { userId, id, now: new Date(SINCE_MS) }, columns);
      return stored();
    };
    const known = { mainPercent: 19.2, secondPercent: null, savedPercent: null, unknown: 'no_second_stream' };
    expect(await report('main', 19.24)).toEqual(known);
    expect(await report('main', 20)).toEqual(known);
    // Its second stream is none of the device.
    expect(await report('second', 4)).toEqual(known);
    expect(await change({ analysisStreamUrlEncrypted: 'k:1' })).toMatchObject({
      unknown: 'second_not_measured',
    });
    expect(await report('second', 2)).toEqual({
      ...{ mainPercent: 19.2, secondPercent: 2, savedPercent: 17.2, unknown: null },
    });
    expect(await change({ streamUrlEncrypted: 'k:2' })).toEqual({
      ...{ mainPercent: null, secondPercent: 2, savedPercent: null, unknown: 'main_not_measured' },
    });
    expect(await change({ analysisStreamUrlEncrypted: null })).toMatchObject({ secondPercent: null });
  });

  test('are stored when they change, not each second', async () => {
    const { id } = await addDevice(database.db);
    const cameras = states();
    cameras.report(id, cameraStats(id, DAMAGED), AT);
    await cameras.store(database.db, 1_000, atOnce);
    await database.db.device.update({ where: { id }, data: { warnings: [] } });
    cameras.report(id, cameraStats(id, structuredClone(DAMAGED)), AT);
    await cameras.store(database.db, 2_000, atOnce);
    expect((await shown(id)).warnings).toEqual([]);
  });

  test('end when the node stops streaming the camera, and when a probe reaches the idle camera', async () => {
    const { db } = database;
    const device = await addDevice(db);
    const cameras = states();
    for (const end of [
      () => cameras.remove(device.id),
      () => writePresence(db, device, { onlineStatus: 'online', info: null, fault: null }),
    ]) {
      cameras.report(device.id, cameraStats(device.id, DAMAGED), AT);
      await cameras.store(db, 1_000, atOnce);
      expect((await shown(device.id)).fault).not.toBeNull();
      await Promise.resolve(end());
      await cameras.store(db, 2_000, atOnce);
      expect(await shown(device.id)).toEqual(NONE);
    }
  });

  test('cause one device_warning event when a warning begins and one when it ends', async () => {
    const { db } = database;
    const { id } = await addDevice(db);
    const cameras = states();
    for (const condition of [DAMAGED, structuredClone(DAMAGED), NONE, NONE]) {
      cameras.report(id, cameraStats(id, condition), AT);
      await cameras.store(db, 1_000, atOnce);
    }
    const about = { deviceId: id, reason: 'view_changed', message: 'The camera was turned.', since: SINCE };
    expect(await told(db, { deviceId: id })).toMatchObject([
      { type: 'device_warning', data: { ...about, state: 'began' } },
      { type: 'device_warning', data: { ...about, state: 'ended' } },
    ]);
  });
});
