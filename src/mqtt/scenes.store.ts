import { MEASURED_NOW } from '../cameras/scenes/measured-now.store.ts';
import type { ZoneName } from '../catalogue/metrics/needed-zones.ts';
import type { Db } from '../platform/database/db.ts';
import type { AnalysisStatus, OnlineStatus, Severity } from '../platform/prisma-client/client.ts';

/** A scene with its numbers and its camera, as they are now. */
export interface SceneNow {
  readonly sceneId: string;
  readonly userId: string;
  readonly name: string;
  readonly zones: readonly ZoneName[];
  readonly deviceId: string;
  readonly deviceName: string;
  readonly onlineStatus: OnlineStatus;
  readonly analysisStatus: AnalysisStatus;
  /** Reason of the device's fault. */
  readonly fault: string | null;
  readonly metricsUpdatedAt: Date | null;
  /** A run measures the scene: the numbers are of the last minute, and the device has no fault. */
  readonly isMeasured: boolean;
  /** The worst severity of the rules that fire. */
  readonly firingSeverity: Severity | null;
  readonly metrics: unknown;
}

/**
 * The next scenes of cameras by id, over all users: one statement per page.
 * @param userIds empty: of all users
 */
export function findScenesNow(
  db: Db,
  { after, userIds, atMost }: { after: string; userIds: readonly string[]; atMost: number },
): Promise<SceneNow[]> {
  return db.$queryRaw<SceneNow[]>`
    SELECT s.id AS "sceneId", s."userId", s.name, d.id AS "deviceId", d.name AS "deviceName",
           array_remove(ARRAY[CASE WHEN s.config->'zones' ? 'queueZone' THEN 'queueZone' END,
                              CASE WHEN s.config->'zones' ?| ARRAY['checkoutZone', 'tills'] THEN 'checkoutZone' END,
                              CASE WHEN s.config->'zones' ? 'tills' THEN 'tills' END], NULL) AS zones,
           d."onlineStatus"::text AS "onlineStatus", s."analysisStatus"::text AS "analysisStatus",
           d.fault->>'reason' AS fault, s."metricsUpdatedAt",
           coalesce(${MEASURED_NOW}, false) AS "isMeasured",
           (SELECT CASE WHEN bool_or(r.severity = 'critical') THEN 'critical' WHEN count(*) > 0 THEN 'warning' END
            FROM "SceneRule" r
            WHERE r."sceneId" = s.id AND r."isFiring" AND r.status = 'enabled') AS "firingSeverity",
           jsonb_build_object('current', s."latestMetrics"->'current', 'rolling15Min', s."latestMetrics"->'rolling15Min',
                              'total', s."latestMetrics"->'total') AS metrics
    FROM "Scene" s
    JOIN "Device" d ON d.id = s."deviceId" AND d.kind = 'camera' AND d."deletedAt" IS NULL
    JOIN "User" u ON u.id = s."userId" AND u."deletedAt" IS NULL
    WHERE s.id > ${after}::uuid AND s."deletedAt" IS NULL
      AND (cardinality(${[...userIds]}::uuid[]) = 0 OR s."userId" = ANY(${[...userIds]}::uuid[]))
    ORDER BY s.id LIMIT ${atMost}::int`;
}
