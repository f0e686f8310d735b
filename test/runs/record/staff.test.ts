import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { auditHistory } from '../../../src/analytics/history/audit-history.ts';
import type { AnalysisTask, Scene } from '../../../src/platform/prisma-client/client.ts';
import type { QueueZones } from '../../../src/vision/types.ts';
import { discardVisit } from '../../../src/vision/zones/visit-states.ts';
import { waiting } from '../../metrics/visits.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';
import { TestNode } from '../../support/test-node.ts';
import { QUEUE_ONLY } from '../../vision/zones/walk.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
// What nodes stored adds up, with and without staff.
afterEach(async () => expect((await auditHistory(database.db)).differences).toEqual([]));

const ZONES: QueueZones = {
  ...QUEUE_ONLY,
  staffZone: {
    type: 'polygon',
    points: [
      [0.3, 0],
      [0.6, 0],
      [0.6, 1],
    ],
  },
};
/** A node that starts a run reads the visits of the last hour. */
const ENTERED_MS = Date.now() - 120_000;
const after = (seconds: number) => new Date(ENTERED_MS + seconds * 1000).toISOString();
const [STAFF, CUSTOMER] = [waiting(1, ENTERED_MS), waiting(2, ENTERED_MS)];
const NOBODY = {
  ...{ present: 0, people: 0, meanDecisionSeconds: null, longestDecisionSeconds: null, members: [] },
};
const FOUND = {
  ...{ present: 1, people: 1, meanDecisionSeconds: 63.4, longestDecisionSeconds: 63.4, members: [] },
};

const numbersOf = async ({ scene, task }: { scene: Scene; task: AnalysisTask }) => {
  const { db } = database;
  const { latestMetrics } = await db.scene.findUniqueOrThrow({ where: { id: scene.id } });
  const { stats } = await db.analysisTask.findUniqueOrThrow({ where: { id: task.id } });
  const totals = await db.sceneTotals.findUniqueOrThrow({ where: { sceneId: scene.id } });
  const visits = await db.visit.findMany({ where: { taskId: task.id }, orderBy: { number: 'asc' } });
  return { latestMetrics, stats, totals, visits };
};

test('a stored open visit that is discarded keeps its row, and no metric counts it on any node', async () => {
  const { db } = database;
  const node = await TestNode.join(db, 'a');
  const device = await addDevice(db);
  const run = await queueScene(db, device, { zones: ZONES });
  await node.supervisor.claim();
  node.staff = NOBODY;
  node.forwardTo(after(3));
  node.frame(device.id, [STAFF, CUSTOMER], [STAFF, CUSTOMER]);
  for (let frame = 0; frame < 60; frame++) node.frame(device.id, [], [STAFF, CUSTOMER]);
  await node.supervisor.record();
  expect(await numbersOf(run)).toMatchObject({
    latestMetrics: { current: { inQueue: 2 }, rolling5Min: { arrivals: 2 } },
    stats: { staff: NOBODY },
    totals: { arrivals: 2 },
    visits: [{ state: 'queued' }, { state: 'queued' }],
  });
  const { visits } = await numbersOf(run);
  const known = { ...STAFF, arrivalDecidedAtMs: visits[0]!.arrivalDecidedAt.getTime() };
  const written = await db.metricSnapshot.findMany({ where: { sceneId: run.scene.id } });

  node.staff = FOUND;
  node.frame(device.id, [discardVisit(known, ENTERED_MS)], [CUSTOMER]);
  for (let frame = 0; frame < 5; frame++) node.frame(device.id, [], [CUSTOMER]);
  await node.supervisor.record();
  const decided = {
    latestMetrics: { current: { inQueue: 1 }, rolling5Min: { arrivals: 1 }, total: { arrivals: 1 } },
    stats: { staff: FOUND },
    totals: { arrivals: 1, completedCount: 0, lostCount: 0 },
    visits: [
      { state: 'discarded', outcome: null, outcomeDecidedAt: expect.any(Date) },
      { state: 'queued', outcomeDecidedAt: null },
    ],
  };
  expect(await numbersOf(run)).toMatchObject(decided);
  // A window that has ended meanwhile adds a row.
  expect(await db.metricSnapshot.findMany({ where: { sceneId: run.scene.id } })).toEqual(
    expect.arrayContaining(written),
  );

  const next = await TestNode.join(db, 'b', { renewSeconds: 0 });
  await db.runLease.updateMany({ where: { taskId: run.task.id }, data: { expiresAt: new Date(0) } });
  await next.supervisor.record();
  await next.supervisor.renew();
  await next.supervisor.claim();
  next.staff = FOUND;
  next.forwardTo(after(20));
  for (let frame = 0; frame < 10; frame++) next.frame(device.id, [], [CUSTOMER]);
  await next.supervisor.record();
  expect(await numbersOf(run)).toMatchObject(decided);

  await db.analysisTask.update({ where: { id: run.task.id }, data: { stopRequestedAt: new Date() } });
  const { runId } = next.run(device.id);
  await next.supervisor.renew();
  next.events.onRunEnded({ type: 'runEnded', runId, endOfStream: false, last: null });
  await next.supervisor.record();
  expect(await numbersOf(run)).toMatchObject({
    stats: { staff: { ...FOUND, present: 0 } },
    totals: { arrivals: 1, completedCount: 0, lostCount: 1 },
    visits: [{ state: 'discarded', outcome: null }, { outcome: 'lost' }],
  });
});
