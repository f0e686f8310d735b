import { type Page, type PageQuery, pageOf, rowsOf } from '../../http/paging.ts';
import { MEASURED } from '../../metrics/folded/counted-visits.store.ts';
import type { StoredService } from '../../metrics/visit-of-row.ts';
import { type Db, queryRow, queryRows } from '../../platform/database/db.ts';
import { inBatches } from '../../platform/database/in-batches.ts';
import type { VisitOutcome } from '../../platform/prisma-client/client.ts';

/** Whose visits, and which. */
export interface VisitFilter {
  readonly userId: string;
  readonly sceneId?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly siteId?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly outcome?: VisitOutcome | undefined;
  readonly tillId?: string | undefined;
}

/** A visit whose outcome is decided. */
export interface DecidedVisit {
  readonly id: string;
  readonly sceneId: string;
  readonly sceneName: string;
  readonly deviceId: string;
  readonly taskId: string;
  readonly outcome: VisitOutcome;
  readonly queueEnteredAt: Date | null;
  readonly queueLeftAt: Date | null;
  readonly serviceStartedAt: Date | null;
  readonly serviceEndedAt: Date | null;
  readonly arrivalDecidedAt: Date;
  readonly outcomeDecidedAt: Date;
  readonly wait: number | null;
  readonly service: number | null;
  readonly tillId: string | null;
  /** Null where the whole service was at the till. */
  readonly services: readonly StoredService[] | null;
}

/** The caller's scenes of the filter: `$1` to `$4`. The scene of a recording only if it is named. */
const SCENES = `
  SELECT s.id, s.name, s."deviceId" FROM "Scene" s
  WHERE s."userId" = $1::uuid AND s."deletedAt" IS NULL AND ($2::uuid IS NULL OR s.id = $2)
    AND ($2::uuid IS NOT NULL OR NOT EXISTS (SELECT 1 FROM "Recording" r WHERE r."sceneId" = s.id))
    AND ($3::uuid IS NULL OR s."deviceId" = $3)
    AND ($4::uuid IS NULL OR EXISTS (
      SELECT 1 FROM "SiteDevice" sd JOIN "Site" site ON site.id = sd."siteId" AND site."userId" = $1
      WHERE sd."siteId" = $4 AND sd."deviceId" = s."deviceId"))`;

/** Decided visits of a scene `s` in the range: `$5` to `$8`. Discarded visits (of staff) have no outcome. */
const DECIDED = `
  v."sceneId" = s.id AND v."outcomeDecidedAt" IS NOT NULL AND v.outcome IS NOT NULL
  AND ($5::timestamptz IS NULL OR v."outcomeDecidedAt" >= $5) AND ($6::timestamptz IS NULL OR v."outcomeDecidedAt" < $6)
  AND ($7::"VisitOutcome" IS NULL OR v.outcome = $7)
  AND ($8::text IS NULL OR v."tillId" = $8)`;

const valuesOf = ({ userId, sceneId, deviceId, siteId, from, to, outcome, tillId }: VisitFilter) => [
  ...[userId, sceneId ?? null, deviceId ?? null, siteId ?? null],
  ...[from?.toISOString() ?? null, to?.toISOString() ?? null, outcome ?? null, tillId ?? null],
];

/** The newest visits first: the first rows of each scene, merged. */
const newest = (condition: string, rows: string) => `
  SELECT v.id, s.id AS "sceneId", s.name AS "sceneName", s."deviceId", v."taskId", v.outcome, v."queueEnteredAt",
    v."queueLeftAt", v."serviceStartedAt", v."serviceEndedAt", v."arrivalDecidedAt", v."outcomeDecidedAt", v."tillId", v.services, ${MEASURED}
  FROM (${SCENES}) s CROSS JOIN LATERAL (
    SELECT v.* FROM "Visit" v WHERE ${DECIDED} ${condition}
    ORDER BY v."outcomeDecidedAt" DESC, v.id DESC LIMIT ${rows}) v
  ORDER BY v."outcomeDecidedAt" DESC, v.id DESC`;

export function listVisits(db: Db, filter: VisitFilter & PageQuery): Promise<Page<DecidedVisit>> {
  const values = valuesOf(filter);
  const { skip, take } = rowsOf(filter);
  const counted = queryRow<{ total: number }>(
    db,
    `SELECT coalesce(sum(n), 0)::float8 AS total FROM (${SCENES}) s
     CROSS JOIN LATERAL (SELECT count(*) AS n FROM "Visit" v WHERE ${DECIDED}) c`,
    values,
  );
  return pageOf(
    queryRows<DecidedVisit>(db, `${newest('', '$9::bigint + $10')} LIMIT $9 OFFSET $10`, [
      ...values,
      take,
      skip,
    ]),
    counted.then(({ total }) => total),
  );
}

/** All visits of the filter, newest first, read in batches. */
export function everyVisit(db: Db, filter: VisitFilter): AsyncGenerator<DecidedVisit> {
  const values = valuesOf(filter);
  const older = `AND ($10::timestamptz IS NULL OR (v."outcomeDecidedAt", v.id) < ($10, $11::uuid))`;
  return inBatches((take, last) =>
    queryRows<DecidedVisit>(db, `${newest(older, '$9::bigint')} LIMIT $9`, [
      ...values,
      take,
      last?.outcomeDecidedAt.toISOString() ?? null,
      last?.id ?? null,
    ]),
  );
}
