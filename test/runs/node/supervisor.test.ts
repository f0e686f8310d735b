import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setNetworks } from '../../../src/access/networks.ts';
import type { Visit } from '../../../src/vision/types.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';
import { TestNode } from '../../support/test-node.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.user.deleteMany();
});

const visit = (id: number, state: Visit['state']): Visit => ({
  id,
  trackId: id,
  state,
  queueEnteredAtMs: Date.parse('2026-01-05T09:59:00Z'),
  queueLeftAtMs: null,
  serviceStartedAtMs: state === 'closed' ? Date.parse('2026-01-05T09:59:30Z') : null,
  serviceEndedAtMs: state === 'closed' ? Date.parse('2026-01-05T09:59:50Z') : null,
  outcome: state === 'closed' ? 'completed' : null,
  arrivalDecidedAtMs: 0,
  outcomeDecidedAtMs: null,
});

const taskOf = (id: string) =>
  database.db.analysisTask.findUniqueOrThrow({ where: { id }, include: { scene: true } });

test('a node whose capacity grows claims the waiting cameras and stores its new capacity', async () => {
  const node = await TestNode.join(database.db, 'capacity');
  for (let i = 0; i < 3; i++) await queueScene(database.db, await addDevice(database.db));
  const claimed = () => node.lanes.cameras.size;
  const storedCapacity = async () =>
    (await database.db.computeNode.findUniqueOrThrow({ where: { id: node.member.id } })).maxConcurrentDevices;
  node.maxDevices = 1;
  await node.supervisor.claim();
  await node.supervisor.renew();
  expect([claimed(), await storedCapacity()]).toEqual([1, 1]);
  node.maxDevices = 2;
  await node.supervisor.claim();
  await node.supervisor.renew();
  expect([claimed(), await storedCapacity()]).toEqual([2, 2]);
});

describe('a run on a node', () => {
  test('is running from its first frame on, and its metrics are stored', async () => {
    const node = await TestNode.join(database.db, 'first-frame');
    const device = await addDevice(database.db);
    const { task, scene } = await queueScene(database.db, device);
    await node.supervisor.claim();
    await node.supervisor.record();
    expect(await taskOf(task.id)).toMatchObject({ status: 'PROCESSING', runStatus: 'initializing' });
    node.frame(device.id, [visit(1, 'queued')], [visit(1, 'queued')]);
    for (let frame = 0; frame < 60; frame++) node.frame(device.id, [], [visit(1, 'queued')]);
    await node.supervisor.record();
    const running = await taskOf(task.id);
    expect(running).toMatchObject({ runStatus: 'running', scene: { analysisStatus: 'running' } });
    expect(running.checkpoint).toEqual({ version: 1, visits: 1 });
    expect(running.scene.latestMetrics).toMatchObject({ current: { inQueue: 1 }, total: { arrivals: 1 } });
    expect(running.scene.updatedAt).toEqual(scene.updatedAt);
    const snapshots = await database.db.metricSnapshot.findMany({ where: { sceneId: scene.id } });
    expect(snapshots).toMatchObject([{ deviceId: device.id, computeNodeId: node.member.id }]);
    expect(await database.db.visit.findMany({ where: { taskId: task.id } })).toMatchObject([
      { number: 1, state: 'queued', outcomeDecidedAt: null },
    ]);
    expect(
      (await database.db.device.findUniqueOrThrow({ where: { id: device.id } })).lastFrameAt,
    ).not.toBeNull();
  });

  test('stores its last rows when it is stopped, and its open visits are lost', async () => {
    const node = await TestNode.join(database.db, 'stop');
    const device = await addDevice(database.db);
    const { task, scene } = await queueScene(database.db, device);
    await node.supervisor.claim();
    node.frame(device.id, [visit(1, 'queued')], [visit(1, 'queued')]);
    const { runId } = node.run(device.id);
    await database.db.analysisTask.update({ where: { id: task.id }, data: { stopRequestedAt: new Date() } });
    await node.supervisor.renew();
    expect(node.lanes.cameras.size).toBe(0);
    node.events.onRunEnded({ type: 'runEnded', runId, endOfStream: false, last: null });
    await node.supervisor.record();
    expect(await taskOf(task.id)).toMatchObject({
      status: 'COMPLETED',
      runStatus: 'stopped',
      scene: { analysisStatus: 'stopped', processingComputeNodeId: null },
    });
    expect(await database.db.metricSnapshot.count({ where: { sceneId: scene.id } })).toBe(1);
    const rolling = await database.db.rollingRecord.findMany({ where: { sceneId: scene.id } });
    expect(rolling.map(({ windowType }) => windowType).sort()).toEqual([
      '15min',
      '30min',
      '5min',
      '60min',
      'total',
    ]);
    expect(await database.db.visit.findMany({ where: { taskId: task.id } })).toMatchObject([
      { state: 'closed', outcome: 'lost' },
    ]);
    const totals = await database.db.sceneTotals.findUniqueOrThrow({ where: { sceneId: scene.id } });
    expect(totals).toMatchObject({ arrivals: 1, lostCount: 1, completedCount: 0 });
  });

  test('is stopped by the node when its lane does not answer in time', async () => {
    const node = await TestNode.join(database.db, 'mute-lane');
    const device = await addDevice(database.db);
    const { task } = await queueScene(database.db, device);
    await node.supervisor.claim();
    node.frame(device.id);
    await database.db.analysisTask.update({ where: { id: task.id }, data: { stopRequestedAt: new Date() } });
    await node.supervisor.renew();
    node.seconds = 2;
    node.supervisor.watch();
    await node.supervisor.record();
    expect((await taskOf(task.id)).status).toBe('PROCESSING');
    node.seconds = 3;
    node.supervisor.watch();
    await node.supervisor.record();
    expect((await taskOf(task.id)).status).toBe('COMPLETED');
  });

  test('is completed at the end of its recording', async () => {
    const node = await TestNode.join(database.db, 'file');
    const device = await addDevice(database.db);
    const { task } = await queueScene(database.db, device);
    await node.supervisor.claim();
    node.frame(device.id);
    const { runId } = node.run(device.id);
    node.events.onRunEnded({ type: 'runEnded', runId, endOfStream: true, last: null });
    await node.supervisor.record();
    expect(await taskOf(task.id)).toMatchObject({
      status: 'COMPLETED',
      runStatus: 'stopped',
      errorMessage: null,
    });
    expect(node.lanes.cameras.size).toBe(0);
  });

  test('fails with the reason when no frame came within five minutes', async () => {
    const node = await TestNode.join(database.db, 'no-frame', { leaseSeconds: 600 });
    const device = await addDevice(database.db);
    const { task } = await queueScene(database.db, device);
    await node.supervisor.claim();
    const deviceId = device.id;
    node.events.onStream({
      type: 'stream',
      deviceId,
      event: 'failed',
      message: 'The camera refuses.',
      faultReason: 'connection_refused',
      isUndecodable: false,
      restartsInARow: 0,
      restartsWithoutFrame: 0,
      info: null,
    });
    node.seconds = 299;
    node.supervisor.watch();
    expect(node.lanes.cameras.size).toBe(1);
    node.seconds = 301;
    node.supervisor.watch();
    await node.supervisor.record();
    expect(await taskOf(task.id)).toMatchObject({
      status: 'FAILED',
      runStatus: 'error',
      errorMessage: 'No frame came within 5 minutes of the start (The camera refuses.).',
      scene: { analysisStatus: 'error', status: 'active' },
    });
  });

  test('fails at once when the address of its stream is refused', async () => {
    const node = await TestNode.join(database.db, 'refused');
    const { task } = await queueScene(database.db, await addDevice(database.db, 'rtsp://127.0.0.1/stream'));
    await node.supervisor.claim();
    const failed = await taskOf(task.id);
    expect(failed.status).toBe('FAILED');
    expect(failed.errorMessage).toContain('127.0.0.1');
  });

  test('fails when its lane has crashed too often', async () => {
    const node = await TestNode.join(database.db, 'crashes');
    const device = await addDevice(database.db);
    const { task } = await queueScene(database.db, device);
    await node.supervisor.claim();
    node.events.onCrashLimit([device.id], 'SIGSEGV');
    await node.supervisor.record();
    expect(await taskOf(task.id)).toMatchObject({ status: 'FAILED', runStatus: 'error' });
  });

  test('gets a changed address, frame rate or accuracy with the next renewal', async () => {
    const node = await TestNode.join(database.db, 'changed');
    const device = await addDevice(database.db);
    await queueScene(database.db, device);
    await node.supervisor.claim();
    await database.db.device.update({ where: { id: device.id }, data: { analysisFps: 2 } });
    await node.supervisor.renew();
    expect(node.lanes.cameras.get(device.id)).toMatchObject({ fps: 2, url: 'sim:shop?seed=1' });
    await database.db.device.update({ where: { id: device.id }, data: { analysisAccuracy: 'high' } });
    await node.supervisor.renew();
    expect(node.lanes.cameras.get(device.id)).toMatchObject({ fps: 2, accuracy: 'high' });
  });

  test('analyses the part that its device asks for, with the next renewal; its stream stays open', async () => {
    const node = await TestNode.join(database.db, 'parts');
    const device = await addDevice(database.db);
    await queueScene(database.db, device);
    await node.supervisor.claim();
    const before = node.lanes.cameras.get(device.id)!;
    expect(before.analysisRegion).toBe('zones');
    const change = async (data: { plan?: 'LEVEL_01' | 'LEVEL_02'; analysisRegion?: 'zones' | 'whole' }) => {
      await database.db.device.update({ where: { id: device.id }, data });
      await node.supervisor.renew();
      return node.lanes.cameras.get(device.id)!;
    };
    expect(await change({ plan: 'LEVEL_02' })).toMatchObject({ analysisRegion: 'whole', url: before.url });
    expect((await change({ analysisRegion: 'zones' })).analysisRegion).toBe('zones');
    expect((await change({ plan: 'LEVEL_01', analysisRegion: 'whole' })).analysisRegion).toBe('whole');
  });

  test('gets changed masks with the next renewal; its stream stays open', async () => {
    const node = await TestNode.join(database.db, 'masked');
    const device = await addDevice(database.db);
    const { scene } = await queueScene(database.db, device);
    await node.supervisor.claim();
    const before = node.lanes.cameras.get(device.id)!;
    expect(before.privacy).toEqual({
      ...{ revision: 1, masks: [], maskAnalysis: false, blurPeople: 'none' },
      attributeGroups: ['gender', 'age'],
    });
    const mask = {
      type: 'polygon',
      points: [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
    };
    const { db } = database;
    await db.device.update({ where: { id: device.id }, data: { privacyMask: [mask], maskAnalysis: true } });
    await db.user.update({ where: { id: device.userId }, data: { blurPeople: 'faces' } });
    await node.supervisor.renew();
    const { privacy, ...stream } = node.lanes.cameras.get(device.id)!;
    expect(privacy).toEqual({
      ...{ revision: 3, masks: [mask], maskAnalysis: true, blurPeople: 'faces' },
      attributeGroups: ['gender', 'age'],
    });
    expect(stream).toMatchObject({ url: before.url, fps: before.fps, scenes: before.scenes });
    const config = { ...(scene.config as object), privacyMask: [mask] };
    await db.scene.update({ where: { id: scene.id }, data: { config } });
    await node.supervisor.renew();
    expect(node.lanes.cameras.get(device.id)!.privacy.masks).toEqual([mask, mask]);
    // A deleted scene counts no change, but its masks end.
    await db.scene.update({ where: { id: scene.id }, data: { deletedAt: new Date() } });
    await node.supervisor.renew();
    expect(node.lanes.cameras.get(device.id)!.privacy.masks).toEqual([mask]);
  });

  test('fails with the reason when its address is no longer in the networks of its user; runs of other users go on', async () => {
    const node = await TestNode.join(database.db, 'networks');
    const [shrinking, other] = [
      await addDevice(database.db, 'rtsp://admin:pass@10.1.2.3/live'),
      await addDevice(database.db, 'rtsp://10.1.2.3/live'),
    ];
    const { task } = await queueScene(database.db, shrinking);
    const { task: untouched } = await queueScene(database.db, other);
    await node.supervisor.claim();
    await node.supervisor.claim();
    const { email } = await database.db.user.findUniqueOrThrow({ where: { id: shrinking.userId } });
    await setNetworks(database.db, email, ['10.1.0.0/16']);
    await node.supervisor.renew();
    expect(node.lanes.cameras.get(shrinking.id)).toMatchObject({ networks: ['10.1.0.0/16'] });
    await setNetworks(database.db, email, ['10.2.0.0/16', 'public']);
    await node.supervisor.renew();
    await node.supervisor.record();
    expect(await taskOf(task.id)).toMatchObject({
      status: 'FAILED',
      errorMessage:
        'The stream address may not lead to 10.1.2.3: it lies in none of the networks that are allowed here.',
    });
    expect(await taskOf(untouched.id)).toMatchObject({ status: 'PROCESSING' });
    expect(node.lanes.cameras.get(other.id)).toMatchObject({ networks: [] });
  });
});

describe('a run that moves between nodes', () => {
  test('continues with its totals, windows and open visits, and the former node writes nothing more', async () => {
    const a = await TestNode.join(database.db, 'a');
    const b = await TestNode.join(database.db, 'b', { renewSeconds: 0 });
    const device = await addDevice(database.db);
    const { task, scene } = await queueScene(database.db, device);
    await a.supervisor.claim();
    a.frame(device.id, [visit(1, 'queued')], [visit(1, 'queued')]);
    a.frame(device.id, [visit(1, 'closed'), visit(2, 'queued')], [visit(2, 'queued')]);
    await a.supervisor.record();
    await database.db.runLease.updateMany({ where: { taskId: task.id }, data: { expiresAt: new Date(0) } });
    await b.supervisor.record();
    await b.supervisor.renew();
    await b.supervisor.claim();
    expect(JSON.parse(b.run(device.id).checkpoint!)).toEqual({ version: 1, visits: 2 });
    a.frame(device.id, [visit(2, 'closed')]);
    await a.supervisor.record();
    expect(a.lanes.cameras.size).toBe(0);
    b.frame(device.id, [visit(2, 'closed')]);
    await b.supervisor.record();
    const totals = await database.db.sceneTotals.findUniqueOrThrow({ where: { sceneId: scene.id } });
    expect(totals).toMatchObject({ arrivals: 2, completedCount: 2 });
    expect(await taskOf(task.id)).toMatchObject({
      status: 'PROCESSING',
      computeNodeId: b.member.id,
      scene: { latestMetrics: { total: { completed: { count: 2 } } } },
    });
  });

  test('is paused before its lease ends, and continues from the stored state when the lease is renewed', async () => {
    const node = await TestNode.join(database.db, 'paused');
    const device = await addDevice(database.db);
    const { scene } = await queueScene(database.db, device);
    await node.supervisor.claim();
    node.frame(device.id, [visit(1, 'queued')], [visit(1, 'queued')]);
    await node.supervisor.record();
    const { runId } = node.run(device.id);
    node.frame(device.id, [visit(1, 'closed')]);
    node.seconds = 14.5;
    node.supervisor.watch();
    expect(node.lanes.cameras.get(device.id)).toMatchObject({ scenes: [] });
    await node.supervisor.record();
    await node.supervisor.renew();
    expect(node.run(device.id).runId).not.toBe(runId);
    await node.supervisor.record();
    const totals = await database.db.sceneTotals.findUniqueOrThrow({ where: { sceneId: scene.id } });
    expect(totals).toMatchObject({ arrivals: 1, completedCount: 0 });
  });

  test('that its lane ends although nothing is wrong with the stream goes on from what is stored', async () => {
    const node = await TestNode.join(database.db, 'of two minds');
    const device = await addDevice(database.db);
    const { task } = await queueScene(database.db, device);
    await node.supervisor.claim();
    node.frame(device.id);
    await node.supervisor.record();
    const { runId } = node.run(device.id);
    node.events.onRunEnded({ type: 'runEnded', runId, endOfStream: false, last: null });
    await node.supervisor.record();
    expect(await taskOf(task.id)).toMatchObject({ status: 'PROCESSING', runStatus: 'running' });
    await node.supervisor.renew();
    expect(node.run(device.id).runId).not.toBe(runId);
    node.frame(device.id);
    await node.supervisor.record();
    expect(await taskOf(task.id)).toMatchObject({ status: 'PROCESSING', runStatus: 'running' });
  });

  test('is released at once when its node ends', async () => {
    const node = await TestNode.join(database.db, 'ending');
    const device = await addDevice(database.db);
    const { task } = await queueScene(database.db, device);
    await node.supervisor.claim();
    node.frame(device.id, [visit(1, 'queued')], [visit(1, 'queued')]);
    await node.supervisor.stop();
    expect(await taskOf(task.id)).toMatchObject({
      status: 'QUEUED',
      checkpoint: { version: 1 },
      scene: { analysisStatus: 'starting' },
    });
    const gone = await database.db.computeNode.findUniqueOrThrow({ where: { id: node.member.id } });
    expect(gone).toMatchObject({ health: 'offline', isDraining: true });
  });
});
