import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { claimRuns } from '../../../src/runs/store/claim-runs.store.ts';
import { closeOverdueStops, releaseAllOfNode } from '../../../src/runs/store/lease.store.ts';
import { cancelQueued, fenceRuns, requestStop } from '../../../src/runs/store/stop-runs.store.ts';
import { failRun, type RunWrite, writeRuns } from '../../../src/runs/store/write-runs.store.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { addDevice, addNode, queueScene } from '../../support/rows/runs.ts';
import { told } from '../../support/told.ts';

let database: TestDatabase;
let nodeId: string;
beforeAll(async () => {
  database = await testDatabase();
  nodeId = await addNode(database.db, 'node');
});
afterAll(() => database.drop());

/** The events of a run so far, with their data. */
async function toldOf({ task }: { task: { id: string; userId: string } }) {
  const events = await told(database.db, { userId: task.userId });
  return events.map(({ type, data }) => {
    expect(data.analysisId).toBe(task.id);
    return [type, data] as const;
  });
}

async function claimed() {
  const { db } = database;
  const run = await queueScene(db, await addDevice(db));
  await claimRuns(db, { nodeId, heldDeviceIds: [], maxDevices: 100, leaseSeconds: 60 });
  return { ...run, lease: { id: run.task.id, epoch: 1 } };
}

type Claimed = Awaited<ReturnType<typeof claimed>>;
const write = ({ task, lease }: Claimed, changes: Partial<RunWrite> = {}) =>
  writeRuns(database.db, nodeId, [
    {
      ...lease,
      taskId: task.id,
      sceneId: task.sceneId,
      deviceId: task.deviceId,
      computeNodeId: nodeId,
      visits: [],
      minutes: [],
      totals: null,
      snapshots: [],
      rolling: [],
      said: [],
      floor: [],
      feet: null,
      tills: [],
      checkpoint: null,
      positionMs: null,
      batch: 0,
      stats: { processedFrames: 1, skippedFrames: 0, droppedFrames: 0, fps: 1, avgProcessingTimeMs: 1 },
      lastFrameMs: Date.now(),
      watchedMs: 0,
      hasFrames: true,
      latest: null,
      rules: [],
      end: null,
      ...changes,
    },
  ]);
const askedToStop = ({ task }: Claimed, deadlineSeconds: number) =>
  requestStop(
    database.db,
    { ids: [task.id], deviceId: task.deviceId },
    { reason: 'user_request', drain: false, deadlineSeconds },
  );

describe('events of a run', () => {
  test('analysis_started is emitted once, with the first frame', async () => {
    const run = await claimed();
    await write(run, { hasFrames: false });
    expect(await toldOf(run)).toEqual([]);
    await write(run);
    await write(run);
    expect(await toldOf(run)).toEqual([
      [
        'analysis_started',
        expect.objectContaining({ sceneName: 'Queue', status: 'running', computeNodeId: nodeId }),
      ],
    ]);
  });

  test('analysis_stopped has the reason of the stop', async () => {
    const run = await claimed();
    await write(run);
    await askedToStop(run, 60);
    await write(run, { end: { command: 'stop', errorMessage: null } });
    expect((await toldOf(run)).at(-1)).toEqual([
      'analysis_stopped',
      expect.objectContaining({
        status: 'stopped',
        reason: 'user_request',
        processingDuration: { seconds: expect.any(Number), milliseconds: expect.any(Number) },
      }),
    ]);
  });

  test('analysis_stopped has no reason at the end of a recording', async () => {
    const run = await claimed();
    await write(run, { end: { command: 'stop', errorMessage: null } });
    const [, [type, data]] = (await toldOf(run)) as [unknown, [string, object]];
    expect([type, Object.keys(data).includes('reason')]).toEqual(['analysis_stopped', false]);
  });

  test('analysis_error has the error message', async () => {
    const runs = [await claimed(), await claimed()] as const;
    const errorMessage = 'No frame came within 5 minutes of the start.';
    await write(runs[0], { hasFrames: false, end: { command: 'fail', errorMessage } });
    await failRun(database.db, nodeId, { ...runs[1].lease, errorMessage });
    for (const run of runs) {
      expect(await toldOf(run)).toEqual([
        ['analysis_error', expect.objectContaining({ status: 'error', error: errorMessage })],
      ]);
    }
  });

  test('a fenced run and a run with an overdue stop each emit analysis_stopped once', async () => {
    const { db } = database;
    const [fenced, overdue] = [await claimed(), await claimed()];
    for (const run of [fenced, overdue]) await write(run);
    for (const _ of ['first', 'again']) await fenceRuns(db, [fenced.task.id], 'user_request');
    await askedToStop(overdue, -1);
    for (const _ of ['first', 'again']) await closeOverdueStops(db);
    for (const run of [fenced, overdue]) {
      expect((await toldOf(run)).map(([type]) => type)).toEqual(['analysis_started', 'analysis_stopped']);
    }
  });

  test('a run that ends before its first frame emits nothing, unless it failed', async () => {
    const { db } = database;
    const cancelled = await queueScene(db, await addDevice(db));
    await cancelQueued(db, [cancelled.task.id], { reason: 'user_request' });
    const [fenced, overdue, stopped] = [await claimed(), await claimed(), await claimed()];
    await fenceRuns(db, [fenced.task.id], 'user_request');
    await askedToStop(overdue, -1);
    await closeOverdueStops(db);
    await write(stopped, { hasFrames: false, end: { command: 'stop', errorMessage: null } });
    for (const run of [cancelled, fenced, overdue, stopped]) expect(await toldOf(run)).toEqual([]);
  });

  test('analysis_started is emitted once, also when another node continues the run', async () => {
    const run = await claimed();
    await write(run);
    await releaseAllOfNode(database.db, nodeId);
    const [again] = await claimRuns(database.db, {
      nodeId,
      heldDeviceIds: [],
      maxDevices: 100,
      leaseSeconds: 60,
    });
    const taken = { ...run, lease: { id: run.task.id, epoch: again!.epoch } };
    await write(taken);
    await write(taken, { end: { command: 'stop', errorMessage: null } });
    expect((await toldOf(run)).map(([type]) => type)).toEqual(['analysis_started', 'analysis_stopped']);
  });

  test('a move to another node emits nothing, and neither does a node that has lost the run', async () => {
    const run = await claimed();
    await write(run);
    await releaseAllOfNode(database.db, nodeId);
    await write(run, { end: { command: 'stop', errorMessage: null } });
    expect((await toldOf(run)).map(([type]) => type)).toEqual(['analysis_started']);
  });
});
