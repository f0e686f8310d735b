import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cameraStats } from '../../../scripts/support/silent-lanes.ts';
import { loadConfig } from '../../../src/platform/config.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { markOfflineNodes } from '../../../src/runs/node/node-notices.store.ts';
import { recover } from '../../../src/runs/node/recover.ts';
import { findWaiting } from '../../../src/runs/store/waiting/waiting.store.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';
import { TestNode } from '../../support/test-node.ts';
import { told } from '../../support/told.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const aboutNodes = (userId: string) =>
  told(database.db, { userId, type: { in: ['node_offline', 'node_online', 'node_error', 'node_warning'] } });

/** The types of the node events of a user, in their order. */
const toldTo = async (userId: string) => (await aboutNodes(userId)).map(({ type }) => type);

const bodyOf = async (userId: string, wanted: 'node_offline' | 'node_online') =>
  (await aboutNodes(userId)).find(({ type }) => type === wanted)?.data;

/** Moves the last heartbeat of the node to this many seconds before now, and the times at which it held runs along with it. */
async function lastHeartbeat(nodeId: string, secondsAgo: number): Promise<void> {
  await database.db.$executeRaw`
    WITH node AS (
      SELECT id, "lastHeartbeatAt" - clock_timestamp() + make_interval(secs => ${secondsAgo}) AS shift
      FROM "ComputeNode" WHERE id = ${nodeId}::uuid),
    notices AS (
      UPDATE "NodeNotice" o SET "heldAt" = o."heldAt" - node.shift FROM node WHERE o."computeNodeId" = node.id)
    UPDATE "ComputeNode" n SET "lastHeartbeatAt" = n."lastHeartbeatAt" - node.shift FROM node WHERE n.id = node.id`;
}

const healthOf = async (id: string) =>
  (await database.db.computeNode.findUniqueOrThrow({ where: { id } })).health;

/** A node that executes a run of a user. */
async function holding(name: string) {
  const node = await TestNode.join(database.db, name);
  const { userId, ...device } = await addDevice(database.db);
  const { task } = await queueScene(database.db, { ...device, userId });
  await node.supervisor.claim();
  await node.supervisor.renew();
  return { node, userId, deviceId: device.id, taskId: task.id };
}

describe('a node without a heartbeat', () => {
  test('is offline after 30 s; the users of its runs are notified once, and once more when it is back', async () => {
    const { node, userId } = await holding('silent');
    const { userId: stranger } = await addDevice(database.db);
    await lastHeartbeat(node.member.id, 29);
    await markOfflineNodes(database.db);
    expect(await toldTo(userId)).toEqual([]);
    await lastHeartbeat(node.member.id, 31);
    await markOfflineNodes(database.db);
    await markOfflineNodes(database.db);
    expect(await healthOf(node.member.id)).toBe('offline');
    expect(await toldTo(userId)).toEqual(['node_offline']);
    expect(await bodyOf(userId, 'node_offline')).toMatchObject({
      computeNodeId: node.member.id,
      name: 'silent',
      health: 'offline',
    });
    await node.supervisor.renew();
    await node.supervisor.renew();
    expect(await healthOf(node.member.id)).toBe('healthy');
    expect(await toldTo(userId)).toEqual(['node_offline', 'node_online']);
    expect(await bodyOf(userId, 'node_online')).toMatchObject({ health: 'healthy' });
    expect(await toldTo(stranger)).toEqual([]);
  });

  test('causes no event for users whose runs it held more than a minute before', async () => {
    const { node, userId, taskId } = await holding('long-ago');
    await database.db.analysisTask.update({ where: { id: taskId }, data: { status: 'COMPLETED' } });
    await node.supervisor.renew();
    await lastHeartbeat(node.member.id, 61);
    await node.supervisor.renew();
    await lastHeartbeat(node.member.id, 31);
    await markOfflineNodes(database.db);
    expect(await toldTo(userId)).toEqual([]);
  });

  test('loses its runs also when no other node is left', async () => {
    const { node, taskId } = await holding('alone');
    await database.db.runLease.updateMany({ where: { taskId }, data: { expiresAt: new Date(0) } });
    await lastHeartbeat(node.member.id, 31);
    await recover({
      config: loadConfig({}),
      db: database.db,
      logger: createLogger({ level: 'silent', program: 'test' }),
    });
    const task = await database.db.analysisTask.findUniqueOrThrow({
      where: { id: taskId },
      include: { scene: true },
    });
    expect(task).toMatchObject({ status: 'QUEUED', scene: { analysisStatus: 'starting' } });
    expect(await healthOf(node.member.id)).toBe('offline');
  });
});

test('a node that leaves in order is offline at once, and nobody is notified, whoever looks', async () => {
  const { node, userId } = await holding('leaving');
  await node.supervisor.stop();
  expect(await healthOf(node.member.id)).toBe('offline');
  await markOfflineNodes(database.db);
  expect(await toldTo(userId)).toEqual([]);
  await node.member.join();
  await node.supervisor.renew();
  expect(await toldTo(userId)).toEqual([]);
  // After it was started again, its silence is reported as that of any other node.
  await node.supervisor.claim();
  await node.supervisor.renew();
  await lastHeartbeat(node.member.id, 31);
  await database.db.$executeRaw`
    UPDATE "ComputeNode" SET "leftAt" = "lastHeartbeatAt" - interval '1 second' WHERE id = ${node.member.id}::uuid`;
  await markOfflineNodes(database.db);
  expect(await toldTo(userId)).toEqual(['node_offline']);
});

test('a node whose lanes end again and again is degraded, and its users are notified', async () => {
  const { node, userId, deviceId } = await holding('crashing');
  node.events.onCrashLimit([deviceId], 'SIGSEGV');
  await node.supervisor.record();
  await node.supervisor.renew();
  expect(await toldTo(userId)).toEqual(['node_error']);
  const crashing = await database.db.computeNode.findUniqueOrThrow({ where: { id: node.member.id } });
  expect(crashing.health).toBe('degraded');
  expect(crashing.healthReason).toContain('SIGSEGV');
  expect(crashing.causes).toMatchObject({ health: { code: 'lanes_ended', detail: 'SIGSEGV' } });
});

test('a node whose clock is more than 2 s off is degraded until the clock is right again', async () => {
  const { member } = await TestNode.join(database.db, 'skewed');
  for (const [lastSkewMs, health] of [
    [2_001, 'degraded'],
    [-2_001, 'degraded'],
    [1_999, 'healthy'],
  ] as const) {
    await member.beat({
      activeDeviceCount: 0,
      maxConcurrentDevices: 8,
      lastSkewMs,
      overload: null,
    });
    expect(await healthOf(member.id)).toBe(health);
  }
});

describe('an overloaded node', () => {
  /** Plays this many seconds, in which `fps` of five frames per second are analysed. */
  function analyses(node: TestNode, deviceId: string, { seconds, fps }: { seconds: number; fps: number }) {
    const counted = { processed: 0, delivered: 0 };
    return () => {
      for (let second = 0; second < seconds; second++) {
        node.seconds++;
        counted.processed += fps;
        counted.delivered += 5;
        const { processed: processedFrames, delivered: deliveredFrames } = counted;
        node.forwardTo(new Date().toISOString());
        node.frame(deviceId);
        node.events.onStats(cameraStats(deviceId, { processedFrames, deliveredFrames, fps }));
      }
    };
  }

  test('is degraded and takes no more cameras until it keeps up again; waiting runs show the reason', async () => {
    const { db } = database;
    await db.computeNode.deleteMany();
    const { node, userId, deviceId } = await holding('busy');
    const nodeRow = () => db.computeNode.findUniqueOrThrow({ where: { id: node.member.id } });
    const warnings = async () =>
      (await db.device.findUniqueOrThrow({ where: { id: deviceId } })).warnings as { reason: string }[];
    const next = await queueScene(db, await addDevice(db));
    const sameCamera = await queueScene(db, { id: deviceId, userId });
    const waiting = async () =>
      (await findWaiting(db, [await db.analysisTask.findUniqueOrThrow({ where: { id: next.task.id } })])).get(
        next.task.id,
      );
    const statusOf = async (id: string) =>
      (await db.analysisTask.findUniqueOrThrow({ where: { id } })).status;

    analyses(node, deviceId, { seconds: 69, fps: 2 })();
    await node.supervisor.record();
    await node.supervisor.renew();
    expect([await healthOf(node.member.id), await toldTo(userId), await warnings()]).toEqual([
      'healthy',
      [],
      [],
    ]);

    analyses(node, deviceId, { seconds: 75, fps: 2 })();
    await node.supervisor.record();
    await node.supervisor.renew();
    await node.supervisor.renew();
    expect(await nodeRow()).toMatchObject({
      health: 'degraded',
      healthReason: '1 of its 1 cameras is analysed at less than 70 % of the requested rate.',
      overloadedSince: expect.any(Date),
      causes: { health: { code: 'overloaded', late: 1, cameras: 1 }, provider: null, videoDecoder: null },
    });
    expect(await warnings()).toMatchObject([
      { reason: 'overloaded', message: expect.stringMatching(/analyses 2 of 5 frames per second/) },
    ]);
    expect(await toldTo(userId)).toEqual(['node_warning']);
    await node.supervisor.claim();
    expect([await statusOf(next.task.id), await statusOf(sameCamera.task.id)]).toEqual([
      'QUEUED',
      'PROCESSING',
    ]);
    expect(await waiting()).toBe('capacity');

    analyses(node, deviceId, { seconds: 75, fps: 5 })();
    await node.supervisor.record();
    await node.supervisor.renew();
    expect(await nodeRow()).toMatchObject({ health: 'healthy', healthReason: null, overloadedSince: null });
    expect(await warnings()).toEqual([]);
    expect((await aboutNodes(userId)).map(({ data }) => [data.reason, data.state])).toEqual([
      ['overloaded', 'began'],
      ['overloaded', 'ended'],
    ]);
    await node.supervisor.claim();
    expect([await statusOf(next.task.id), await waiting()]).toEqual(['PROCESSING', undefined]);
  });

  test('is not overloaded when a camera sends too few frames: the camera gets the warning', async () => {
    const { db } = database;
    await db.computeNode.deleteMany();
    const { node, userId, deviceId } = await holding('slow-camera');
    for (let second = 1; second <= 75; second++) {
      node.seconds++;
      node.forwardTo(new Date().toISOString());
      node.frame(deviceId);
      const frames = second * 2;
      node.events.onStats(cameraStats(deviceId, { processedFrames: frames, deliveredFrames: frames }));
    }
    await node.supervisor.record();
    await node.supervisor.renew();
    expect([await healthOf(node.member.id), await toldTo(userId)]).toEqual(['healthy', []]);
    const { warnings } = await db.device.findUniqueOrThrow({ where: { id: deviceId } });
    expect(warnings).toMatchObject([
      { reason: 'slow_camera', message: expect.stringContaining('delivers 2 of 5 frames per second') },
    ]);
  });
});
