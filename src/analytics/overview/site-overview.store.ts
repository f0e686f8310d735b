import { MEASURED_NOW } from '../../cameras/scenes/measured-now.store.ts';
import type { TargetColumns } from '../../cameras/target.ts';
import type { CurrentMetrics } from '../../catalogue/metrics/all.ts';
import { type Page, type PageQuery, pageOf, rowsOf } from '../../http/paging.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Severity, Site } from '../../platform/prisma-client/client.ts';
import type { OverviewSceneRow } from './overview.store.ts';
import { CURRENT_COLUMNS, LEVEL_COLUMNS, LEVEL_TOGETHER, TOGETHER } from './together.store.ts';

export type SiteOverviewRow = Pick<Site, 'id' | 'name' | 'timezone'> &
  TargetColumns & {
    readonly devices: number;
    readonly devicesOnline: number;
    readonly scenes: number;
    readonly scenesMeasured: number;
    readonly current: CurrentMetrics;
    /** Of the last hour. */
    readonly serviceLevel: number | null;
    /** The worst severity of the rules that fire. */
    readonly firingSeverity: Severity | null;
    readonly lastAlert: OverviewSceneRow['lastAlert'];
  };

/** The sites of a user with the sums over their scenes, newest first, in two statements. */
export function listSiteOverviews(db: Db, userId: string, page: PageQuery): Promise<Page<SiteOverviewRow>> {
  const { skip, take } = rowsOf(page);
  return pageOf(
    db.$queryRaw<SiteOverviewRow[]>`
      SELECT site.id, site.name, site.timezone, site."targetWaitSeconds", site."targetShare", seen.devices, seen."devicesOnline", seen.scenes, seen."scenesMeasured",
             seen.current, seen."serviceLevel", firing.severity AS "firingSeverity", alert.shown AS "lastAlert"
      FROM (
        SELECT * FROM "Site" WHERE "userId" = ${userId}::uuid
        ORDER BY "createdAt" DESC, id DESC LIMIT ${take} OFFSET ${skip}) site
      CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(s.id) FILTER (WHERE s.id IS NOT NULL), '{}') AS "sceneIds",
               count(DISTINCT d.id)::int AS devices,
               (count(DISTINCT d.id) FILTER (WHERE d."onlineStatus" = 'online'))::int AS "devicesOnline",
               count(s.id)::int AS scenes,
               (count(*) FILTER (WHERE s.measured))::int AS "scenesMeasured",
               jsonb_build_object(${TOGETHER}) AS current, ${LEVEL_TOGETHER} AS "serviceLevel"
        FROM "SiteDevice" sd
        JOIN "Device" d ON d.id = sd."deviceId" AND d."deletedAt" IS NULL
        LEFT JOIN LATERAL (
          SELECT s.id, m.*, ${LEVEL_COLUMNS}, ${MEASURED_NOW} AS measured
          FROM "Scene" s
          LEFT JOIN LATERAL jsonb_to_record(s."latestMetrics"->'current') AS m(${CURRENT_COLUMNS}) ON true
          WHERE s."deviceId" = d.id AND s."deletedAt" IS NULL) s ON true
        WHERE sd."siteId" = site.id) seen
      CROSS JOIN LATERAL (
        SELECT CASE WHEN bool_or(r.severity = 'critical') THEN 'critical' WHEN count(*) > 0 THEN 'warning' END AS severity
        FROM "SceneRule" r
        WHERE r."sceneId" = ANY(seen."sceneIds") AND r."isFiring" AND r.status = 'enabled') firing
      LEFT JOIN LATERAL (
        SELECT jsonb_build_object('id', a.id, 'ruleId', a."ruleId", 'severity', a.severity, 'message', a.message,
                 'metricPath', a."metricPath", 'operator', a.operator, 'threshold', a.threshold,
                 'actualValue', a."actualValue", 'triggeredMs', extract(epoch FROM a."triggeredAt") * 1000) AS shown
        FROM unnest(seen."sceneIds") AS scene(id)
        CROSS JOIN LATERAL (
          SELECT * FROM "AlertEvent" e
          WHERE e."sceneId" = scene.id AND e."userId" = ${userId}::uuid AND e."deletedAt" IS NULL
          ORDER BY e."triggeredAt" DESC, e.id DESC LIMIT 1) a
        ORDER BY a."triggeredAt" DESC, a.id DESC LIMIT 1) alert ON true
      ORDER BY site."createdAt" DESC, site.id DESC`,
    db.site.count({ where: { userId } }),
  );
}
