import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Warning } from '../../src/devices/condition.ts';
import { loadFeet } from '../../src/floor/feet/feet.store.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';
import { TestNode } from '../support/test-node.ts';

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
  ...{ processedFrames: 0, skippedFrames: 0, droppedFrames: 0, deliveredFrames: 0, isDecoderBehind: false },
  ...{ decoding: 'all' as const, isDecodingLeast: false, ownFps: 5, analysed: null, restarts: 0, lagMs: 0 },
  ...{ fps: 5, avgProcessingTimeMs: 1, fault: null },
};

test('people cut off beside a zone make a warning of the device, which ends when the camera is turned', async () => {
  const { db } = database;
  const device = await addDevice(db);
  const { scene, task } = await queueScene(db, device);
  const { config } = await db.scene.findUniqueOrThrow({ where: { id: scene.id } });
  await db.scene.update({
    where: { id: scene.id },
    data: { config: { ...(config as object), zones: ZONES } },
  });
  const first = await TestNode.join(db, 'first');
  await first.supervisor.claim();
  first.forwardTo(new Date(NOW).toISOString());
  const stand = (node: TestNode, seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      const id = Math.floor(second / 20) + 1;
      node.tracks = [{ id, box: { left: 0.6, right: 0.7, top: 0.35, bottom: 0.55 }, zone: null }];
      node.skip(0.8);
      node.frame(device.id);
    }
  };
  const report = (node: TestNode, warnings: Warning[] = []) =>
    node.events.onStats({ ...STATS, deviceId: device.id, warnings });
  const stored = async () => (await db.device.findUniqueOrThrow({ where: { id: device.id } })).warnings;
  const told = async () =>
    (await db.event.findMany({ where: { type: 'device_warning' }, orderBy: { createdAt: 'asc' } })).map(
      ({ body }) => JSON.parse(Buffer.from(body).toString()).data,
    );

  stand(first, 601);
  report(first);
  await first.supervisor.record();
  const begun = {
    reason: 'people_beside_zone',
    sceneId: scene.id,
    message: expect.stringContaining('just outside the checkout zone'),
    since: expect.any(String),
  };
  expect(await stored()).toEqual([begun]);
  expect(await told()).toMatchObject([{ reason: 'people_beside_zone', state: 'began', sceneId: scene.id }]);
  const sample = (await loadFeet(db, scene.id))!;
  expect(sample.points.length).toBeGreaterThan(30);

  // Another node goes on with the sample and tells nothing twice.
  const second = await TestNode.join(db, 'second', { renewSeconds: 0 });
  await db.runLease.updateMany({ where: { taskId: task.id }, data: { expiresAt: new Date(0) } });
  await second.supervisor.record();
  await second.supervisor.renew();
  await second.supervisor.claim();
  second.forwardTo(new Date(NOW + 620_000).toISOString());
  stand(second, 61);
  report(second);
  await second.supervisor.record();
  expect(await stored()).toEqual([begun]);
  expect((await loadFeet(db, scene.id))!.points.slice(0, 30)).toEqual(sample.points.slice(0, 30));
  // What the first node still sees finds no lease.
  stand(first, 121);
  await first.supervisor.record();
  expect((await loadFeet(db, scene.id))!.minute).toBeLessThan(NOW / 60_000 + 12);

  report(second, [{ reason: 'view_changed', message: 'It was turned.', sinceMs: NOW }]);
  stand(second, 61);
  await second.supervisor.record();
  expect(await stored()).toMatchObject([{ reason: 'view_changed' }]);
  expect((await loadFeet(db, scene.id))!.points).toEqual([]);
  expect((await told()).slice(1)).toMatchObject([
    { reason: 'people_beside_zone', state: 'ended' },
    { reason: 'view_changed', state: 'began' },
  ]);
});
