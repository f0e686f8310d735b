import { randomUUID } from 'node:crypto';
import { emit } from '../../src/delivery/events/emit.ts';
import type { Context } from '../../src/platform/context.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { newImageKey } from '../../src/platform/images/image-store.ts';
import { addAlert, addRule, type Place } from '../support/rows/alert-rows.ts';
import { addAttributeHour, addAttributeRecord } from '../support/rows/attribute-rows.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export interface FilledScene extends Place {
  readonly taskId: string;
  readonly ruleId: string;
}

/** A scene of a run that has ended, of a user of its own or of this one. */
export async function addScene(db: Db, owner?: string): Promise<FilledScene> {
  const device = await addDevice(db);
  if (owner) await db.device.update({ where: { id: device.id }, data: { userId: owner } });
  const own = { id: device.id, userId: owner ?? device.userId };
  const { scene, task } = await queueScene(db, own);
  await db.scene.update({ where: { id: scene.id }, data: { analysisStatus: 'stopped' } });
  await db.$executeRaw`
    UPDATE "AnalysisTask" SET status = 'CANCELLED', "runStatus" = 'stopped' WHERE id = ${task.id}::uuid`;
  const place = { userId: own.userId, deviceId: own.id, sceneId: scene.id };
  const rule = await addRule(db, place);
  await db.sceneTotals.create({ data: { sceneId: scene.id, since: new Date(0) } });
  return { ...place, taskId: task.id, ruleId: rule.id };
}

let number = 0;

/** One row of each kind about a moment, with an image in the storage. */
export async function fillMoment(
  { db, images, clock }: Pick<Context, 'clock' | 'db' | 'images'>,
  { userId, deviceId, sceneId, taskId, ruleId }: FilledScene,
  at: Date,
): Promise<void> {
  number += 1;
  const place = { userId, deviceId, sceneId };
  const before = (ms: number) => new Date(at.getTime() - ms);
  await db.visit.create({
    data: {
      ...{ taskId, sceneId, number, trackId: number, state: 'closed', outcome: 'completed' },
      ...{ queueEnteredAt: at, queueLeftAt: at, serviceStartedAt: at, serviceEndedAt: at },
      ...{ arrivalDecidedAt: at, outcomeDecidedAt: at },
    },
  });
  const minute = new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);
  const sums = {
    coveredMs: 60_000,
    inQueueMs: 1n,
    inServiceMs: 1n,
    busyMs: 1,
    maxInQueue: 1,
    maxInService: 1,
  };
  await db.occupancyMinute.create({ data: { sceneId, minute, ...sums } });
  const window = { sceneId, deviceId, windowEnd: at };
  const current = { durationSeconds: 10, currentMetrics: {} };
  await db.metricSnapshot.create({ data: { ...window, ...current, windowStart: before(10_000) } });
  await db.rollingRecord.createMany({
    data: [
      { ...window, windowType: '5min', windowStart: before(5 * MINUTE_MS), metrics: {} },
      { ...window, windowType: 'total', windowStart: new Date(0), metrics: {} },
    ],
  });
  const hour = new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
  const cells = new Uint8Array([1, 2, 3]);
  await db.floorHour.create({ data: { sceneId, hour, coveredMs: 1, cells } });
  const advice = {
    heldUntil: hour,
    isShadow: true,
    tills: 1,
    openTills: 1,
    lateShare: 0.3,
    lateShareWithIt: 0,
  };
  const target = { targetWaitSeconds: 180, targetShare: 0.9 };
  const endsAt = new Date(hour.getTime() + 1);
  await db.staffingAdvice.create({
    data: { ...{ sceneId, madeAt: hour, startsAt: hour, endsAt }, ...advice, ...target },
  });
  await db.unusualActivity.create({
    data: {
      ...{ sceneId, beganAt: hour, noticedAt: hour, lastUnusualAt: endsAt, endedAt: endsAt },
      deviations: [],
    },
  });
  await addAttributeHour(db, place, hour, { totalRecords: 1 });
  await addAttributeRecord(db, place, { capturedAt: at, counts: { female: 1 } });
  await db.attributeTrack.create({ data: { taskId, trackId: number, capturedAt: at } });
  const rule = await db.alertRule.findUniqueOrThrow({ where: { id: ruleId } });
  const { event } = await addAlert(db, rule, {
    event: { triggeredAt: at },
    summary: `word${'x'.repeat(number)}`,
  });
  const objectKey = newImageKey(clock.now(), userId);
  await images.put(objectKey, Buffer.from(`image ${number}`));
  const size = { width: 4, height: 3, sizeBytes: 7 };
  await db.storedImage.create({
    data: { userId, alertEventId: event.id, kind: 'clean', objectKey, ...size, capturedAt: at },
  });
  await db.firing.create({ data: { ruleId, taskId, firedAt: at, body: {}, recordBy: new Date() } });
  await db.$transaction((tx) =>
    emit(tx, {
      ...{ ...place, type: 'alert_triggered', alertEventId: event.id, severity: 'warning', occurredAt: at },
      dedupeKey: randomUUID(),
      data: {
        ...{ ruleId, ruleName: 'Long queue', sceneId, sceneName: 'Till', deviceId, severity: 'warning' },
        ...{ metricPath: 'current.inQueue', operator: 'GT', threshold: 5, actualValue: 7, message: 'x' },
        snapshotUrls: [],
      },
    }),
  );
}

/** Ids or times of every row that tells about a moment, by table, to compare before and after. */
export async function rowsOfScene(db: Db, { userId, sceneId, taskId, ruleId }: FilledScene) {
  const lists = await db.$queryRaw<{ name: string; rows: string[] }[]>`
    SELECT 'Visit' AS name, array_agg("arrivalDecidedAt"::text ORDER BY 1) AS rows FROM "Visit" WHERE "sceneId" = ${sceneId}::uuid
    UNION ALL SELECT 'Minute', array_agg(minute::text ORDER BY 1) FROM "OccupancyMinute" WHERE "sceneId" = ${sceneId}::uuid
    UNION ALL SELECT 'Quarter', array_agg(quarter::text ORDER BY 1) FROM "OccupancyQuarter" WHERE "sceneId" = ${sceneId}::uuid
    UNION ALL SELECT 'Snapshot', array_agg("windowEnd"::text ORDER BY 1) FROM "MetricSnapshot" WHERE "sceneId" = ${sceneId}::uuid
    UNION ALL SELECT 'Rolling', array_agg("windowEnd" || "windowType" ORDER BY 1) FROM "RollingRecord" WHERE "sceneId" = ${sceneId}::uuid
    UNION ALL SELECT 'Floor', array_agg(hour::text ORDER BY 1) FROM "FloorHour" WHERE "sceneId" = ${sceneId}::uuid
    UNION ALL SELECT 'AttributeHour', array_agg(hour::text ORDER BY 1) FROM "AttributeHour" WHERE "sceneId" = ${sceneId}::uuid
    UNION ALL SELECT 'Record', array_agg("capturedAt"::text ORDER BY 1) FROM "AttributeRecord" WHERE "sceneId" = ${sceneId}::uuid
    UNION ALL SELECT 'Track', array_agg("capturedAt"::text ORDER BY 1) FROM "AttributeTrack" WHERE "taskId" = ${taskId}::uuid
    UNION ALL SELECT 'Alert', array_agg("triggeredAt"::text ORDER BY 1) FROM "AlertEvent" WHERE "sceneId" = ${sceneId}::uuid
    UNION ALL SELECT 'Insight', array_agg("triggeredAt"::text ORDER BY 1) FROM "Insight" WHERE "sceneId" = ${sceneId}::uuid
    UNION ALL SELECT 'Firing', array_agg("firedAt"::text ORDER BY 1) FROM "Firing" WHERE "ruleId" = ${ruleId}::uuid
    UNION ALL SELECT 'Event', array_agg("occurredAt"::text ORDER BY 1) FROM "Event" WHERE "sceneId" = ${sceneId}::uuid
    UNION ALL SELECT 'Image', array_agg("capturedAt"::text ORDER BY 1) FROM "StoredImage"
      WHERE "userId" = ${userId}::uuid AND "alertEventId" IN (SELECT id FROM "AlertEvent" WHERE "sceneId" = ${sceneId}::uuid)
    UNION ALL SELECT 'Word', array_agg(word ORDER BY 1) FROM "SearchWord" WHERE "userId" = ${userId}::uuid`;
  return Object.fromEntries(lists.map(({ name, rows }) => [name, rows ?? []]));
}
