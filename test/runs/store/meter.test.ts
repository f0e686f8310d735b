import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fenceRuns } from '../../../src/runs/store/stop-runs.store.ts';
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
  await database.db.setting.deleteMany();
});

const taskOf = (id: string) => database.db.analysisTask.findUniqueOrThrow({ where: { id } });

/** Seconds on the user's counter of the month; the sum of the ledger must be equal. */
async function usedSeconds(userId: string): Promise<number> {
  const [quota] = await database.db.quota.findMany({ where: { scope: 'user', scopeId: userId } });
  const events = await database.db.usageEvent.findMany({ where: { userId, feature: 'analysis' } });
  const used = Number(quota?.used ?? 0);
  expect(events.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBe(used);
  return used;
}

/** Seconds on the user's counters by month. */
async function monthsOf(userId: string): Promise<Record<string, number>> {
  const quotas = await database.db.quota.findMany({ where: { scope: 'user', scopeId: userId } });
  return Object.fromEntries(quotas.map(({ period, used }) => [period, Number(used)]));
}

async function started(name: string) {
  const device = await addDevice(database.db);
  const node = await TestNode.join(database.db, name, { leaseSeconds: 600, renewSeconds: 0 });
  const { task } = await queueScene(database.db, device);
  await node.supervisor.claim();
  return {
    ...{ device, node, taskId: task.id, userId: device.userId },
    /** Sends frames for a number of seconds, five a second, of many minutes one a second, and records every thirty seconds. */
    async frames(seconds: number, on = node) {
      const fps = seconds > 300 ? 1 : 5;
      for (let frame = 1; frame <= seconds * fps; frame++) {
        if (fps === 1) on.skip(0.8);
        on.frame(device.id);
        if (frame % (30 * fps) === 0) await on.supervisor.record();
      }
      await on.supervisor.record();
    },
    async stop(on = node) {
      const { runId } = on.run(device.id);
      on.events.onRunEnded({ type: 'runEnded', runId, endOfStream: true, last: null });
      await on.supervisor.record();
    },
  };
}

describe('payment for the time with frames', () => {
  test('a run pays slices of 60 s in advance and gets the rest refunded at its end', async () => {
    const run = await started('slices');
    await run.frames(1);
    expect(await usedSeconds(run.userId)).toBe(60);
    await run.frames(58);
    expect(await usedSeconds(run.userId)).toBe(60);
    await run.frames(11);
    expect(await usedSeconds(run.userId)).toBe(120);
    await run.stop();
    expect(await usedSeconds(run.userId)).toBe(70);
    const slices = await database.db.usageEvent.findMany({
      where: { userId: run.userId },
      orderBy: { sourceId: 'asc' },
    });
    expect(slices.map(({ sourceId, taskId }) => [sourceId.replace(taskId!, 'run'), taskId])).toEqual([
      ['run:1', run.taskId],
      ['run:2', run.taskId],
      ['run:2:rollback', run.taskId],
    ]);
  });

  test('after ten slices a run pays ten minutes at once, and is charged to the second at its end', async () => {
    const run = await started('long slices');
    await run.frames(599);
    expect(await usedSeconds(run.userId)).toBe(600);
    await run.frames(20);
    expect(await usedSeconds(run.userId)).toBe(1200);
    run.node.skip(300);
    await run.frames(30);
    expect(await usedSeconds(run.userId)).toBe(1200);
    await run.node.supervisor.stop();
    const next = await TestNode.join(database.db, 'next of long slices', { leaseSeconds: 600 });
    next.skip(960);
    await next.supervisor.claim();
    await run.frames(20, next);
    expect(await usedSeconds(run.userId)).toBe(1200);
    await run.stop(next);
    expect(Math.abs((await usedSeconds(run.userId)) - 669)).toBeLessThanOrEqual(1);
    expect(await database.db.usageEvent.count({ where: { userId: run.userId, quantity: 600 } })).toBe(1);
  });

  test('a long slice ends at midnight, and the slices of an hour are one charge', async () => {
    const run = await started('long slice at midnight');
    run.node.forwardTo('2026-01-31T23:47:00.000Z');
    await run.frames(1);
    // The short ones are over.
    await database.db.analysisTask.update({ where: { id: run.taskId }, data: { paidSlices: 10 } });
    await run.frames(799);
    await run.stop();
    expect(await monthsOf(run.userId)).toEqual({ '2026-01': 780, '2026-02': 20 });
    const charges = await database.db.usageEvent.findMany({
      where: { userId: run.userId, quantity: { not: 60 } },
      orderBy: { occurredAt: 'asc' },
    });
    expect(charges.map(({ quantity }) => Number(quantity))).toEqual([720, 600, -580]);
    const ledger = await database.db.quotaTransaction.findMany({ where: { referenceId: charges[0]!.id } });
    expect(ledger.map(({ amount }) => Number(amount))).toEqual([720, 720]);
  });

  test.each([
    ['user', 'device'],
    ['device', 'user'],
  ] as const)(
    'slices stay short where ten minutes are more than a hundredth of what the %s has left',
    async (scope, other) => {
      const run = await started(`little left of the ${scope}`);
      await run.frames(1);
      const scopeIds = { user: run.userId, device: run.device.id };
      const limitTo = (of: 'user' | 'device', limit: number) =>
        database.db.quota.updateMany({
          where: { scope: of, scopeId: scopeIds[of], feature: 'analysis' },
          data: { limit, isUnlimited: false },
        });
      await limitTo(scope, 60_599);
      await limitTo(other, 1_000_000);
      await run.frames(601);
      expect(await usedSeconds(run.userId)).toBe(660);
      await limitTo(scope, 60_720);
      await run.frames(60);
      expect(await usedSeconds(run.userId)).toBe(660 + 600);
    },
  );

  test('a gap without frames is not paid: the paid time continues after it', async () => {
    const run = await started('gap');
    await run.frames(30);
    run.node.skip(300);
    await run.frames(20);
    expect(await usedSeconds(run.userId)).toBe(60);
    await run.frames(20);
    await run.stop();
    expect(Math.abs((await usedSeconds(run.userId)) - 70)).toBeLessThanOrEqual(1);
  });

  test('no slice is paid twice when another node continues the run', async () => {
    const run = await started('former');
    await run.frames(30);
    await run.node.supervisor.stop();
    const next = await TestNode.join(database.db, 'next', { leaseSeconds: 600 });
    next.skip(45);
    await next.supervisor.claim();
    await run.frames(20, next);
    expect(await usedSeconds(run.userId)).toBe(60);
    await run.stop(next);
    expect(Math.abs((await usedSeconds(run.userId)) - 50)).toBeLessThanOrEqual(1);
  });

  test('the rest is also refunded when the API ends the run without its node', async () => {
    const run = await started('fenced');
    await run.frames(10);
    await fenceRuns(database.db, [run.taskId], 'user_request');
    await fenceRuns(database.db, [run.taskId], 'user_request');
    expect(Math.abs((await usedSeconds(run.userId)) - 10)).toBeLessThanOrEqual(1);
  });

  test('no slice reaches over the end of a month', async () => {
    const run = await started('midnight');
    const before = run.node.forwardTo('2026-01-31T23:58:17.400Z');
    await run.frames(150);
    await run.stop();
    const quotas = await monthsOf(run.userId);
    expect(quotas).toEqual({ '2026-01': 102, '2026-02': 48 });
    const slices = await database.db.usageEvent.findMany({
      where: { userId: run.userId, quantity: { gt: 0 } },
      orderBy: { occurredAt: 'asc' },
    });
    expect(slices.map(({ occurredAt, quantity }) => [occurredAt.toISOString(), Number(quantity)])).toEqual([
      [new Date(before + 200).toISOString(), 60],
      [new Date(before + 60_200).toISOString(), 42],
      ['2026-02-01T00:00:00.000Z', 60],
    ]);
    const days = await database.db.usageDay.findMany({
      where: { userId: run.userId, deviceId: run.device.id },
      orderBy: { day: 'asc' },
    });
    expect(days.map(({ day, quantity }) => [day.toISOString().slice(0, 10), Number(quantity)])).toEqual([
      ['2026-01-31', 102],
      ['2026-02-01', 48],
    ]);
  });

  test('the rest of a slice before a gap over the end of a month is refunded in the month of its purchase', async () => {
    const run = await started('gap at midnight');
    run.node.forwardTo('2026-01-31T23:59:00.000Z');
    await run.frames(20);
    run.node.skip(300);
    await run.frames(30);
    expect(await monthsOf(run.userId)).toEqual({ '2026-01': 20, '2026-02': 60 });
    await run.stop();
    expect(await monthsOf(run.userId)).toEqual({ '2026-01': 20, '2026-02': 30 });
  });

  test('a run stops with resource_constraint when the quota is used up', async () => {
    const run = await started('exhausted');
    await run.frames(1);
    await database.db.quota.updateMany({
      where: { scope: 'user', scopeId: run.userId, feature: 'analysis' },
      data: { limit: 75 },
    });
    await run.frames(70);
    expect((await taskOf(run.taskId)).status).toBe('PROCESSING');
    await run.frames(10);
    await run.node.supervisor.record();
    expect(await taskOf(run.taskId)).toMatchObject({
      status: 'COMPLETED',
      runStatus: 'stopped',
      reason: 'resource_constraint',
    });
    expect(await usedSeconds(run.userId)).toBe(75);
    expect(run.node.lanes.cameras.size).toBe(0);
    const crossings = await database.db.event.findMany({
      where: { userId: run.userId, type: { in: ['quota_warning', 'quota_exceeded'] } },
      orderBy: { sequence: 'asc' },
    });
    expect(crossings.map(({ type }) => type)).toEqual(['quota_warning', 'quota_exceeded']);
    const stopped = await database.db.event.findFirstOrThrow({
      where: { userId: run.userId, type: 'analysis_stopped' },
    });
    expect(JSON.parse(Buffer.from(stopped.body).toString()).data.reason).toBe('resource_constraint');
  });
});
