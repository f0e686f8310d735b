import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Warning } from '../../../src/cameras/devices/condition.ts';
import { findSceneFeet, loadFeet } from '../../../src/metrics/floor/feet/feet.store.ts';
import { leaveProposal } from '../../../src/metrics/floor/feet/leave-proposal.ts';
import { readFeet } from '../../../src/metrics/floor/feet/read-feet.ts';
import { RunFeet } from '../../../src/metrics/floor/feet/run-feet.ts';
import type { Device } from '../../../src/platform/prisma-client/client.ts';
import { sceneConfigSchema } from '../../../src/vision/scene-config.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';
import { TestNode } from '../../support/test-node.ts';

const NOW = Date.parse('2026-01-05T10:00:00Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const ZONES = {
  queueZone: {
    type: 'polygon',
    points: [
      [0.1, 0.6],
      [0.4, 0.6],
      [0.4, 0.9],
      [0.1, 0.9],
    ],
  },
  checkoutZone: {
    type: 'polygon',
    points: [
      [0.5, 0.6],
      [0.8, 0.6],
      [0.8, 0.8],
      [0.5, 0.8],
    ],
  },
};

const STATS = {
  ...{
    processedFrames: 0,
    skippedFrames: 0,
    heldFrames: 0,
    droppedFrames: 0,
    deliveredFrames: 0,
    isDecoderBehind: false,
  },
  ...{ decoding: 'all' as const, isDecodingLeast: false, ownFps: 5, analysed: null, restarts: 0, lagMs: 0 },
  ...{ fps: 5, avgProcessingTimeMs: 1, fault: null },
};

/** Somebody stands cut off above the checkout zone, now this one and now that one. */
function stand(node: TestNode, deviceId: string, seconds: number): void {
  for (let second = 0; second < seconds; second++) {
    const id = Math.floor(second / 20) + 1;
    node.tracks = [{ id, box: { left: 0.6, right: 0.7, top: 0.35, bottom: 0.55 }, zone: null }];
    node.skip(0.8);
    node.frame(deviceId);
  }
}

const told = async (deviceId: string) =>
  (
    await database.db.event.findMany({
      where: { type: 'device_warning', deviceId },
      orderBy: { createdAt: 'asc' },
    })
  ).map(({ body }) => JSON.parse(Buffer.from(body).toString()).data);

async function queueZones(device: Device) {
  const { db } = database;
  const queued = await queueScene(db, device);
  const { config } = await db.scene.findUniqueOrThrow({ where: { id: queued.scene.id } });
  const data = { config: { ...(config as object), zones: ZONES } };
  await db.scene.update({ where: { id: queued.scene.id }, data });
  return queued;
}

test('each scene of a device has its own warning, which begins and ends by itself', async () => {
  const { db } = database;
  const device = await addDevice(db);
  const [one, other] = [await queueZones(device), await queueZones(device)];
  const node = await TestNode.join(db, 'both', { leaseSeconds: 600 });
  await node.supervisor.claim();
  node.forwardTo(new Date(NOW).toISOString());
  const report = () => node.events.onStats({ ...STATS, deviceId: device.id, warnings: [] });
  const warned = async () => {
    const { warnings } = await db.device.findUniqueOrThrow({ where: { id: device.id } });
    return (warnings as { sceneId: string }[]).map(({ sceneId }) => sceneId).sort();
  };
  stand(node, device.id, 601);
  report();
  await node.supervisor.record();
  expect(await warned()).toEqual([one.scene.id, other.scene.id].sort());
  const began = await told(device.id);
  expect(began.map(({ sceneId, state }) => `${state} ${sceneId}`).sort()).toEqual(
    [one, other].map(({ scene }) => `began ${scene.id}`).sort(),
  );

  // Somebody leaves the proposal of one scene: its warning ends with the next minute, also on the next node.
  const { zone, polygon } = (await readFeet(db, { userId: device.userId, sceneId: one.scene.id })).proposal!;
  await leaveProposal(db, { userId: device.userId, sceneId: one.scene.id }, { zone, polygon });
  stand(node, device.id, 61);
  await node.supervisor.record();
  report();
  await node.supervisor.record();
  expect(await warned()).toEqual([other.scene.id]);
  expect((await told(device.id)).slice(2)).toMatchObject([{ state: 'ended', sceneId: one.scene.id }]);
  const { sample } = (await findSceneFeet(db, device.userId, one.scene.id))!;
  expect(new RunFeet(sceneConfigSchema.parse({ zones: ZONES }).zones, sample).advice).toBeNull();
});

test('people cut off beside a zone make a warning of the device, which ends when the camera is turned', async () => {
  const { db } = database;
  const device = await addDevice(db);
  const { scene, task } = await queueZones(device);
  const first = await TestNode.join(db, 'first', { leaseSeconds: 600 });
  await first.supervisor.claim();
  first.forwardTo(new Date(NOW).toISOString());
  const report = (node: TestNode, warnings: Warning[] = []) =>
    node.events.onStats({ ...STATS, deviceId: device.id, warnings });
  const stored = async () => (await db.device.findUniqueOrThrow({ where: { id: device.id } })).warnings;

  stand(first, device.id, 601);
  report(first);
  await first.supervisor.record();
  const begun = {
    reason: 'people_beside_zone',
    sceneId: scene.id,
    message: expect.stringContaining('just outside the checkout zone'),
    since: expect.any(String),
  };
  expect(await stored()).toEqual([begun]);
  expect(await told(device.id)).toMatchObject([
    { reason: 'people_beside_zone', state: 'began', sceneId: scene.id },
  ]);
  const sample = (await loadFeet(db, scene.id))!;
  expect(sample.points.length).toBeGreaterThan(30);

  // Another node goes on with the sample and tells nothing twice.
  const second = await TestNode.join(db, 'second', { renewSeconds: 0 });
  await db.runLease.updateMany({ where: { taskId: task.id }, data: { expiresAt: new Date(0) } });
  await second.supervisor.record();
  await second.supervisor.renew();
  await second.supervisor.claim();
  second.forwardTo(new Date(NOW + 620_000).toISOString());
  stand(second, device.id, 61);
  report(second);
  await second.supervisor.record();
  expect(await stored()).toEqual([begun]);
  expect((await loadFeet(db, scene.id))!.points.slice(0, 30)).toEqual(sample.points.slice(0, 30));
  // What the first node still sees finds no lease.
  stand(first, device.id, 121);
  await first.supervisor.record();
  expect((await loadFeet(db, scene.id))!.minute).toBeLessThan(NOW / 60_000 + 12);

  report(second, [{ reason: 'view_changed', message: 'It was turned.', sinceMs: NOW }]);
  stand(second, device.id, 61);
  await second.supervisor.record();
  expect(await stored()).toMatchObject([{ reason: 'view_changed' }]);
  expect((await loadFeet(db, scene.id))!.points).toEqual([]);
  expect((await told(device.id)).slice(1)).toMatchObject([
    { reason: 'people_beside_zone', state: 'ended' },
    { reason: 'view_changed', state: 'began' },
  ]);
});
