import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closed, inService, waiting } from '../../metrics/visits.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';
import { TestNode } from '../../support/test-node.ts';
import { QUEUE_ONLY } from '../../vision/zones/walk.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Where the zones are does not matter: the visits are given. */
const ZONES = { ...QUEUE_ONLY, checkoutZone: QUEUE_ONLY.queueZone };
const START_MS = Date.now() - 300_000;

test('a visit counts by the target of the moment, also on another node and after the target has changed', async () => {
  const { db } = database;
  const device = await addDevice(db);
  const run = await queueScene(db, device, { zones: ZONES });
  const target = (waitSeconds: number | null) =>
    db.scene.update({
      where: { id: run.scene.id },
      data: { targetWaitSeconds: waitSeconds, targetShare: waitSeconds && 0.9 },
    });
  await target(30);
  const node = await TestNode.join(db, 'a', { renewSeconds: 0 });
  await node.supervisor.claim();
  node.forwardTo(new Date(START_MS + 100_000).toISOString());
  /** Somebody who waited 40 s and was served, or gave up. */
  const ends = (id: number, outcome: 'completed' | 'abandoned', at = node) => {
    const queued = waiting(id, START_MS);
    const visit = outcome === 'completed' ? inService(queued, START_MS + 40_000) : queued;
    at.frame(
      device.id,
      [closed(visit, outcome, outcome === 'completed' ? START_MS + 90_000 : START_MS + 41_000)],
      [],
    );
  };
  ends(1, 'completed');
  ends(2, 'abandoned');
  await target(40);
  await node.supervisor.renew();
  ends(3, 'completed');
  ends(4, 'abandoned');
  await target(null);
  await node.supervisor.renew();
  ends(5, 'completed');
  for (let frame = 0; frame < 10; frame++) node.frame(device.id, [], []);
  await node.supervisor.record();

  const visits = await db.visit.findMany({ where: { sceneId: run.scene.id }, orderBy: { number: 'asc' } });
  expect(visits.map(({ isInTime }) => isInTime)).toEqual([false, false, true, true, null]);
  const counts = { inTimeCount: 1, lateCount: 1, gaveUpLateCount: 1, gaveUpEarlyCount: 1 };
  expect(await db.sceneTotals.findUniqueOrThrow({ where: { sceneId: run.scene.id } })).toMatchObject(counts);
  const level = { serviceLevel: 0.333, serviceLevelCount: 3, abandoned: { earlyCount: 1 } };
  const live = () => db.scene.findUniqueOrThrow({ where: { id: run.scene.id } });
  expect((await live()).latestMetrics).toMatchObject({ rolling60Min: level, total: level });

  const next = await TestNode.join(db, 'b', { renewSeconds: 0 });
  await db.runLease.updateMany({ where: { taskId: run.task.id }, data: { expiresAt: new Date(0) } });
  await next.supervisor.record();
  await next.supervisor.renew();
  await next.supervisor.claim();
  next.forwardTo(new Date(START_MS + 200_000).toISOString());
  for (let frame = 0; frame < 10; frame++) next.frame(device.id, [], []);
  await next.supervisor.record();
  expect((await live()).latestMetrics).toMatchObject({ rolling60Min: level, total: level });
});
