import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deleteUser } from '../../../src/access/administer.ts';
import { deleteOldRecordings, finishErasures } from '../../../src/runs/recordings/erase-recording.ts';
import { claimRuns } from '../../../src/runs/store/claim-runs.store.ts';
import { writeRuns } from '../../../src/runs/store/write-runs.store.ts';
import { type ApiUser, codeOf, QUEUE_ZONE, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { addRecording } from '../../support/rows/recordings.ts';
import { addNode, writeOf } from '../../support/rows/runs.ts';

const clock = new TestClock();
let api: TestApi;
let user: ApiUser;

beforeAll(async () => {
  api = await testApi({}, clock);
  user = await api.user();
  await api.context.images.writeId('storage-id', 'test');
  await addNode(api.context.db, 'alive');
});
afterAll(() => api?.drop());

const stored = (): string[] => {
  const path = join(api.imagesDir, 'recordings');
  return existsSync(path) ? readdirSync(path) : [];
};

describe('the analysis of a recording', () => {
  const zones = { queueZone: QUEUE_ZONE };

  test('is queued with its zones, shown, refused twice, cancelled and started anew without what was stored', async () => {
    const { db } = api.context;
    const data = await addRecording(api.context, user.userId);
    const path = `/recordings/${data.id}/analysis`;
    const started = await user.post(path, { zones, analysisFps: 2, plan: 'LEVEL_02', priority: 2 });
    expect(started.status).toBe(202);
    expect(started.body.data).toMatchObject({
      ...{ id: data.id, analysisFps: 2, plan: 'LEVEL_02' },
      analysis: { status: 'queued', progressPercent: 0, positionSeconds: 0, etaSeconds: null, error: null },
    });
    const { taskId } = started.body.data.analysis;
    const run = await db.analysisTask.findUniqueOrThrow({ where: { id: taskId } });
    expect(run).toMatchObject({
      sceneId: data.sceneId,
      deviceId: data.deviceId,
      priority: 2,
      positionMs: -1,
    });
    const scene = await user.get(`/scenes/${data.sceneId}`);
    expect(scene.body.data.config.zones).toEqual(zones);
    expect(codeOf(await user.post(path, {}))).toEqual([409, 'ALREADY_RUNNING']);
    expect(codeOf(await user.patch(`/recordings/${data.id}`, { recordedAt: '2026-10-01' }))).toEqual([
      400,
      'IMMUTABLE_FIELD',
    ]);
    expect((await user.delete(path)).status).toBe(204);
    expect((await user.delete(path)).status).toBe(204);
    expect((await user.get(`/recordings/${data.id}`)).body.data.analysis).toMatchObject({
      ...{ status: 'cancelled', taskId },
      completedAt: expect.any(String),
    });

    await db.metricSnapshot.create({
      data: {
        ...{ sceneId: data.sceneId, deviceId: data.deviceId, durationSeconds: 10, currentMetrics: {} },
        windowStart: new Date('2026-11-01T08:00:00Z'),
        windowEnd: new Date('2026-11-01T08:00:10Z'),
      },
    });
    const again = await user.post(path, { recordedAt: '2026-10-01T08:00:00Z' });
    expect(again.body.data).toMatchObject({
      ...{ analysisFps: 2, recordedAt: '2026-10-01T08:00:00.000Z' },
      analysis: { status: 'queued' },
    });
    expect(again.body.data.analysis.taskId).not.toBe(taskId);
    expect(await db.metricSnapshot.count({ where: { sceneId: data.sceneId } })).toBe(0);
    // The zones of before.
    expect((await user.get(`/scenes/${data.sceneId}`)).body.data.config.zones).toEqual(zones);
  });

  test('needs quota, an enabled device and a node', async () => {
    const { db } = api.context;
    const poor = await api.user();
    const data = await addRecording(api.context, poor.userId);
    const path = `/recordings/${data.id}/analysis`;
    await db.device.update({ where: { id: data.deviceId }, data: { isDisabled: true } });
    expect(codeOf(await poor.post(path, { zones }))).toEqual([402, 'QUOTA_EXCEEDED']);
    await db.device.update({ where: { id: data.deviceId }, data: { isDisabled: false } });
    await db.quotaBase.create({
      data: {
        scope: 'user',
        scopeId: poor.userId,
        userId: poor.userId,
        feature: 'analysis',
        monthlyLimit: 0,
      },
    });
    expect(codeOf(await poor.post(path, { zones }))).toEqual([402, 'QUOTA_EXCEEDED']);
    await db.quotaBase.deleteMany({ where: { userId: poor.userId } });
    const nodes = await db.computeNode.findMany();
    await db.computeNode.updateMany({ data: { lastHeartbeatAt: new Date(0) } });
    expect(codeOf(await poor.post(path, { zones }))).toEqual([503, 'NO_COMPUTE_NODE']);
    await db.computeNode.updateMany({ data: { lastHeartbeatAt: nodes[0]!.lastHeartbeatAt } });
    expect((await poor.post(path, { zones })).status).toBe(202);
  });

  test('two starts at once queue one run', async () => {
    const data = await addRecording(api.context, user.userId);
    const path = `/recordings/${data.id}/analysis`;
    const answers = await Promise.all([user.post(path, {}), user.post(path, {}), user.post(path, {})]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
  });
});

describe('deleting a recording', () => {
  test('erases its file and everything that was derived from it, also while it is analysed; usage stays', async () => {
    const { db } = api.context;
    const data = await addRecording(api.context, user.userId);
    const files = stored().length;
    await user.post(`/recordings/${data.id}/analysis`, {});
    expect((await user.delete(`/recordings/${data.id}`)).status).toBe(204);
    expect(codeOf(await user.delete(`/recordings/${data.id}`))).toEqual([404, 'NOT_FOUND']);
    expect(stored()).toHaveLength(files - 1);
    expect(await db.recording.count({ where: { id: data.id } })).toBe(0);
    expect(await db.scene.count({ where: { id: data.sceneId } })).toBe(0);
    expect(await db.analysisTask.count({ where: { sceneId: data.sceneId } })).toBe(0);
    const device = await db.device.findUniqueOrThrow({ where: { id: data.deviceId } });
    expect([device.kind, device.deletedAt]).toEqual(['recording', expect.any(Date)]);
    const audit = await db.auditEntry.findFirst({ where: { action: 'recording_deleted' } });
    expect(audit).toMatchObject({ userId: user.userId, targetId: data.id, actorKind: 'key' });
  });

  test('while a node writes: the node stops, and what it still writes is refused', async () => {
    const { db } = api.context;
    const data = await addRecording(api.context, user.userId);
    await user.post(`/recordings/${data.id}/analysis`, {});
    const nodeId = await addNode(db, 'writer');
    const recordings = { held: 0, most: 100 };
    const claim = { nodeId, heldDeviceIds: [], maxDevices: 100, leaseSeconds: 60, recordings };
    const run = (await claimRuns(db, claim)).find(({ sceneId }) => sceneId === data.sceneId)!;
    expect((await writeRuns(db, nodeId, [writeOf(run, nodeId)])).held.size).toBe(1);
    const deleted = user.delete(`/recordings/${data.id}`).then(({ status }) => status);
    await eventually('a request to stop', async () => {
      const row = await db.analysisTask.findUniqueOrThrow({ where: { id: run.id } });
      return row.stopRequestedAt;
    });
    const end = { command: 'stop', errorMessage: null } as const;
    await writeRuns(db, nodeId, [writeOf(run, nodeId, { end })]);
    expect(await deleted).toBe(204);
    expect((await writeRuns(db, nodeId, [writeOf(run, nodeId)])).held.size).toBe(0);
    expect(await db.scene.count({ where: { id: data.sceneId } })).toBe(0);
  });

  test('happens with its user', async () => {
    const { db, images } = api.context;
    const leaver = await api.user();
    await addRecording(api.context, leaver.userId);
    const mine = () => stored().filter((name) => name.startsWith(leaver.userId));
    expect(mine()).toHaveLength(1);
    const { email } = await db.user.findUniqueOrThrow({ where: { id: leaver.userId } });
    expect(await deleteUser({ db, images }, email)).toBe(true);
    expect([mine(), await db.recording.count({ where: { userId: leaver.userId } })]).toEqual([[], 0]);
  });

  test('that was interrupted is finished by a job', async () => {
    const { context } = api;
    const recording = await addRecording(context, user.userId);
    await context.db.recording.update({ where: { id: recording.id }, data: { deletedAt: clock.now() } });
    await context.db.scene.update({ where: { id: recording.sceneId }, data: { deletedAt: clock.now() } });
    const files = stored().length;
    await finishErasures(context);
    expect(stored()).toHaveLength(files);
    clock.forward(120);
    await finishErasures(context);
    expect(stored()).toHaveLength(files - 1);
    expect(await context.db.scene.count({ where: { id: recording.sceneId } })).toBe(0);
  });

  test('happens by itself after RECORDING_RETENTION_DAYS, which is not set by default', async () => {
    const { context } = api;
    const old = await addRecording(context, user.userId);
    const inDays = (days: number, seconds = 0) => ({
      now: () => new Date(old.createdAt.getTime() + days * 86_400_000 + seconds * 1000),
    });
    const contextIn = (days: number, recordingRetentionDays?: number) => ({
      ...context,
      clock: inDays(days, 1),
      config: { ...context.config, recordingRetentionDays },
    });
    const isThere = async () => (await user.get(`/recordings/${old.id}`)).status === 200;
    await deleteOldRecordings(contextIn(4_000));
    await deleteOldRecordings(contextIn(89, 90));
    expect(await isThere()).toBe(true);
    const files = stored().length;
    await deleteOldRecordings(contextIn(90, 90));
    expect(await isThere()).toBe(false);
    await finishErasures({ ...context, clock: inDays(90, 120) });
    expect(stored().length).toBeLessThan(files);
    expect(await context.db.scene.count({ where: { id: old.sceneId } })).toBe(0);
    const entry = await context.db.auditEntry.findFirst({ where: { targetId: old.id } });
    expect(entry).toMatchObject({ action: 'recording_deleted', actorKind: 'system' });
    await deleteOldRecordings(contextIn(90, 90));
  });
});
