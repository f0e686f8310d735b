import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Db } from '../../../src/platform/database/db.ts';
import { type ClaimedRun, claimRuns } from '../../../src/runs/store/claim-runs.store.ts';
import {
  expireLeases,
  releaseAllOfNode,
  releaseLeases,
  renewLeases,
} from '../../../src/runs/store/lease.store.ts';
import { type RunWrite, writeRuns } from '../../../src/runs/store/write-runs.store.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { addDevice, addNode, queueScene } from '../../support/rows/runs.ts';

let database: TestDatabase;
let db: Db;
let nodeA: string;
let nodeB: string;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  nodeA = await addNode(db, 'a');
  nodeB = await addNode(db, 'b');
});
afterAll(() => database.drop());
beforeEach(async () => {
  await db.user.deleteMany();
});

const claim = (nodeId: string, options: Partial<Parameters<typeof claimRuns>[1]> = {}) =>
  claimRuns(db, { nodeId, heldDeviceIds: [], maxDevices: 10, leaseSeconds: 15, ...options });
const taskOf = (id: string) => db.analysisTask.findUniqueOrThrow({ where: { id }, include: { scene: true } });
const ids = (runs: readonly { id: string }[]) => runs.map(({ id }) => id);

/** A write of only the run's own columns. */
const writeOf = (run: ClaimedRun, nodeId: string, changes: Partial<RunWrite> = {}): RunWrite => ({
  id: run.id,
  epoch: run.epoch,
  taskId: run.id,
  sceneId: run.sceneId,
  deviceId: run.deviceId,
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
  checkpoint: '{"version":1}',
  stats: { processedFrames: 1, skippedFrames: 0, droppedFrames: 0, fps: 5, avgProcessingTimeMs: 20 },
  lastFrameMs: 1_700_000_000_000,
  positionMs: null,
  batch: 0,
  watchedMs: 0,
  hasFrames: true,
  latest: null,
  rules: [],
  end: null,
  ...changes,
});

describe('claimRuns', () => {
  test('claims the most urgent run first, then the oldest, until the node is full', async () => {
    const devices = [await addDevice(db), await addDevice(db), await addDevice(db)];
    const late = await queueScene(db, devices[0]!, { priority: 3 });
    const later = await queueScene(db, devices[1]!, { priority: 3 });
    const urgent = await queueScene(db, devices[2]!, { priority: 1 });
    expect(ids(await claim(nodeA, { maxDevices: 2 }))).toEqual([urgent.task.id, late.task.id]);
    expect(ids(await claim(nodeB))).toEqual([later.task.id]);
  });

  test('gives the run a new epoch and shows it as starting on the node', async () => {
    const { task } = await queueScene(db, await addDevice(db));
    const [run] = await claim(nodeA);
    expect(run).toMatchObject({
      id: task.id,
      epoch: task.epoch + 1,
      hadFrames: false,
      analysisFps: 5,
    });
    const taken = await taskOf(task.id);
    expect(taken).toMatchObject({ status: 'PROCESSING', computeNodeId: nodeA });
    expect(taken.startedAt).not.toBeNull();
    expect(taken.scene).toMatchObject({ analysisStatus: 'starting', processingComputeNodeId: nodeA });
  });

  test('gives each run to one node, and all scenes of a device to the same node, when many nodes claim at once', async () => {
    const runs: string[] = [];
    for (let i = 0; i < 8; i++) {
      const device = await addDevice(db);
      for (let scene = 0; scene < 3; scene++) runs.push((await queueScene(db, device)).task.id);
    }
    const taken = await Promise.all(
      [nodeA, nodeB, nodeA, nodeB].map((node) => claim(node, { maxDevices: 100 })),
    );
    // A node that found a device locked by another node claims again later.
    taken.push(await claim(nodeA, { maxDevices: 100 }));
    expect(taken.flatMap(ids).sort()).toEqual(runs.sort());
    const byDevice = await db.analysisTask.findMany({ distinct: ['deviceId', 'computeNodeId'] });
    expect(byDevice).toHaveLength(8);
  });

  test('gives a further scene of a device to the node that streams it, even when that node is full', async () => {
    const device = await addDevice(db);
    await queueScene(db, device);
    await claim(nodeA);
    const second = await queueScene(db, device);
    expect(await claim(nodeB)).toEqual([]);
    expect(ids(await claim(nodeA, { maxDevices: 1, heldDeviceIds: [device.id] }))).toEqual([second.task.id]);
  });

  test('gives a reserved run only to its node until the reservation is over', async () => {
    const reserved = (seconds: number) => ({
      reservedNodeId: nodeA,
      reservedUntil: new Date(Date.now() + seconds * 1000),
    });
    const { task } = await queueScene(db, await addDevice(db), reserved(60));
    expect(await claim(nodeB)).toEqual([]);
    await db.analysisTask.update({ where: { id: task.id }, data: reserved(-1) });
    expect(ids(await claim(nodeB))).toEqual([task.id]);
  });
});

describe('leases', () => {
  test('a renewal moves the end of the lease and returns stop requests and changes of the device', async () => {
    const { task } = await queueScene(db, await addDevice(db));
    const leases = await claim(nodeA, { leaseSeconds: 1 });
    await db.analysisTask.update({
      where: { id: task.id },
      data: { stopRequestedAt: new Date(), drain: true },
    });
    const [renewed] = await renewLeases(db, nodeA, { leases, leaseSeconds: 1000 });
    expect(renewed).toMatchObject({ id: task.id, stopRequested: true, drain: true, streamRevision: 1 });
    const { expiresAt } = await db.runLease.findUniqueOrThrow({ where: { taskId: task.id } });
    expect(expiresAt.getTime()).toBeGreaterThan(Date.now() + 900_000);
  });

  test('a run with a lapsed lease is queued under a new epoch; its former node can neither renew nor write', async () => {
    const { task } = await queueScene(db, await addDevice(db));
    const leases = await claim(nodeA, { leaseSeconds: -1 });
    expect(await expireLeases(db)).toBe(1);
    expect(await taskOf(task.id)).toMatchObject({ status: 'QUEUED', epoch: leases[0]!.epoch + 1 });
    expect(await renewLeases(db, nodeA, { leases, leaseSeconds: 15 })).toEqual([]);
    const [moved] = await claim(nodeB);
    expect([...(await writeRuns(db, nodeA, [writeOf(leases[0]!, nodeA)])).held]).toEqual([]);
    expect((await taskOf(task.id)).runStatus).toBe('initializing');
    expect([...(await writeRuns(db, nodeB, [writeOf(moved!, nodeB)])).held]).toEqual([task.id]);
    expect(await taskOf(task.id)).toMatchObject({
      runStatus: 'running',
      computeNodeId: nodeB,
      scene: { analysisStatus: 'running', processingComputeNodeId: nodeB },
    });
  });

  test('a lapsed lease can be renewed while nobody has claimed the run, but nothing is written before that', async () => {
    const { task } = await queueScene(db, await addDevice(db));
    const leases = await claim(nodeA, { leaseSeconds: -1 });
    expect([...(await writeRuns(db, nodeA, [writeOf(leases[0]!, nodeA)])).held]).toEqual([]);
    expect(ids(await renewLeases(db, nodeA, { leases, leaseSeconds: 15 }))).toEqual([task.id]);
    expect([...(await writeRuns(db, nodeA, [writeOf(leases[0]!, nodeA)])).held]).toEqual([task.id]);
  });

  test('a run with a lapsed lease and a stop request is completed, not queued', async () => {
    const { task } = await queueScene(db, await addDevice(db));
    await claim(nodeA, { leaseSeconds: -1 });
    await db.analysisTask.update({ where: { id: task.id }, data: { stopRequestedAt: new Date() } });
    await expireLeases(db);
    expect(await taskOf(task.id)).toMatchObject({
      status: 'COMPLETED',
      runStatus: 'stopped',
      scene: { analysisStatus: 'stopped', processingComputeNodeId: null },
    });
  });

  test('releaseLeases queues only the runs that the node still holds', async () => {
    const first = await queueScene(db, await addDevice(db));
    const second = await queueScene(db, await addDevice(db));
    const leases = await claim(nodeA);
    await db.analysisTask.update({ where: { id: second.task.id }, data: { epoch: { increment: 1 } } });
    expect(await releaseLeases(db, nodeA, leases)).toBe(1);
    expect(await taskOf(first.task.id)).toMatchObject({
      status: 'QUEUED',
      scene: { analysisStatus: 'starting' },
    });
    expect(await releaseAllOfNode(db, nodeA)).toBe(1);
    expect(await claim(nodeB)).toHaveLength(2);
  });
});

describe('the end of a run', () => {
  test.each([
    ['stop', 'COMPLETED', 'stopped', null],
    ['fail', 'FAILED', 'error', 'No frame came.'],
  ] as const)(
    'by %s is stored, and its node can write it no more',
    async (command, status, state, errorMessage) => {
      const { task } = await queueScene(db, await addDevice(db));
      const [run] = await claim(nodeA);
      await writeRuns(db, nodeA, [writeOf(run!, nodeA, { end: { command, errorMessage } })]);
      const ended = await taskOf(task.id);
      expect(ended).toMatchObject({
        status,
        runStatus: state,
        errorMessage,
        scene: { analysisStatus: state },
      });
      expect(ended.completedAt).not.toBeNull();
      expect(ended.processingTimeMs).toBeGreaterThanOrEqual(0);
      expect([...(await writeRuns(db, nodeA, [writeOf(run!, nodeA)])).held]).toEqual([]);
    },
  );
});
