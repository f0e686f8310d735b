import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodeCells } from '../../../src/metrics/floor/encode-cells.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';
import { TestNode } from '../../support/test-node.ts';

const HOUR_MS = 3_600_000;
/** A node that claims a run loads the hour of its clock and the one before: also when the hour changes during the test. */
const HOUR = Math.floor((Date.now() + 120_000) / HOUR_MS) * HOUR_MS;
const CELL = 100;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const added = (seconds: number, hourMs = HOUR) => [
  { hourMs, coveredMs: Math.max(0, seconds * 1000), cells: [CELL, seconds * 1000, seconds * 0.1, 0] },
];

/** Seconds of presence and with frames of each stored hour of a scene. */
async function stored(sceneId: string): Promise<[hours: number, seconds: number, covered: number][]> {
  const rows = await database.db.floorHour.findMany({ where: { sceneId }, orderBy: { hour: 'asc' } });
  return rows.map(({ hour, cells, coveredMs }) => [
    (hour.getTime() - HOUR) / HOUR_MS,
    decodeCells(cells).ms[CELL]! / 1000,
    coveredMs / 1000,
  ]);
}

test('the floor map of a run outlives its node and goes on in the next run of the same hour', async () => {
  const { db } = database;
  const device = await addDevice(db);
  const { scene, task } = await queueScene(db, device);
  const first = await TestNode.join(db, 'first');
  await first.supervisor.claim();
  const see = (node: TestNode, changes: ReturnType<typeof added>) => {
    node.floor = changes;
    node.frame(device.id);
  };
  first.forwardTo(new Date(HOUR).toISOString());
  see(first, added(40, HOUR - HOUR_MS));
  see(first, added(2));
  await first.supervisor.record();
  expect(await stored(scene.id)).toEqual([
    [-1, 40, 40],
    [0, 2, 2],
  ]);

  // It is stored every 15 seconds, so that a killed node loses no more.
  see(first, added(2));
  await first.supervisor.record();
  expect((await stored(scene.id))[1]).toEqual([0, 2, 2]);
  first.skip(15);
  see(first, added(2));
  await first.supervisor.record();
  expect((await stored(scene.id))[1]).toEqual([0, 6, 6]);
  see(first, added(2));

  const second = await TestNode.join(db, 'second', { renewSeconds: 0 });
  await db.runLease.updateMany({ where: { taskId: task.id }, data: { expiresAt: new Date(0) } });
  await second.supervisor.record();
  await second.supervisor.renew();
  await second.supervisor.claim();
  second.forwardTo(new Date(HOUR + 30_000).toISOString());
  see(second, added(10));
  // Staff that was seen in the hour before.
  see(second, [{ ...added(-15, HOUR - HOUR_MS)[0]!, coveredMs: 0 }]);
  await second.supervisor.record();
  // The first node does not know yet that it lost the run.
  first.skip(15);
  see(first, added(100));
  await first.supervisor.record();
  expect(await stored(scene.id)).toEqual([
    [-1, 25, 40],
    [0, 16, 16],
  ]);

  see(second, added(3));
  await db.analysisTask.update({ where: { id: task.id }, data: { stopRequestedAt: new Date() } });
  const { runId } = second.run(device.id);
  await second.supervisor.renew();
  const observation = {
    ...{ sceneId: scene.id, timeMs: HOUR + 40_000, frameIndex: 0, tracks: [], changes: [] },
    ...{ open: { queued: 0, inService: 0 }, staff: null, floor: added(1) },
  };
  const last = { runId, observation, openVisits: [] };
  second.events.onRunEnded({ type: 'runEnded', runId, endOfStream: false, last });
  await second.supervisor.record();
  expect((await stored(scene.id))[1]).toEqual([0, 20, 20]);

  const { userId, deviceId, sceneId } = task;
  await db.analysisTask.create({ data: { userId, deviceId, sceneId } });
  await second.supervisor.claim();
  expect(second.run(device.id).sceneId).toBe(sceneId);
  second.forwardTo(new Date(HOUR + 60_000).toISOString());
  see(second, added(5));
  await second.supervisor.record();
  expect(await stored(scene.id)).toEqual([
    [-1, 25, 40],
    [0, 25, 25],
  ]);
});
