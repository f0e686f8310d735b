import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { NodeMember } from '../../../src/runs/node/node-member.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';
import { TestNode } from '../../support/test-node.ts';

let database: TestDatabase;
let other: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  other = new pg.Client({ connectionString: database.url });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await database.drop();
});

/** A run whose node can lose its lease, and what is stored of it. */
async function running(name: string) {
  const { db } = database;
  const device = await addDevice(db);
  const node = await TestNode.join(db, name, { leaseSeconds: 600, renewSeconds: 5 });
  const { task, scene } = await queueScene(db, device);
  await node.supervisor.renew();
  await node.supervisor.claim();
  node.forwardTo(new Date().toISOString());
  return {
    ...{ node, device, task },
    async frames(seconds: number) {
      for (let frame = 1; frame <= seconds * 5; frame++) {
        node.frame(device.id);
        if (frame % 5 === 0) await node.supervisor.record();
      }
    },
    /** The lease ends before it is renewed. */
    lapse() {
      node.seconds += 600;
      node.supervisor.watch();
      expect(node.lanes.cameras.get(device.id)).toMatchObject({ scenes: [] });
    },
    async stop() {
      const { runId } = node.run(device.id);
      node.events.onRunEnded({ type: 'runEnded', runId, endOfStream: true, last: null });
      await node.supervisor.record();
    },
    /** Seconds with frames of the stored minutes, and seconds that are charged. */
    async stored() {
      const minutes = await db.occupancyMinute.findMany({ where: { sceneId: scene.id } });
      const quota = await db.quota.findFirstOrThrow({ where: { scope: 'user', scopeId: device.userId } });
      const coveredMs = minutes.reduce((sum, minute) => sum + minute.coveredMs, 0);
      return { covered: coveredMs / 1000, charged: Number(quota.used) };
    },
  };
}

test('what lapsed leases leave of the minutes is as long as the time that is charged, whatever the clock of the node says', async () => {
  // The frames of this run are newer than the clock, as they are where the clock had to be set back.
  const run = await running('lapsing');
  for (const seconds of [45, 70, 25]) {
    await run.frames(seconds);
    run.node.frame(run.device.id);
    run.lapse();
    run.node.skip(1.5);
    await run.node.supervisor.renew();
    await run.frames(10);
  }
  await run.stop();
  const { covered, charged } = await run.stored();
  // Between two leases nothing is charged, and of each lease the first frame has nothing before it.
  expect(covered).toBeCloseTo(3 * (10 - 0.2) + 45 - 0.2 + 70 + 25, 1);
  expect(Math.abs(charged - covered)).toBeLessThanOrEqual(1);
});

test('a run continues from a write that was under way when its lease lapsed', async () => {
  const run = await running('slow write');
  await run.frames(20);
  await other.query('BEGIN');
  await other.query('SELECT 1 FROM "AnalysisTask" WHERE id = $1 FOR UPDATE', [run.task.id]);
  for (let frame = 0; frame < 25; frame++) run.node.frame(run.device.id);
  const written = run.node.supervisor.record();
  await eventually('the write waits for the lock', async () => {
    const waiting = await database.db.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    return waiting.length > 0;
  });
  run.lapse();
  run.node.skip(5);
  const renewed = run.node.supervisor.renew();
  await other.query('ROLLBACK');
  await Promise.all([written, renewed]);
  await run.frames(10);
  await run.stop();
  const { covered, charged } = await run.stored();
  expect(covered).toBeCloseTo(20 - 0.2 + 5 + 10 - 0.2, 1);
  expect(Math.abs(charged - covered)).toBeLessThanOrEqual(1);
});

test('a heartbeat that took long does not move the clock of the frames', async () => {
  let nowMs = Date.now();
  const identity = { id: crypto.randomUUID(), name: 'busy', host: 'test', version: '0', model: 'none' };
  const delays = [0, 20_000, 0];
  const clock = { now: () => new Date(nowMs) };
  const beats = delays.map((delayMs) => ({ delayMs, asked: 0 }));
  const lifeline = new Proxy(database.db, {
    get: (db, key) =>
      key === '$queryRaw'
        ? async () => {
            // The database answers at once, and the answer is read late.
            const row = { nowMs };
            nowMs += beats.shift()!.delayMs;
            return [row];
          }
        : Reflect.get(db, key),
  });
  const member = new NodeMember(
    database.db,
    { ...identity, executionProvider: 'cpu', maxConcurrentDevices: 1 },
    { clock, lifeline },
  );
  const idle = { activeDeviceCount: 0, maxConcurrentDevices: 1, lastSkewMs: 0, overload: null };
  const offsets = [];
  for (const _ of delays) offsets.push(await member.beat(idle));
  expect(offsets).toEqual([0, 0, 0]);
});
