import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { loadConfig } from '../../../src/platform/config.ts';
import { createDb, type Db } from '../../../src/platform/database/db.ts';
import { WORKER_SESSIONS } from '../../../src/platform/database/session-owner.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { recover } from '../../../src/runs/node/recover.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';
import { TestNode } from '../../support/test-node.ts';

const LIMITS = { lockMs: 300 };

let database: TestDatabase;
/** With a short limit for locks, so that the tests need not wait for the usual one. */
let db: Db;
let other: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  db = createDb(database.url, { limits: LIMITS });
  other = new pg.Client({ connectionString: database.url });
  other.on('error', () => undefined);
  await other.connect();
});
afterAll(async () => {
  await other.end().catch(() => undefined);
  await db.$disconnect();
  await database.drop();
});
beforeEach(async () => {
  await other.query('ROLLBACK');
  await db.user.deleteMany();
  await db.computeNode.deleteMany();
});

const taskOf = (id: string) => db.analysisTask.findUniqueOrThrow({ where: { id } });
const leaseOf = async (taskId: string) =>
  (await db.runLease.findUniqueOrThrow({ where: { taskId } })).expiresAt;
const usedBy = async (scopeId: string) =>
  Number((await db.quota.findFirstOrThrow({ where: { scope: 'user', scopeId } })).used);

/** A node with one run of each of two users; frames of both are stored and paid. */
async function twoUsers() {
  const node = await TestNode.join(db, 'node', { leaseSeconds: 600, renewSeconds: 0 });
  const devices = [await addDevice(db), await addDevice(db)];
  const taskIds: string[] = [];
  for (const device of devices) taskIds.push((await queueScene(db, device)).task.id);
  await node.supervisor.claim();
  const [a, b] = devices.map(({ id, userId }, at) => ({ deviceId: id, userId, taskId: taskIds[at]! }));
  const frames = (count: number) => {
    for (let frame = 0; frame < count; frame++) for (const { id } of devices) node.frame(id);
  };
  frames(5);
  await node.supervisor.record();
  return { node, a: a!, b: b!, frames };
}

describe('a locked row delays only its user', () => {
  // The rows that a write of a run needs: the quota, the scene with its live metrics, the run, the device.
  test.each([
    [
      'Quota',
      (userId: string) => other.query(`SELECT 1 FROM "Quota" WHERE "userId" = $1 FOR UPDATE`, [userId]),
    ],
    [
      'Scene',
      (userId: string) => other.query(`SELECT 1 FROM "Scene" WHERE "userId" = $1 FOR UPDATE`, [userId]),
    ],
    [
      'AnalysisTask',
      (userId: string) =>
        other.query(`SELECT 1 FROM "AnalysisTask" WHERE "userId" = $1 FOR UPDATE`, [userId]),
    ],
    [
      'Device',
      (userId: string) => other.query(`SELECT 1 FROM "Device" WHERE "userId" = $1 FOR UPDATE`, [userId]),
    ],
  ])(
    '%s: the frames of the other user are stored, all leases are renewed, and nothing is lost',
    async (_, lock) => {
      const { node, a, b, frames } = await twoUsers();
      const before = { a: await taskOf(a.taskId), b: await taskOf(b.taskId), lease: await leaseOf(a.taskId) };
      await other.query('BEGIN');
      await lock(a.userId);
      // More time than is paid already.
      frames(160);
      await node.supervisor.record();
      expect((await taskOf(b.taskId)).lastFrameAt!.getTime()).toBeGreaterThan(
        before.b.lastFrameAt!.getTime(),
      );
      await node.supervisor.renew();
      expect((await leaseOf(a.taskId)).getTime()).toBeGreaterThan(before.lease.getTime());
      expect((await leaseOf(b.taskId)).getTime()).toBeGreaterThan(before.lease.getTime());
      frames(160);
      await node.supervisor.record();
      await other.query('ROLLBACK');
      await node.supervisor.record();
      const [taskA, taskB] = [await taskOf(a.taskId), await taskOf(b.taskId)];
      // 325 frames, 0.4 s apart for each camera: three slices of 60 s.
      expect([await usedBy(a.userId), await usedBy(b.userId)]).toEqual([180, 180]);
      expect(taskA.epoch).toBe(before.a.epoch);
      expect(taskB.lastFrameAt!.getTime() - taskA.lastFrameAt!.getTime()).toBe(200);
      const snapshots = async (deviceId: string) => db.metricSnapshot.count({ where: { deviceId } });
      // One snapshot for every ten seconds of 129.8 s and of 130 s.
      expect([await snapshots(a.deviceId), await snapshots(b.deviceId)]).toEqual([12, 13]);
      await node.supervisor.stop();
    },
  );

  test('a run with a lapsed lease is requeued although the rows of another user with a lapsed lease are locked', async () => {
    const { a, b } = await twoUsers();
    await db.runLease.updateMany({ data: { expiresAt: new Date(0) } });
    await other.query('BEGIN');
    await other.query(`SELECT 1 FROM "Scene" WHERE "userId" = $1 FOR UPDATE`, [a.userId]);
    await recover(tools());
    expect([(await taskOf(a.taskId)).status, (await taskOf(b.taskId)).status]).toEqual([
      'PROCESSING',
      'QUEUED',
    ]);
    await other.query('ROLLBACK');
    await recover(tools());
    expect((await taskOf(a.taskId)).status).toBe('QUEUED');
  });

  test('queued runs of one user are claimed although the rows of another user are locked', async () => {
    const node = await TestNode.join(db, 'node', { leaseSeconds: 600, renewSeconds: 1 });
    const [held, free] = [await addDevice(db), await addDevice(db)];
    const first = await queueScene(db, held, { priority: 1 });
    const second = await queueScene(db, free);
    await other.query('BEGIN');
    await other.query(`SELECT 1 FROM "AnalysisTask" WHERE id = $1 FOR UPDATE`, [first.task.id]);
    await node.supervisor.claim();
    expect((await taskOf(second.task.id)).status).toBe('PROCESSING');
    await other.query('ROLLBACK');
    await node.supervisor.claim();
    expect((await taskOf(first.task.id)).status).toBe('PROCESSING');
  });
});

const tools = () => ({
  config: loadConfig({}),
  db,
  logger: createLogger({ level: 'silent', program: 'test' }),
});

describe('the session of a worker that locks a run with a lapsed lease', () => {
  /** A run with a lapsed lease whose row a session of this worker process locks in an open transaction. */
  async function holding(incarnation: string, silentSeconds: number) {
    const node = await TestNode.join(db, 'frozen', { leaseSeconds: 15, renewSeconds: 1 });
    const { task } = await queueScene(db, await addDevice(db));
    await node.supervisor.claim();
    await db.runLease.updateMany({ data: { expiresAt: new Date(0) } });
    await db.$executeRaw`
      UPDATE "ComputeNode" SET incarnation = ${incarnation}::uuid,
        "lastHeartbeatAt" = clock_timestamp() - make_interval(secs => ${silentSeconds})`;
    const owner = `${WORKER_SESSIONS}${incarnation}`;
    const session = new pg.Client({ connectionString: database.url, application_name: owner });
    let isEnded = false;
    session.on('error', () => {
      isEnded = true;
    });
    await session.connect();
    await session.query('BEGIN');
    await session.query('SELECT 1 FROM "AnalysisTask" WHERE id = $1 FOR UPDATE', [task.id]);
    const close = () => session.end().catch(() => undefined);
    return { taskId: task.id, close, ended: () => isEnded };
  }

  test('is ended when its node has sent no heartbeat for longer than a lease, and the run is requeued', async () => {
    const { taskId, close, ended } = await holding('0198a4c2-0000-7000-8000-000000000001', 20);
    await recover(tools());
    await eventually('the session is ended', ended);
    expect(await taskOf(taskId)).toMatchObject({ status: 'QUEUED', epoch: 2 });
    await close();
  });

  test('is ended when another process has taken the place of the node', async () => {
    const { taskId, close, ended } = await holding('0198a4c2-0000-7000-8000-000000000002', 0);
    await db.$executeRaw`UPDATE "ComputeNode" SET incarnation = gen_random_uuid()`;
    await recover(tools());
    await eventually('the session is ended', ended);
    expect((await taskOf(taskId)).status).toBe('QUEUED');
    await close();
  });

  test('is not ended while its node sends heartbeats', async () => {
    const { taskId, close, ended } = await holding('0198a4c2-0000-7000-8000-000000000003', 1);
    await recover(tools());
    expect([ended(), (await taskOf(taskId)).status]).toEqual([false, 'PROCESSING']);
    await close();
    await eventually('the run is queued again', async () => {
      await recover(tools());
      return (await taskOf(taskId)).status === 'QUEUED';
    });
  });

  test('is not ended when it belongs to no worker', async () => {
    const { taskId } = await holding('0198a4c2-0000-7000-8000-000000000004', 20).then(async (held) => {
      await held.close();
      return held;
    });
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM "AnalysisTask" WHERE id = $1 FOR UPDATE', [taskId]);
    await recover(tools());
    expect((await other.query('SELECT 1')).rowCount).toBe(1);
    expect((await taskOf(taskId)).status).toBe('PROCESSING');
    await other.query('ROLLBACK');
  });
});
