import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { claimRuns } from '../../src/runs/claim-runs.store.ts';
import { closeOverdueStops, releaseAllOfNode } from '../../src/runs/lease.store.ts';
import { askToStop, cancelQueued, fenceRuns } from '../../src/runs/stop-runs.store.ts';
import { failRun, type RunWrite, writeRuns } from '../../src/runs/write-runs.store.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addDevice, addNode, queueScene } from '../support/rows/runs.ts';
import { told } from '../support/told.ts';

let database: TestDatabase;
let nodeId: string;
beforeAll(async () => {
  database = await testDatabase();
  nodeId = await addNode(database.db, 'node');
});
afterAll(() => database.drop());

/** Types told so far of a run, with their data. */
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
      checkpoint: null,
      stats: { processedFrames: 1, droppedFrames: 0, fps: 1, avgProcessingTimeMs: 1 },
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
  askToStop(
    database.db,
    { ids: [task.id], deviceId: task.deviceId },
    { reason: 'user_request', drain: false, deadlineSeconds },
  );

describe('a run tells its owner', () => {
  test('that it has started, with its first frame, and once', async () => {
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

  test('that it was stopped, and why', async () => {
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

  test('that its recording is over, without a reason', async () => {
    const run = await claimed();
    await write(run, { end: { command: 'stop', errorMessage: null } });
    const [, [type, data]] = (await toldOf(run)) as [unknown, [string, object]];
    expect([type, Object.keys(data).includes('reason')]).toEqual(['analysis_stopped', false]);
  });

  test('that it failed', async () => {
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

  test('that it was fenced off or closed after its deadline, once each', async () => {
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

  test('nothing of a run that ends before its first frame, unless it failed: analysis_stopped follows analysis_started', async () => {
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

  test('analysis_started once, also where another node goes on with it', async () => {
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

  test('nothing when it moves to another node, and nothing by a node that has lost it', async () => {
    const run = await claimed();
    await write(run);
    await releaseAllOfNode(database.db, nodeId);
    await write(run, { end: { command: 'stop', errorMessage: null } });
    expect((await toldOf(run)).map(([type]) => type)).toEqual(['analysis_started']);
  });
});
