import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { followSchedules } from '../../../src/runs/api/schedule.job.ts';
import { type ApiUser, shopOf, type TestApi, TestClock, testApi } from '../../support/api.ts';

const clock = new TestClock();
let api: TestApi;
let owner: ApiUser;
beforeAll(async () => {
  api = await testApi({}, clock);
  owner = await api.user();
});
afterAll(() => api.drop());

interface Shop {
  deviceId: string;
  sceneId: string;
}
let shop: Shop;
beforeEach(async () => {
  const { db } = api.context;
  await db.device.deleteMany();
  await db.computeNode.deleteMany();
  await addNode();
  shop = await shopOf(owner);
});

const addNode = () =>
  api.context.db.computeNode.create({
    data: { name: 'node', host: 'test', version: '1', incarnation: randomUUID(), maxConcurrentDevices: 9 },
  });

const NINE_TO_NINE = (timezone: string) => ({
  timezone,
  windows: [{ days: [1, 2, 3, 4, 5, 6, 7], start: '09:00', end: '21:00' }],
});

/** Gives the device a schedule that is due from `at` on. */
async function schedule(at: string, wanted: object): Promise<void> {
  clock.time = new Date(at);
  await owner.patch(`/devices/${shop.deviceId}`, { schedule: wanted });
  await api.context.db.device.update({ where: { id: shop.deviceId }, data: { nextScheduleAt: clock.time } });
}

/** Moves the clock to `at`, and the timestamps that the database has written with its own clock too. */
async function at(time: string): Promise<void> {
  clock.time = new Date(time);
  await Promise.all([followSchedules(api.context), followSchedules(api.context)]);
  await dated();
}
async function dated(): Promise<void> {
  const { db } = api.context;
  const fresh = { gt: new Date(Date.now() - 60_000) };
  await db.analysisTask.updateMany({ where: { createdAt: fresh }, data: { createdAt: clock.time } });
  await db.analysisTask.updateMany({ where: { completedAt: fresh }, data: { completedAt: clock.time } });
}
const byHand = async (what: 'start' | 'stop') => {
  const body = what === 'start' ? { sceneId: shop.sceneId } : {};
  const { status } = await owner.post(`/devices/${shop.deviceId}/analysis/${what}`, body);
  await dated();
  return status;
};
/** `[status, startedBy, reason]` of every run so far. */
const runs = async () => {
  const rows = await api.context.db.analysisTask.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  return rows.map(({ status, startedBy, reason }) => [status, startedBy, reason]);
};

describe('a schedule', () => {
  test('starts at one edge and stops at the next in its time zone, once for several workers', async () => {
    await schedule('2026-03-28T06:00:00Z', NINE_TO_NINE('Europe/Berlin'));
    await at('2026-03-28T07:59:59Z');
    expect(await runs()).toEqual([]);
    await at('2026-03-28T08:00:00Z');
    expect(await runs()).toEqual([['QUEUED', 'schedule', null]]);
    await at('2026-03-28T15:00:00Z');
    await at('2026-03-28T19:59:59Z');
    expect(await runs()).toHaveLength(1);
    await at('2026-03-28T20:00:00Z');
    expect(await runs()).toEqual([['CANCELLED', 'schedule', 'scheduled']]);
    // Summer time begins that night.
    await at('2026-03-29T06:59:59Z');
    expect(await runs()).toHaveLength(1);
    await at('2026-03-29T07:00:00Z');
    expect(await runs()).toHaveLength(2);
  });

  test('tries a start again each minute of the window when the camera was offline', async () => {
    const { db, sealer } = api.context;
    const { streamUrlEncrypted: before } = await db.device.findFirstOrThrow();
    const streamUrlEncrypted = sealer.seal('rtsp://no-such-camera.invalid/', 'device.streamUrl');
    await db.device.updateMany({ data: { onlineStatus: 'unknown', streamUrlEncrypted } });
    await schedule('2026-05-01T09:00:00Z', NINE_TO_NINE('UTC'));
    await at('2026-05-01T09:00:00Z');
    expect(await runs()).toEqual([]);
    await db.device.updateMany({ data: { streamUrlEncrypted: before } });
    await at('2026-05-01T09:01:00Z');
    expect(await runs()).toHaveLength(1);
  });

  test('tries a start again each minute of the window when no node was online', async () => {
    await api.context.db.computeNode.deleteMany();
    await schedule('2026-05-01T09:00:00Z', NINE_TO_NINE('UTC'));
    await at('2026-05-01T09:00:00Z');
    await at('2026-05-01T09:01:00Z');
    expect(await runs()).toEqual([]);
    await addNode();
    await at('2026-05-01T09:01:30Z');
    expect(await runs()).toEqual([]);
    await at('2026-05-01T09:02:00Z');
    expect(await runs()).toHaveLength(1);
  });

  test('starts a failed run again in the next minute', async () => {
    await schedule('2026-05-01T09:00:00Z', NINE_TO_NINE('UTC'));
    await at('2026-05-01T09:00:00Z');
    const { db } = api.context;
    await db.analysisTask.updateMany({ data: { status: 'PROCESSING' } });
    await db.analysisTask.updateMany({ data: { status: 'FAILED', completedAt: clock.time } });
    await db.scene.updateMany({ data: { analysisStatus: 'error' } });
    await at('2026-05-01T09:01:00Z');
    expect((await runs()).map(([status]) => status)).toEqual(['FAILED', 'QUEUED']);
  });

  test('does not restart a run that was stopped by hand before the next edge', async () => {
    await schedule('2026-05-01T08:00:00Z', NINE_TO_NINE('UTC'));
    await at('2026-05-01T09:00:00Z');
    clock.time = new Date('2026-05-01T10:00:00Z');
    expect(await byHand('stop')).toBe(200);
    await at('2026-05-01T10:01:00Z');
    await at('2026-05-01T20:00:00Z');
    await at('2026-05-01T21:00:00Z');
    expect(await runs()).toHaveLength(1);
    await at('2026-05-02T09:00:00Z');
    expect((await runs()).map(([status]) => status)).toEqual(['CANCELLED', 'QUEUED']);
  });

  test('does not stop a run that was started by hand before the next edge', async () => {
    await schedule('2026-05-01T22:00:00Z', NINE_TO_NINE('UTC'));
    await at('2026-05-01T22:00:00Z');
    clock.time = new Date('2026-05-01T23:00:00Z');
    expect(await byHand('start')).toBe(202);
    await at('2026-05-01T23:30:00Z');
    expect(await runs()).toEqual([['QUEUED', 'user', null]]);
    await at('2026-05-02T09:00:00Z');
    expect(await runs()).toHaveLength(1);
    await at('2026-05-02T21:00:00Z');
    expect(await runs()).toEqual([['CANCELLED', 'user', 'scheduled']]);
  });

  test('works over midnight, starts only active scenes, and does nothing once it is removed', async () => {
    const night = { timezone: 'Asia/Kathmandu', windows: [{ days: [5], start: '22:00', end: '06:00' }] };
    await schedule('2026-05-01T16:00:00Z', night);
    await owner.patch(`/scenes/${shop.sceneId}`, { status: 'paused' });
    await at('2026-05-01T16:15:00Z');
    expect(await runs()).toEqual([]);
    await owner.patch(`/scenes/${shop.sceneId}`, { status: 'active' });
    await at('2026-05-01T16:16:00Z');
    expect(await runs()).toHaveLength(1);
    await at('2026-05-02T00:15:00Z');
    expect(await runs()).toEqual([['CANCELLED', 'schedule', 'scheduled']]);
    await owner.patch(`/devices/${shop.deviceId}`, { schedule: null });
    await at('2026-05-08T16:15:00Z');
    expect(await runs()).toHaveLength(1);
  });

  test('acts once at each edge of a week when two workers follow it', async () => {
    await schedule('2026-10-24T00:00:00Z', NINE_TO_NINE('America/New_York'));
    for (let hour = 0; hour < 4 * 24; hour++) {
      await at(new Date(Date.parse('2026-10-30T00:00:00Z') + hour * 3_600_000).toISOString());
    }
    const rows = await api.context.db.analysisTask.findMany({ orderBy: { createdAt: 'asc' } });
    expect(
      rows.map(({ createdAt, completedAt }) => [createdAt, completedAt].map((d) => d?.toISOString())),
    ).toEqual([
      ['2026-10-30T00:00:00.000Z', '2026-10-30T01:00:00.000Z'],
      ['2026-10-30T13:00:00.000Z', '2026-10-31T01:00:00.000Z'],
      ['2026-10-31T13:00:00.000Z', '2026-11-01T01:00:00.000Z'],
      // Standard time begins again.
      ['2026-11-01T14:00:00.000Z', '2026-11-02T02:00:00.000Z'],
      ['2026-11-02T14:00:00.000Z', undefined],
    ]);
  });
});
