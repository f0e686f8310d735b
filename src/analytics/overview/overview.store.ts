import { EFFECTIVE_TARGET } from '../../cameras/scenes/effective-target.store.ts';
import type { CurrentMetrics } from '../../catalogue/metrics/all.ts';
import type { Target } from '../../catalogue/waits/target.ts';
import type { EventData } from '../../delivery/events/catalogue.ts';
import { type Page, type PageQuery, pageOf, rowsOf } from '../../http/paging.ts';
import type { Db } from '../../platform/database/db.ts';
import {
  type AlertEvent,
  type Device,
  Prisma,
  type Scene,
  type Severity,
} from '../../platform/prisma-client/client.ts';
import { SPARK } from './schema.ts';

export type OverviewDeviceRow = Pick<
  Device,
  'id' | 'name' | 'timezone' | 'onlineStatus' | 'onlineChangedAt' | 'lastFrameAt' | 'lastError' | 'isDisabled'
> & { readonly siteIds: readonly string[] };

/** The devices of a user, or of one of the user's sites, newest first. */
export function listOverviewDevices(
  db: Db,
  userId: string,
  { siteId, ...page }: PageQuery & { siteId?: string | undefined },
): Promise<Page<OverviewDeviceRow>> {
  const { skip, take } = rowsOf(page);
  const ofSite = siteId
    ? Prisma.sql`AND EXISTS (
        SELECT 1 FROM "SiteDevice" sd JOIN "Site" site ON site.id = sd."siteId"
        WHERE sd."deviceId" = d.id AND site.id = ${siteId}::uuid AND site."userId" = ${userId}::uuid)`
    : Prisma.empty;
  const devices = Prisma.sql`
    FROM "Device" d
    WHERE d."userId" = ${userId}::uuid AND d.kind = 'camera' AND d."deletedAt" IS NULL ${ofSite}`;
  const count = async () => {
    const [counted] = await db.$queryRaw<[{ total: number }]>`SELECT count(*)::int AS total ${devices}`;
    return counted.total;
  };
  return pageOf(
    db.$queryRaw<OverviewDeviceRow[]>`
      SELECT d.id, d.name, d.timezone, d."onlineStatus"::text AS "onlineStatus", d."onlineChangedAt", d."lastFrameAt",
             d."lastError", d."isDisabled",
             ARRAY(SELECT sd."siteId"::text FROM "SiteDevice" sd WHERE sd."deviceId" = d.id ORDER BY 1) AS "siteIds"
      ${devices} ORDER BY d."createdAt" DESC, d.id DESC LIMIT ${take} OFFSET ${skip}`,
    count(),
  );
}

export type OverviewSceneRow = Pick<
  Scene,
  'id' | 'deviceId' | 'name' | 'analysisType' | 'status' | 'analysisStatus' | 'metricsUpdatedAt'
> & {
  readonly effectiveTarget: Target | null;
  readonly current: CurrentMetrics | null;
  /** Of the last hour. */
  readonly serviceLevel: number | null;
  /** Its zones, and the states of its tills as stored; both without anything else. */
  readonly config: unknown;
  readonly latestMetrics: unknown;
  /** The current advice for its tills that was told. */
  readonly advice: OverviewAdvice | null;
  /** What is not as usual now. */
  readonly unusual: OverviewUnusual | null;
  /** By the clock of the database; below 0 if the clock of a node is ahead. */
  readonly metricsAgeMs: number | null;
  /** The worst severity of the rules that fire. */
  readonly firingSeverity: Severity | null;
  readonly lastAlert:
    | (Pick<
        AlertEvent,
        'id' | 'ruleId' | 'severity' | 'message' | 'metricPath' | 'operator' | 'threshold' | 'actualValue'
      > & { readonly triggeredMs: number })
    | null;
  readonly sparkStart: Date;
  /** Mean number of people in the queue by the number of the value; a value without frames is missing. */
  readonly spark: Readonly<Record<string, number>> | null;
};

/** Advice as "adviceFields" tells it, without the times, which differ in form. */
export interface OverviewAdvice {
  readonly id: string;
  readonly tills: number;
  readonly openTills: number;
  readonly startsMs: number;
  readonly endsMs: number;
  readonly lateShare: number;
  readonly lateShareWithIt: number;
  readonly target: Target;
}

/** As "unusualFields" tells it, but for the form of the time. */
export interface OverviewUnusual {
  readonly id: string;
  readonly beganMs: number;
  readonly deviations: EventData<'unusual_activity'>['deviations'];
}

const UNUSUAL = Prisma.sql`(
  SELECT jsonb_build_object('id', u.id, 'beganMs', extract(epoch FROM u."beganAt") * 1000, 'deviations', u.deviations)
  FROM "UnusualActivity" u WHERE u."sceneId" = s.id AND u."endedAt" IS NULL)`;

const ADVICE = Prisma.sql`(
  SELECT jsonb_build_object('id', a.id, 'tills', a.tills, 'openTills', a."openTills",
    'startsMs', extract(epoch FROM a."startsAt") * 1000, 'endsMs', extract(epoch FROM a."endsAt") * 1000,
    'lateShare', a."lateShare", 'lateShareWithIt', a."lateShareWithIt",
    'target', jsonb_build_object('waitSeconds', a."targetWaitSeconds", 'share', a."targetShare"))
  FROM "StaffingAdvice" a
  WHERE a."sceneId" = s.id AND NOT a."isShadow" AND a."madeAt" <= now() AND a."heldUntil" > now()
  ORDER BY a."madeAt" DESC LIMIT 1)`;

const SPARK_INTERVAL = `${SPARK.bucketSeconds} seconds`;
const SPARK_BEFORE = `${(SPARK.values - 1) * SPARK.bucketSeconds} seconds`;

/** The scenes of these devices as they are now, oldest first. */
export function findOverviewScenes(
  db: Db,
  userId: string,
  deviceIds: readonly string[],
): Promise<OverviewSceneRow[]> {
  return db.$queryRaw<OverviewSceneRow[]>`
    SELECT s.id, s."deviceId", s.name, s."analysisType"::text AS "analysisType", s.status::text AS status,
           s."analysisStatus"::text AS "analysisStatus", s."metricsUpdatedAt", ${Prisma.raw(EFFECTIVE_TARGET)} AS "effectiveTarget", ${ADVICE} AS advice, ${UNUSUAL} AS unusual,
           s."latestMetrics"->'current' AS current, (s."latestMetrics"#>>'{rolling60Min,serviceLevel}')::float8 AS "serviceLevel",
           jsonb_build_object('zones', jsonb_build_object('tills', coalesce(s.config->'zones'->'tills', '[]'))) AS config,
           jsonb_build_object('tills', coalesce(s."latestMetrics"->'tills', '[]')) AS "latestMetrics",
           floor(extract(epoch FROM now() - s."metricsUpdatedAt") * 1000)::float8 AS "metricsAgeMs",
           firing.severity AS "firingSeverity", alert.shown AS "lastAlert", spark.start AS "sparkStart",
           spark."values" AS spark
    FROM "Scene" s
    CROSS JOIN LATERAL (
      SELECT CASE WHEN bool_or(r.severity = 'critical') THEN 'critical' WHEN count(*) > 0 THEN 'warning' END AS severity
      FROM "SceneRule" r
      WHERE r."sceneId" = s.id AND r."isFiring" AND r.status = 'enabled') firing
    LEFT JOIN LATERAL (
      SELECT jsonb_build_object('id', a.id, 'ruleId', a."ruleId", 'severity', a.severity, 'message', a.message,
               'metricPath', a."metricPath", 'operator', a.operator, 'threshold', a.threshold, 'actualValue', a."actualValue",
               'triggeredMs', extract(epoch FROM a."triggeredAt") * 1000) AS shown
      FROM "AlertEvent" a
      WHERE a."sceneId" = s.id AND a."userId" = s."userId" AND a."deletedAt" IS NULL
      ORDER BY a."triggeredAt" DESC, a.id DESC LIMIT 1) alert ON true
    CROSS JOIN LATERAL (
      SELECT first.start, jsonb_object_agg(bucket.number, bucket.mean) FILTER (WHERE bucket.mean IS NOT NULL) AS "values"
      FROM (SELECT date_bin(${SPARK_INTERVAL}::interval, now(), 'epoch') - ${SPARK_BEFORE}::interval AS start) first
      LEFT JOIN LATERAL (
        SELECT floor(extract(epoch FROM m.minute - first.start) / ${SPARK.bucketSeconds}::int)::int AS number,
               sum(m."inQueueMs")::float8 / nullif(sum(m."coveredMs"), 0) AS mean
        FROM "OccupancyMinute" m
        WHERE m."sceneId" = s.id AND m.minute >= first.start AND m.minute <= now() AND s.config->'zones' ? 'queueZone'
        GROUP BY 1) bucket ON true
      GROUP BY first.start) spark
    WHERE s."deviceId" = ANY(${[...deviceIds]}::uuid[]) AND s."userId" = ${userId}::uuid AND s."deletedAt" IS NULL
    ORDER BY s."createdAt", s.id`;
}
