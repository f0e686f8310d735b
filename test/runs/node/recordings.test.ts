import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { cameraStats } from '../../../scripts/support/silent-lanes.ts';
import type { Config } from '../../../src/platform/config.ts';
import { requestStop } from '../../../src/runs/store/stop-runs.store.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type QueuedRecording, queueRecording, type RecordedFile } from '../../support/rows/recorded.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';
import { TestNode } from '../../support/test-node.ts';
import { RECORDED_AT, RecordedLane } from './recorded-lane.ts';

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'recordings-test-'));
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  await database.db.user.deleteMany();
  await database.db.computeNode.deleteMany();
});

const joined = (name: string, changes: Partial<Config> = {}) =>
  TestNode.join(database.db, name, { dataDir, leaseSeconds: 600, renewSeconds: 0, ...changes });
const queued = (options: Partial<RecordedFile> = {}) =>
  queueRecording(database.db, { imagesDir: dataDir, ...options });
const taskOf = ({ task }: Pick<QueuedRecording, 'task'>) =>
  database.db.analysisTask.findUniqueOrThrow({ where: { id: task.id } });
const isOpen = (node: TestNode, { device }: Pick<QueuedRecording, 'device'>) =>
  eventually('the recording is given to a lane', async () => node.lanes.cameras.has(device.id));

/** Claims, and waits until a lane has the recording. */
async function claimed(node: TestNode, recording: QueuedRecording): Promise<RecordedLane> {
  await node.supervisor.claim();
  await isOpen(node, recording);
  return new RecordedLane(node, recording);
}

describe('a node claims recordings', () => {
  test('after all cameras that it can take, and at most one of them', async () => {
    const node = await joined('order');
    const recordings = [await queued(), await queued()];
    const camera = await addDevice(database.db);
    await queueScene(database.db, camera, { priority: 5 });
    await node.supervisor.claim();
    await isOpen(node, recordings[0]!);
    expect([...node.lanes.cameras.keys()]).toEqual([camera.id, recordings[0]!.device.id]);
    expect((await taskOf(recordings[1]!)).status).toBe('QUEUED');
  });

  test('only into places that no camera uses, and as many as configured', async () => {
    const full = await joined('full');
    full.maxDevices = 1;
    await queueScene(database.db, await addDevice(database.db));
    const recordings = [await queued(), await queued(), await queued()];
    await full.supervisor.claim();
    expect(full.lanes.cameras.size).toBe(1);
    const none = await joined('none', { maxConcurrentRecordings: 0 });
    await none.supervisor.claim();
    const two = await joined('two', { maxConcurrentRecordings: 2 });
    await two.supervisor.claim();
    const states = await Promise.all(recordings.map(taskOf));
    expect(states.map(({ computeNodeId }) => computeNodeId)).toEqual([two.member.id, two.member.id, null]);
  });

  test('and does not count them as cameras', async () => {
    const node = await joined('count');
    const lane = await claimed(node, await queued());
    lane.send(1);
    await node.supervisor.renew();
    const row = await database.db.computeNode.findUniqueOrThrow({ where: { id: node.member.id } });
    expect(row.activeDeviceCount).toBe(0);
  });

  test('and gives one back when a camera needs its place: another node continues after the last frame', async () => {
    const node = await joined('small');
    node.maxDevices = 1;
    const recording = await queued();
    const where = { deviceId: recording.device.id };
    await database.db.recording.updateMany({ where, data: { videoTrack: 2 } });
    const lane = await claimed(node, recording);
    lane.send(12);
    const camera = await addDevice(database.db);
    await queueScene(database.db, camera);
    await node.supervisor.claim();
    await eventually('it is queued again', async () => (await taskOf(recording)).status === 'QUEUED');
    expect([...node.lanes.cameras.keys()]).toEqual([camera.id]);
    expect((await taskOf(recording)).positionMs).toBe(11_800);
    await node.supervisor.claim();
    expect((await taskOf(recording)).status).toBe('QUEUED');
    const other = await joined('large');
    await claimed(other, recording);
    expect(other.lanes.cameras.get(recording.device.id)!.recording).toEqual({
      recordedAtMs: RECORDED_AT,
      afterMs: 11_800,
      videoTrack: 2,
    });
  });

  test('and gives it back while it is overloaded', async () => {
    const node = await joined('overloaded');
    const recording = await queued();
    const camera = await addDevice(database.db);
    await queueScene(database.db, camera);
    await claimed(node, recording);
    for (node.seconds = 0; node.seconds <= 75; node.seconds++) {
      node.frame(camera.id);
      const frames = { processedFrames: node.seconds, deliveredFrames: 5 * node.seconds };
      node.events.onStats(cameraStats(camera.id, { ...frames, droppedFrames: 4 * node.seconds }));
    }
    await node.supervisor.claim();
    await eventually('it is queued again', async () => (await taskOf(recording)).status === 'QUEUED');
  });

  test('unless the file is missing: then the run fails and says so', async () => {
    const node = await joined('missing');
    const recording = await queued();
    const { objectKey } = await database.db.recording.findFirstOrThrow({
      where: { deviceId: recording.device.id },
    });
    await rm(join(dataDir, objectKey));
    await node.supervisor.claim();
    await eventually('the run ends', async () => {
      await node.supervisor.record();
      return (await taskOf(recording)).status === 'FAILED';
    });
    expect((await taskOf(recording)).errorMessage).toMatch(/file of the recording is missing/);
  });
});

describe('the rows of a recording', () => {
  /** Visits, minutes and totals of a scene, without what each run has for itself. */
  async function rowsOf({ scene }: QueuedRecording) {
    const where = { sceneId: scene.id };
    const visits = await database.db.visit.findMany({ where, orderBy: { number: 'asc' } });
    const minutes = await database.db.occupancyMinute.findMany({ where, orderBy: { minute: 'asc' } });
    const totals = await database.db.sceneTotals.findUniqueOrThrow({ where });
    const snapshots = await database.db.metricSnapshot.findMany({ where, orderBy: { windowEnd: 'asc' } });
    return {
      visits: visits.map(({ id: _, taskId: __, sceneId: ___, createdAt: ____, ...row }) => row),
      minutes: minutes.map(({ sceneId: _, ...row }) => row),
      totals: { ...totals, sceneId: null, updatedAt: null },
      snapshots: snapshots.map(({ windowStart, windowEnd, numbers }) => [windowStart, windowEnd, numbers]),
    };
  }

  test('have the times of the video, from when it was recorded on', async () => {
    const node = await joined('times');
    const recording = await queued();
    const lane = await claimed(node, recording);
    lane.send(70);
    lane.end(true);
    await node.supervisor.record();
    expect(await taskOf(recording)).toMatchObject({
      status: 'COMPLETED',
      positionMs: 69_800,
      errorMessage: null,
    });
    const { visits, minutes, totals, snapshots } = await rowsOf(recording);
    expect(visits).toHaveLength(7);
    expect(visits[1]).toMatchObject({
      queueEnteredAt: new Date(RECORDED_AT + 7_000),
      arrivalDecidedAt: new Date(RECORDED_AT + 10_000),
      outcomeDecidedAt: new Date(RECORDED_AT + 15_000),
    });
    expect(minutes.map(({ minute, coveredMs }) => [minute.getTime() - RECORDED_AT, coveredMs])).toEqual([
      [0, 60_000],
      [60_000, 9_800],
    ]);
    expect(totals).toMatchObject({ arrivals: 7, abandonedCount: 7, since: new Date(RECORDED_AT) });
    expect(snapshots).toHaveLength(7);
  });

  test('are the same when node after node is killed before or after it has stored a batch', async () => {
    const whole = await queued();
    const first = await joined('whole');
    const lane = await claimed(first, whole);
    for (let batch = 0; batch < 13; batch++) lane.send(6);
    lane.end(true);
    await first.supervisor.record();

    const broken = await queued();
    let name = 0;
    for (let isOver = false; !isOver; ) {
      const node = await joined(`broken ${name++}`);
      const part = await claimed(node, broken);
      for (let batch = 0; batch < 3 && part.positionMs < 77_800; batch++) {
        part.send(6);
        await node.supervisor.record();
      }
      isOver = part.positionMs === 77_800;
      if (isOver) {
        part.end(true);
        await node.supervisor.record();
        break;
      }
      // These frames are lost with the node, which is dead: its lease lapses, and the next node reads them again.
      part.send(6);
      await database.db.runLease.updateMany({ data: { expiresAt: new Date(0) } });
    }
    expect(name).toBeGreaterThan(3);
    expect(await rowsOf(broken)).toEqual(await rowsOf(whole));
  });

  test('ignore a batch that was counted already', async () => {
    const node = await joined('twice');
    const recording = await queued();
    const lane = await claimed(node, recording);
    lane.send(12);
    const again = new RecordedLane(node, recording);
    again.positionMs = -200;
    again.send(12);
    again.send(3);
    await node.supervisor.record();
    expect(await taskOf(recording)).toMatchObject({ positionMs: 14_800 });
    const { visits, minutes } = await rowsOf(recording);
    expect(visits).toHaveLength(2);
    expect(minutes).toMatchObject([{ coveredMs: 14_800 }]);
  });

  test('continue from the state of the node when only the lane ends', async () => {
    const node = await joined('lane');
    const recording = await queued();
    (await claimed(node, recording)).send(12);
    const { recording: part, scenes } = node.events.requestedCamera(recording.device.id)!;
    expect(part!.afterMs).toBe(11_800);
    expect(JSON.parse(scenes[0]!.checkpoint!).open).toMatchObject([{ id: 2 }]);
  });

  test('continue from what is stored when the lease was not renewed in time', async () => {
    const node = await joined('paused', { leaseSeconds: 15 });
    const recording = await queued();
    const lane = await claimed(node, recording);
    lane.send(12);
    await node.supervisor.record();
    lane.send(6);
    node.seconds = 14.5;
    node.supervisor.watch();
    expect(node.lanes.cameras.size).toBe(0);
    lane.send(1);
    await node.supervisor.renew();
    await isOpen(node, recording);
    expect(node.lanes.cameras.get(recording.device.id)!.recording!.afterMs).toBe(11_800);
    const again = new RecordedLane(node, recording);
    again.send(20);
    again.end(true);
    await node.supervisor.record();
    expect(await taskOf(recording)).toMatchObject({ status: 'COMPLETED', positionMs: 31_800 });
    expect((await rowsOf(recording)).visits).toHaveLength(4);
  });

  test('are stored with the rate of the analysis, and the lane is told what is stored', async () => {
    const node = await joined('rate');
    const recording = await queued();
    const lane = await claimed(node, recording);
    for (node.seconds = 1; node.seconds <= 4; node.seconds++) lane.send(12);
    expect(node.lanes.storedBatches.size).toBe(0);
    await node.supervisor.record();
    expect(node.lanes.storedBatches.get(recording.device.id)).toBe(4);
    expect((await taskOf(recording)).stats).toMatchObject({ secondsPerSecond: expect.closeTo(12, 0) });
  });
});

describe('the end of a recording', () => {
  test('that is cancelled keeps what was stored, and its open visits are lost', async () => {
    const node = await joined('cancel');
    const recording = await queued();
    const lane = await claimed(node, recording);
    lane.send(12);
    const ids = [recording.task.id];
    const options = { reason: 'user_request', drain: false, deadlineSeconds: 5 } as const;
    await requestStop(database.db, { ids, deviceId: recording.device.id }, options);
    await node.supervisor.renew();
    expect(node.lanes.cameras.size).toBe(0);
    lane.end(false);
    await node.supervisor.record();
    expect(await taskOf(recording)).toMatchObject({
      status: 'COMPLETED',
      reason: 'user_request',
      positionMs: 11_800,
    });
    const visits = await database.db.visit.findMany({ orderBy: { number: 'asc' } });
    expect(visits.map(({ outcome }) => outcome)).toEqual(['abandoned', 'lost']);
  });

  test('that cannot be read any further fails with the reason and keeps what was stored', async () => {
    const node = await joined('broken');
    const recording = await queued();
    const lane = await claimed(node, recording);
    lane.send(12);
    lane.fail('The video ends at 0:12 of 1:00: the file is damaged or incomplete.');
    await node.supervisor.record();
    expect(await taskOf(recording)).toMatchObject({
      status: 'FAILED',
      errorMessage: 'The video ends at 0:12 of 1:00: the file is damaged or incomplete.',
    });
    expect(await database.db.visit.count()).toBe(2);
  });

  test('makes no events, and leaves the state of the device alone', async () => {
    const node = await joined('silent');
    const recording = await queued();
    const lane = await claimed(node, recording);
    lane.send(12);
    node.events.onStats(cameraStats(recording.device.id));
    await node.supervisor.record();
    await node.supervisor.renew();
    lane.end(true);
    await node.supervisor.record();
    await node.supervisor.stop();
    expect(await database.db.event.count()).toBe(0);
    expect(await database.db.nodeNotice.count()).toBe(0);
    const device = await database.db.device.findUniqueOrThrow({ where: { id: recording.device.id } });
    expect(device).toMatchObject({ lastFrameAt: null, fault: null, warnings: [], onlineStatus: 'online' });
  });
});

describe('the analysis of a recording', () => {
  const usage = () => database.db.usageEvent.findMany({ orderBy: { occurredAt: 'asc' } });

  test('is charged by the seconds of its video, in the month of the analysis', async () => {
    const node = await joined('charged');
    const recording = await queued({ recordedAt: '2024-02-29T23:59:30Z' });
    const lane = await claimed(node, recording);
    for (let batch = 0; batch < 3; batch++) {
      lane.send(30);
      await node.supervisor.record();
    }
    lane.end(true);
    await node.supervisor.record();
    const events = await usage();
    expect(events.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBe(90);
    const now = Date.now();
    for (const { occurredAt } of events) expect(Math.abs(occurredAt.getTime() - now)).toBeLessThan(60_000);
  });

  test('stores attribute records with the times of the video, each once, and charges them now', async () => {
    const recording = await queued({ plan: 'LEVEL_02' });
    for (const name of ['attributes', 'attributes again']) {
      const node = await joined(name);
      const lane = await claimed(node, recording);
      lane.hasPerson = true;
      lane.send(18);
      await node.supervisor.record();
      // Captures of frames that no transaction has stored come again with the next node.
      lane.send(10);
      await database.db.runLease.updateMany({ data: { expiresAt: new Date(0) } });
    }
    const records = await database.db.attributeRecord.findMany({ orderBy: { capturedAt: 'asc' } });
    expect(records.map(({ capturedAt }) => capturedAt.getTime() - RECORDED_AT)).toEqual([
      10_000, 20_000, 30_000,
    ]);
    const now = Date.now();
    const charged = (await usage()).filter(({ feature }) => feature === 'attribute');
    expect(charged.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBe(3);
    for (const { occurredAt } of charged) expect(Math.abs(occurredAt.getTime() - now)).toBeLessThan(60_000);
  });

  test('fails when the analysis seconds are used up, and says so', async () => {
    const node = await joined('unpaid');
    const recording = await queued();
    const { userId } = recording.device;
    await database.db.quotaBase.create({
      data: { scope: 'user', scopeId: userId, userId, feature: 'analysis', monthlyLimit: 20 },
    });
    const lane = await claimed(node, recording);
    lane.send(30);
    await node.supervisor.record();
    await node.supervisor.record();
    expect(await taskOf(recording)).toMatchObject({
      status: 'FAILED',
      reason: 'resource_constraint',
      errorMessage: expect.stringMatching(/analysis seconds of this month are used up/),
    });
  });
});
