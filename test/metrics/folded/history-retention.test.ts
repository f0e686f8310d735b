import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditHistory } from '../../../src/analytics/history/audit-history.ts';
import { removeOldHistory } from '../../../src/metrics/folded/history-retention.job.ts';
import { loadRecords } from '../../../src/metrics/recorder.store.ts';
import { loadConfig } from '../../../src/platform/config.ts';
import { removeOldTasks } from '../../../src/runs/store/retention/remove-old-runs.job.ts';
import { addMinutes, addVisits, type VisitRow } from '../../analytics/history/history-rows.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { addAlert, addRule } from '../../support/rows/alert-rows.ts';
import { packMinutes } from '../../support/rows/pack-minutes.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 24, 9, 30);
const SHORT = { MINUTE_RETENTION_DAYS: '40', VISIT_RETENTION_DAYS: '50', RUN_RETENTION_DAYS: '60' };
/** From here on everything is kept: the starts of a UTC month and of a day. */
const MINUTES_SINCE = Date.UTC(2026, 9, 1);
const VISITS_SINCE = Date.UTC(2026, 9, 5);

let database: TestDatabase;
let sceneId: string;
let taskId: string;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  await database.db.user.deleteMany();
  ({ sceneId, taskId } = await addScene());
});

async function addScene() {
  const { db } = database;
  const { scene, task } = await queueScene(db, await addDevice(db));
  await db.sceneTotals.create({ data: { sceneId: scene.id, since: new Date(0) } });
  return { sceneId: scene.id, taskId: task.id };
}

const contextAt = (now: number, environment: NodeJS.ProcessEnv = SHORT) => ({
  ...{ db: database.db, config: loadConfig(environment), clock: { now: () => new Date(now) } },
});
const work = (now = NOW, environment?: NodeJS.ProcessEnv) => removeOldHistory(contextAt(now, environment));

const served = (decidedAtMs: number, waitMs: number | null = 60_000): VisitRow => ({
  ...{ outcome: 'completed', arrivedAtMs: decidedAtMs - 20 * MINUTE_MS, decidedAtMs, waitMs },
  serviceMs: 5_000,
});
const visits = () => database.db.visit.count({ where: { sceneId } });
const quarters = () => database.db.visitQuarter.findMany({ where: { sceneId }, orderBy: { quarter: 'asc' } });

test('visits that were decided before the first kept day move to their quarters; all others stay', async () => {
  const { db } = database;
  await addVisits(db, sceneId, [
    served(VISITS_SINCE - 1),
    served(VISITS_SINCE - 2, null),
    { outcome: 'abandoned', arrivedAtMs: VISITS_SINCE - DAY_MS, decidedAtMs: VISITS_SINCE - 3, waitMs: 1 },
    { outcome: 'discarded', arrivedAtMs: VISITS_SINCE - 9, decidedAtMs: VISITS_SINCE - 8 },
    { outcome: null, arrivedAtMs: VISITS_SINCE - 300 * DAY_MS },
    served(VISITS_SINCE),
  ]);
  await work();
  expect(await visits()).toBe(2);
  const empty = { outcomes: [], waitMs: [], serviceMs: [], tillIds: [], inTime: [] };
  const rows = await quarters();
  expect(rows).toEqual([
    { sceneId, quarter: new Date(VISITS_SINCE - DAY_MS), arrivals: 1, ...empty },
    { sceneId, quarter: new Date(VISITS_SINCE - 30 * MINUTE_MS), arrivals: 1, ...empty },
    {
      ...{ sceneId, quarter: new Date(VISITS_SINCE - 15 * MINUTE_MS), arrivals: 0 },
      outcomes: expect.arrayContaining(['completed', 'completed', 'abandoned']),
      ...{ waitMs: expect.any(Array), serviceMs: expect.any(Array), tillIds: [], inTime: [] },
    },
  ]);
  const { outcomes, waitMs, serviceMs } = rows.at(-1)!;
  expect(outcomes.map((outcome, at) => `${outcome} ${waitMs[at]} ${serviceMs[at]}`).sort()).toEqual([
    'abandoned 1 -1',
    'completed -1 5000',
    'completed 60000 5000',
  ]);
  const totals = await db.sceneTotals.findUniqueOrThrow({ where: { sceneId } });
  expect(totals).toMatchObject({ visitsSince: new Date(VISITS_SINCE), minutesSince: null });
  await work();
  expect(await quarters()).toEqual(rows);
});

test('the next days are added to what is there', async () => {
  const { db } = database;
  // The arrival of the later visit lies in a quarter that has a removed visit.
  const first = served(VISITS_SINCE - 1);
  const later = { ...served(VISITS_SINCE + 1), arrivedAtMs: VISITS_SINCE - 2 };
  await addVisits(db, sceneId, [first, { ...later, targetMs: 60_000 }]);
  await work();
  await work(NOW + DAY_MS);
  expect(await visits()).toBe(0);
  expect((await quarters()).map(({ inTime }) => inTime)).toEqual([[], [], [1]]);
  expect(
    (await quarters()).map(({ quarter, arrivals, outcomes }) => [Number(quarter), arrivals, outcomes.length]),
  ).toEqual([
    [VISITS_SINCE - 30 * MINUTE_MS, 1, 0],
    [VISITS_SINCE - 15 * MINUTE_MS, 1, 1],
    [VISITS_SINCE, 0, 1],
  ]);
});

test('three programs at once, one of which fails in between, count each of many visits once', async () => {
  const { db } = database;
  const many = Array.from({ length: 2_500 }, (_, at) => served(VISITS_SINCE - 1 - at * MINUTE_MS));
  await addVisits(db, sceneId, many);
  await db.sceneTotals.update({
    where: { sceneId },
    data: { arrivals: 2_500, completedCount: 2_500, waitCount: 2_500, serviceCount: 2_500 },
  });
  // The oldest quarters can be stored; a later batch cannot.
  await db.$executeRawUnsafe(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
  await db.$executeRawUnsafe(`
    CREATE TRIGGER refuse BEFORE INSERT ON "VisitQuarter" FOR EACH ROW
    WHEN (NEW.quarter > '2026-10-04T20:00:00Z') EXECUTE FUNCTION refuse()`);
  try {
    await expect(work()).rejects.toThrow('refused');
    expect(await visits()).toBe(500);
  } finally {
    await db.$executeRawUnsafe('DROP FUNCTION refuse CASCADE');
  }
  expect((await auditHistory(db)).differences).toEqual([]);
  await Promise.all([work(), work(), work()]);
  expect(await visits()).toBe(0);
  expect((await quarters()).reduce((sum, { arrivals }) => sum + arrivals, 0)).toBe(2_500);
  expect((await auditHistory(db)).differences).toEqual([]);
});

test('the audit names a removed visit that is missing in its quarter', async () => {
  const { db } = database;
  await addVisits(db, sceneId, [served(VISITS_SINCE - 1)]);
  const one = { arrivals: 1, completedCount: 1, waitCount: 1, serviceCount: 1 };
  await db.sceneTotals.update({ where: { sceneId }, data: one });
  await work();
  expect((await auditHistory(db)).differences).toEqual([]);
  await db.visitQuarter.deleteMany({ where: { arrivals: 0 } });
  expect((await auditHistory(db)).differences.map(({ message }) => message)).toEqual([
    'completed: 1 in the totals, 0 by the visits',
    'waits: 1 in the totals, 0 by the visits',
    'services: 1 in the totals, 0 by the visits',
  ]);
});

test('no visit moves while an erasure of its user runs', async () => {
  const { db } = database;
  await addVisits(db, sceneId, [served(VISITS_SINCE - 1)]);
  const { userId } = await db.scene.findUniqueOrThrow({ where: { id: sceneId } });
  const range = { rangeFrom: new Date(0), rangeTo: new Date(1) };
  const job = await db.dataJob.create({ data: { userId, kind: 'erasure', status: 'running', ...range } });
  await work();
  expect(await visits()).toBe(1);
  await db.dataJob.update({ where: { id: job.id }, data: { status: 'completed' } });
  await work();
  expect(await visits()).toBe(0);
});

test('minutes of whole months go, and their quarters stay as they were', async () => {
  const { db } = database;
  const minute = (atMs: number) => ({ atMs, inQueue: 2, inService: 1 });
  await addMinutes(db, sceneId, [
    ...[minute(MINUTES_SINCE - 90 * DAY_MS), minute(MINUTES_SINCE - 3 * DAY_MS)],
    ...[minute(MINUTES_SINCE - MINUTE_MS), minute(MINUTES_SINCE), minute(MINUTES_SINCE + MINUTE_MS)],
  ]);
  const all = () => db.occupancyQuarter.findMany({ where: { sceneId }, orderBy: { quarter: 'asc' } });
  const before = await all();
  expect(before).toHaveLength(4);
  await work();
  const left = await db.occupancyMinute.findMany({ where: { sceneId }, orderBy: { minute: 'asc' } });
  expect(left.map((row) => Number(row.minute))).toEqual([MINUTES_SINCE, MINUTES_SINCE + MINUTE_MS]);
  expect(await all()).toEqual(before);
  expect((await auditHistory(db)).differences).toEqual([]);
  const totals = await db.sceneTotals.findUniqueOrThrow({ where: { sceneId } });
  expect(totals).toMatchObject({ minutesSince: new Date(MINUTES_SINCE), visitsSince: null });
  // Another removal still changes the quarter.
  await db.occupancyMinute.deleteMany({ where: { sceneId } });
  expect(await all()).toEqual(before.slice(0, 3));
});

test('packed minutes of whole months go too, noted before they go', async () => {
  const { db } = database;
  const minute = (atMs: number) => ({ atMs, inQueue: 2, inService: 1 });
  await addMinutes(db, sceneId, [
    ...[minute(MINUTES_SINCE - 90 * DAY_MS), minute(MINUTES_SINCE - MINUTE_MS)],
    ...[minute(MINUTES_SINCE), minute(NOW - MINUTE_MS)],
  ]);
  const young = await addScene();
  await addMinutes(db, young.sceneId, [minute(MINUTES_SINCE)]);
  await packMinutes(contextAt(NOW));
  // One came late: it is not packed yet.
  await addMinutes(db, sceneId, [minute(MINUTES_SINCE - 2 * MINUTE_MS)]);
  const quartersOf = () =>
    db.occupancyQuarter.findMany({ orderBy: [{ sceneId: 'asc' }, { quarter: 'asc' }] });
  const hours = async () =>
    (
      await db.minuteHour.findMany({ where: { sceneId }, orderBy: { hour: 'asc' }, select: { hour: true } })
    ).map(({ hour }) => +hour);
  const minutesSince = async (id: string) =>
    (await db.sceneTotals.findUniqueOrThrow({ where: { sceneId: id } })).minutesSince;
  const before = await quartersOf();
  const all = await hours();
  expect(all).toHaveLength(3);
  // A program that is killed while it removes hours has removed nothing without a note.
  await db.$executeRawUnsafe(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
  await db.$executeRawUnsafe(
    'CREATE TRIGGER refuse BEFORE DELETE ON "MinuteHour" FOR EACH ROW EXECUTE FUNCTION refuse()',
  );
  try {
    await expect(work()).rejects.toThrow('refused');
  } finally {
    await db.$executeRawUnsafe('DROP FUNCTION refuse CASCADE');
  }
  expect([await hours(), await minutesSince(sceneId)]).toEqual([all, new Date(MINUTES_SINCE)]);
  expect((await auditHistory(db)).differences).toEqual([]);
  await work();
  expect(await hours()).toEqual([MINUTES_SINCE]);
  expect(await db.occupancyMinute.count({ where: { sceneId } })).toBe(1);
  expect([await minutesSince(sceneId), await minutesSince(young.sceneId)]).toEqual([
    new Date(MINUTES_SINCE),
    null,
  ]);
  expect(await quartersOf()).toEqual(before);
  expect((await auditHistory(db)).differences).toEqual([]);
});

test('a running scene goes on with the same numbers', async () => {
  const { db } = database;
  await addVisits(db, sceneId, [served(NOW - 10 * MINUTE_MS), served(VISITS_SINCE - 1)]);
  await db.visit.create({
    data: {
      ...{ taskId, sceneId, number: 9, trackId: 9, state: 'queued' },
      arrivalDecidedAt: new Date(VISITS_SINCE - 90 * DAY_MS),
    },
  });
  await addMinutes(db, sceneId, [{ atMs: NOW - MINUTE_MS }, { atMs: NOW - 100 * DAY_MS }]);
  const load = () => loadRecords(db, { sceneId, taskId, nowMs: NOW });
  const before = await load();
  await work();
  expect(await load()).toEqual(before);
  expect(before.stored.visits).toHaveLength(2);
});

test('by default minutes stay 400 days, and up to a month longer, and visits 800 days', async () => {
  const { db } = database;
  await addVisits(db, sceneId, [served(NOW), served(NOW - 900 * DAY_MS)]);
  await addMinutes(db, sceneId, [{ atMs: NOW - 399 * DAY_MS }, { atMs: NOW - 432 * DAY_MS }]);
  await work(NOW, {});
  expect([await visits(), await db.occupancyMinute.count({ where: { sceneId } })]).toEqual([1, 1]);
});

test('what is counted of a recording stays with the recording', async () => {
  const { db } = database;
  const scene = await db.scene.findUniqueOrThrow({ where: { id: sceneId } });
  await db.recording.create({
    data: {
      ...{
        userId: scene.userId,
        deviceId: scene.deviceId,
        sceneId,
        name: 'Monday',
        objectKey: 'x',
        sizeBytes: 1,
      },
      ...{ format: 'mp4', codec: 'h264', durationMs: 1, width: 1, height: 1, timezone: 'UTC' },
      recordedAt: new Date(0),
    },
  });
  await addVisits(db, sceneId, [served(0)]);
  await addMinutes(db, sceneId, [{ atMs: 0 }]);
  await work();
  await removeOldTasks(contextAt(NOW));
  expect([await visits(), await db.occupancyMinute.count(), await db.analysisTask.count()]).toEqual([
    1, 1, 2,
  ]);
});

test('retentions that would lose numbers in use are refused', () => {
  expect(() => loadConfig({ VISIT_RETENTION_DAYS: '30' })).toThrow(/VISIT_RETENTION_DAYS.*31/);
  expect(() => loadConfig({ MINUTE_RETENTION_DAYS: '1' })).toThrow(/MINUTE_RETENTION_DAYS.*31/);
  expect(() => loadConfig({ RUN_RETENTION_DAYS: '799' })).toThrow(
    'RUN_RETENTION_DAYS: must be at least VISIT_RETENTION_DAYS, because a visit belongs to its run',
  );
});

test('an ended run goes once nothing names it any more', async () => {
  const { db } = database;
  const { userId, deviceId } = await db.scene.findUniqueOrThrow({ where: { id: sceneId } });
  const ended = new Date(NOW - 61 * DAY_MS);
  const place = { userId, deviceId, sceneId };
  const addRun = (completedAt: Date, status: 'COMPLETED' | 'FAILED' = 'COMPLETED') =>
    db.analysisTask.create({
      data: { ...place, status, runStatus: 'stopped', createdAt: completedAt, completedAt },
    });
  const unused = await addRun(ended, 'FAILED');
  const young = await addRun(new Date(NOW - 59 * DAY_MS));
  const visited = await addRun(ended);
  const visit = { sceneId, trackId: 1, state: 'queued' as const, arrivalDecidedAt: ended };
  await db.visit.create({ data: { ...visit, taskId: visited.id, number: 1 } });
  const tracked = await addRun(ended);
  await db.attributeTrack.create({ data: { taskId: tracked.id, trackId: 1, capturedAt: ended } });
  const alerted = await addRun(ended);
  const rule = await addRule(db, place);
  const { event } = await addAlert(db, rule, { event: { triggeredAt: ended, taskId: alerted.id } });
  const charged = await addRun(ended);
  await db.usageEvent.create({
    data: {
      ...{ userId, deviceId, taskId: charged.id, feature: 'analysis', quantity: 1, sourceId: 'x' },
      ...{ occurredAt: ended, period: '2026-09' },
    },
  });
  const ids = async () => (await db.analysisTask.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id);
  const kept = [taskId, young.id, visited.id, tracked.id, alerted.id, charged.id];
  expect(await ids()).toContain(unused.id);
  await Promise.all([removeOldTasks(contextAt(NOW)), removeOldTasks(contextAt(NOW))]);
  expect(await ids()).toEqual(kept);
  await db.visit.deleteMany({ where: { taskId: visited.id } });
  await db.attributeTrack.deleteMany();
  await db.alertEvent.update({ where: { id: event.id }, data: { deletedAt: new Date() } });
  await db.usageEvent.deleteMany();
  await removeOldTasks(contextAt(NOW));
  expect(await ids()).toEqual([taskId, young.id]);
});
