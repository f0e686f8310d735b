import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditHistory } from '../../src/analytics/history/audit-history.ts';
import { checkImageStorage } from '../../src/images/check-storage.ts';
import { PACKED } from '../../src/metrics/packed/packed-tables.store.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { KEPT_TABLES } from '../../src/privacy/ranged-rows.store.ts';
import { type JobContext, workOnNext } from '../../src/privacy/work-on-jobs.ts';
import { type TestApi, testApi } from '../support/api.ts';
import { tablesOf } from '../support/rows/user-tables.ts';
import { addScene, type FilledScene, fillMoment, rowsOfScene } from './filled-scene.ts';
import { killedAt } from './killed-at.ts';

const FROM = new Date('2026-11-01T10:00:00Z');
const TO = new Date('2026-11-01T14:00:00Z');
const at = (time: string) => new Date(`2026-11-01T${time}:30.000Z`);
const INSIDE = [at('10:05'), at('12:17'), at('13:59')];
const OUTSIDE = [at('07:10'), at('16:20')];

let api: TestApi;
let db: Db;
const never = new AbortController().signal;
beforeAll(async () => {
  api = await testApi();
  ({ db } = api.context);
  await checkImageStorage(api.context);
});
afterAll(() => api.drop());

async function filled(
  owner?: string,
  moments: readonly Date[] = [...INSIDE, ...OUTSIDE],
): Promise<FilledScene> {
  const scene = await addScene(db, owner);
  for (const moment of moments) await fillMoment(api.context, scene, moment);
  return scene;
}

/** An erasure that was requested; no process works on it. */
const requested = async (
  { userId }: { userId: string },
  deviceIds: readonly string[] = [],
): Promise<string> =>
  (
    await db.dataJob.create({
      data: { userId, kind: 'erasure', rangeFrom: FROM, rangeTo: TO, deviceIds: [...deviceIds] },
    })
  ).id;

const work = (context: JobContext = api.context) => workOnNext(context, never);
const statusOf = async (id: string) => (await db.dataJob.findUniqueOrThrow({ where: { id } })).status;

async function files(): Promise<string[]> {
  const entries = await readdir(api.imagesDir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && entry.name.endsWith('.jpg')).map(({ name }) => name);
}

/** Files of images without a row. */
async function strays(): Promise<string[]> {
  const rows = await db.storedImage.findMany({ select: { objectKey: true } });
  const known = new Set(rows.map(({ objectKey }) => objectKey.split('/')[1]));
  return (await files()).filter((name) => !known.has(name));
}

test('rows and images of the range are gone, all others are as they were, and the totals fit the visits', async () => {
  const scene = await filled();
  const stranger = await filled();
  const other = await filled(scene.userId, OUTSIDE);
  const expected = await rowsOfScene(db, other);
  const [strangerBefore, filesBefore] = [await rowsOfScene(db, stranger), await files()];
  const id = await requested(scene);
  await db.scene.update({ where: { id: scene.sceneId }, data: { latestMetrics: {}, metricsUpdatedAt: TO } });

  expect(await work()).toBe(true);

  const job = await db.dataJob.findUniqueOrThrow({ where: { id } });
  expect(job).toMatchObject({ status: 'completed', progressPercent: 100, errorMessage: null });
  expect(job.counts).toEqual({
    ...{ firings: 3, alertEvents: 3, images: 3, visits: 3, attributeRecords: 3, attributeTracks: 3 },
    // The hours of 10, 12 and 13 o'clock.
    ...{
      attributeHours: 3,
      minutes: 3,
      snapshots: 3,
      rollingRecords: 6,
      floorHours: 3,
      staffingAdvice: 3,
      unusualActivity: 3,
      events: 3,
    },
  });
  const { Word: words, ...left } = await rowsOfScene(db, scene);
  expect({ ...left, Word: expected.Word }).toEqual(expected);
  // Two summaries of each of the user's scenes are left.
  expect(words!.filter((word) => word.startsWith('word'))).toHaveLength(4);
  expect(await rowsOfScene(db, stranger)).toEqual(strangerBefore);
  expect(await strays()).toEqual([]);
  expect((await files()).length).toBe(filesBefore.length - 3);
  const totals = await db.sceneTotals.findUniqueOrThrow({ where: { sceneId: scene.sceneId } });
  expect([totals.arrivals, totals.completedCount]).toEqual([2, 2]);
  const { latestMetrics } = await db.scene.findUniqueOrThrow({ where: { id: scene.sceneId } });
  expect(latestMetrics).toBeNull();
  const { email } = await db.user.findUniqueOrThrow({ where: { id: scene.userId } });
  expect(
    (await auditHistory(db, { email })).differences.filter(({ sceneId }) => sceneId === scene.sceneId),
  ).toEqual([]);
  expect(await work()).toBe(false);
});

test('only the wanted devices are erased', async () => {
  const scene = await filled();
  const other = await filled(scene.userId);
  const before = await rowsOfScene(db, other);
  await requested(scene, [scene.deviceId]);
  await work();
  const { Word: _, ...left } = await rowsOfScene(db, other);
  const { Word: __, ...expected } = before;
  expect(left).toEqual(expected);
  expect((await rowsOfScene(db, scene)).Visit).toHaveLength(OUTSIDE.length);
});

test('a row belongs to the range if its time overlaps it', async () => {
  const scene = await addScene(db);
  const { sceneId, deviceId, taskId } = scene;
  const visit = (number: number, from: string, to: string | null) => ({
    ...({ taskId, sceneId, number, trackId: number, state: to ? 'closed' : 'queued' } as const),
    ...{ queueEnteredAt: at(from), arrivalDecidedAt: at(from), outcomeDecidedAt: to && at(to) },
    outcome: to ? ('lost' as const) : null,
  });
  await db.visit.createMany({
    data: [
      ...[
        visit(1, '09:00', '09:30'),
        visit(2, '09:00', '10:00'),
        visit(3, '09:00', '15:00'),
        visit(4, '13:59', '15:00'),
      ],
      ...[visit(5, '14:00', '14:10'), visit(6, '09:00', null), visit(7, '15:00', null)],
    ],
  });
  const rolling = (windowType: string, start: string, end: string) => ({
    ...{ sceneId, deviceId, windowType, windowStart: at(start), windowEnd: at(end), metrics: {} },
  });
  await db.rollingRecord.createMany({
    data: [
      ...[
        rolling('60min', '13:30', '14:30'),
        rolling('5min', '14:00', '14:05'),
        rolling('15min', '09:44', '09:59'),
      ],
      ...[
        rolling('total', '01:00', '09:59'),
        rolling('total', '01:00', '12:00'),
        rolling('total', '01:00', '14:01'),
      ],
    ],
  });
  const hours = ['09', '10', '13', '14'].map((hour) => new Date(`2026-11-01T${hour}:00:00Z`));
  const cells = new Uint8Array([1]);
  await db.floorHour.createMany({ data: hours.map((hour) => ({ sceneId, hour, coveredMs: 1, cells })) });
  const id = await requested(scene);
  await work();
  expect(await statusOf(id)).toBe('completed');
  const visits = await db.visit.findMany({ where: { sceneId }, orderBy: { number: 'asc' } });
  expect(visits.map(({ number }) => number)).toEqual([1, 5, 7]);
  const records = await db.rollingRecord.findMany({ where: { sceneId }, orderBy: { windowEnd: 'asc' } });
  expect(records.map(({ windowType }) => windowType).sort()).toEqual(['15min', '5min', 'total', 'total']);
  const floor = await db.floorHour.findMany({ where: { sceneId }, orderBy: { hour: 'asc' } });
  expect(floor.map(({ hour }) => hour)).toEqual([hours[0], hours[3]]);
});

test('killed at any call and taken over by another process, it leaves nothing of the range and no image without a row', async () => {
  const scene = await filled();
  const before = await rowsOfScene(db, scene);
  const id = await requested(scene);
  let kills = 0;
  for (let calls = 1; (await statusOf(id)) !== 'completed'; calls += 3) {
    const budget = { left: calls };
    const images = killedAt(api.context.images, budget);
    await work({ ...api.context, db: killedAt(db, budget), images }).catch(() => undefined);
    expect(await strays()).toEqual([]);
    // Its claim lapses.
    await db.$executeRaw`UPDATE "DataJob" SET "claimedUntil" = NULL, "dueAt" = now() - interval '1 second' WHERE status IN ('queued', 'running')`;
    kills += 1;
    expect(kills).toBeLessThan(200);
  }
  expect(kills).toBeGreaterThan(10);
  const left = await rowsOfScene(db, scene);
  for (const [table, rows] of Object.entries(left)) {
    if (table !== 'Word')
      expect([table, rows]).toEqual([table, before[table]!.filter((row) => !/11-01 1[0-3]/.test(row))]);
  }
  const totals = await db.sceneTotals.findUniqueOrThrow({ where: { sceneId: scene.sceneId } });
  expect(totals.arrivals).toBe(OUTSIDE.length);
});

test('a file of an export that holds something of the range is removed, and exports that run are cancelled', async () => {
  const scene = await filled();
  const { userId } = scene;
  const objectKey = `exports/${userId}.${randomUUID()}`;
  await api.context.images.objects.putStream(
    objectKey,
    (async function* () {
      yield Buffer.from('zip');
    })(),
    { maxBytes: 10 },
  );
  const range = { userId, kind: 'export', rangeFrom: FROM, rangeTo: TO } as const;
  const done = await db.dataJob.create({
    data: { ...range, status: 'completed', objectKey, sizeBytes: 3, expiresAt: new Date(Date.now() + 1e9) },
  });
  const outside = await db.dataJob.create({
    data: {
      ...range,
      rangeFrom: TO,
      rangeTo: new Date(TO.getTime() + 1),
      status: 'queued',
      dueAt: new Date(Date.now() + 1e9),
    },
  });
  const waiting = await db.dataJob.create({
    data: { ...range, status: 'queued', dueAt: new Date(Date.now() + 1e9) },
  });
  const id = await requested(scene);
  await work();
  expect(await Promise.all([id, done.id, outside.id, waiting.id].map(statusOf))).toEqual([
    ...['completed', 'completed', 'queued', 'cancelled'],
  ]);
  expect((await db.dataJob.findUniqueOrThrow({ where: { id: done.id } })).objectKey).toBeNull();
  const cancelled = await db.dataJob.findUniqueOrThrow({ where: { id: waiting.id } });
  expect(cancelled.completedAt).not.toBeNull();
  const entries = await db.auditEntry.findMany({ where: { userId, action: 'export_cancelled' } });
  expect(entries).toMatchObject([{ actorKind: 'system', targetId: waiting.id }]);
  expect(await api.context.images.objects.sizeOf(objectKey)).toBeNull();
});

test('finished attempts to tell somebody of alerts of the range are erased; one that waits stays', async () => {
  const { userId, deviceId } = await addScene(db);
  const address = { kind: 'email', address: 'ada@example.com', addressHash: new Uint8Array(32) } as const;
  const { id: channelId } = await db.notificationChannel.create({ data: { userId, ...address } });
  const attempt = {
    userId,
    channelId,
    deviceId,
    channelKind: 'email',
    kind: 'alert_triggered',
    maxAttempts: 1,
  } as const;
  await db.notification.createMany({
    data: [
      { ...attempt, status: 'success', since: at('12:00') },
      { ...attempt, status: 'failed', since: at('13:00') },
      { ...attempt, status: 'pending', since: at('12:00') },
      { ...attempt, status: 'success', since: at('15:00') },
      { ...attempt, status: 'success', since: at('12:00'), kind: 'device_offline' },
      // Reports with numbers of the range, and of long before it.
      { ...attempt, kind: 'report', contentEncrypted: 'numbers', createdAt: at('15:00') },
      { ...attempt, kind: 'report', contentEncrypted: 'numbers', createdAt: at('09:00') },
    ],
  });
  const id = await requested({ userId });
  await work();
  expect((await db.dataJob.findUniqueOrThrow({ where: { id } })).counts).toEqual({ notifications: 2 });
  expect(await db.notification.count({ where: { userId } })).toBe(5);
  const reports = await db.notification.findMany({
    where: { userId, kind: 'report' },
    orderBy: { createdAt: 'asc' },
  });
  expect(reports).toMatchObject([
    { status: 'pending', contentEncrypted: 'numbers' },
    { status: 'failed', contentEncrypted: null, errorMessage: 'What it was about has been erased.' },
  ]);
});

test('a job whose processes died again and again fails instead of ending further ones', async () => {
  const { userId } = await addScene(db);
  const id = await requested({ userId });
  const lapsed = new Date(0);
  const dying = { status: 'running', holder: randomUUID(), claimedUntil: lapsed } as const;
  await db.dataJob.update({ where: { id }, data: { ...dying, attempts: 19 } });
  const dead = { ...api.context, db: killedAt(db, { left: 3 }) };
  await work(dead).catch(() => undefined);
  await db.dataJob.update({
    where: { id },
    data: { status: 'running', claimedUntil: lapsed, dueAt: lapsed },
  });
  expect(await work()).toBe(true);
  expect(await db.dataJob.findUniqueOrThrow({ where: { id } })).toMatchObject({
    ...{ status: 'failed', errorMessage: expect.stringContaining('again and again') },
    completedAt: expect.any(Date),
  });
  expect(await work()).toBe(false);
});

test('every table with data of users is erased by range, or listed with a reason', async () => {
  const erased = [
    ...[
      'Visit',
      'VisitQuarter',
      'OccupancyMinute',
      'OccupancyQuarter',
      'MetricSnapshot',
      'RollingRecord',
      ...PACKED.map(({ hours }) => hours),
      'FloorHour',
      'TillQuarter',
      'StaffingAdvice',
      'UnusualActivity',
      'SceneFeet',
      'SceneCheck',
      'CheckStill',
      'CheckFilm',
      'CheckMarks',
      'CheckView',
      'AlertEvent',
    ],
    ...[
      'Firing',
      'Insight',
      'SearchWord',
      'StoredImage',
      'AttributeRecord',
      'AttributeTrack',
      'AttributeHour',
    ],
    ...['Event', 'WebhookDelivery', 'Notification', 'LivePicture', 'FrameRequest', 'Recording'],
  ];
  const { ofUsers } = await tablesOf(db);
  const listed = new Set([...erased, ...Object.keys(KEPT_TABLES)]);
  expect([...ofUsers].filter((table) => !listed.has(table))).toEqual([]);
});
