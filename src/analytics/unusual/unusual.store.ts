import { countedArrivals, decidedVisits } from '../../metrics/folded/counted-visits.store.ts';
import { type Db, queryRows, type Tx } from '../../platform/database/db.ts';
import type { Prisma, UnusualActivity } from '../../platform/prisma-client/client.ts';
import type { Counted, UsualQuarter } from '../../waits/usual/usual-days.ts';
import { minutesWithin } from '../history/time-columns.store.ts';

/** A scene that is measured now, and can be compared. */
export interface WatchedScene {
  readonly id: string;
  readonly name: string;
  readonly userId: string;
  readonly deviceId: string;
  readonly timezone: string;
}

/** Numbers that are older are not those of now. */
const FRESH = '60 seconds';
/** Warnings that say nothing of the numbers of a moment. Any other may be what makes them unusual. */
const HARMLESS = ['people_beside_zone', 'analysis_stream_differs', 'analysis_stream_offline'];

/** The scenes that are measured now by cameras without a fault or a warning. */
export function findWatchedScenes(db: Db, now: Date): Promise<WatchedScene[]> {
  return queryRows(
    db,
    `SELECT s.id, s.name, s."userId", s."deviceId", coalesce(d.timezone, d.schedule->>'timezone', 'UTC') AS timezone
     FROM "Scene" s JOIN "Device" d ON d.id = s."deviceId"
     WHERE s."deletedAt" IS NULL AND d.kind = 'camera' AND d.fault IS NULL AND s."analysisStatus" = 'running'
       AND s."metricsUpdatedAt" > $1::timestamptz - $2::interval
       AND NOT EXISTS (SELECT FROM jsonb_array_elements(d.warnings) warning WHERE warning->>'reason' <> ALL($3::text[]))
     ORDER BY s.id`,
    [now.toISOString(), FRESH, HARMLESS],
  );
}

interface Range {
  readonly sceneIds: readonly string[];
  readonly from: Date;
  readonly to: Date;
}
const parametersOf = ({ sceneIds, from, to }: Range) => [sceneIds, from.toISOString(), to.toISOString()];

/** SQL of what was counted by scenes and spans of a range: `"sceneId", start`, and the columns of `Counted` but the tills. */
const countedBy = (span: string): string => `
  SELECT "sceneId", date_bin('${span}', at, 'epoch') AS start, sum(arrivals)::float8 AS arrivals, sum(services)::float8 AS services,
    coalesce(sum(log), 0)::float8 AS "logSum", coalesce(sum(log * log), 0)::float8 AS "logSquares"
  FROM (
    SELECT "sceneId", at, arrivals, 0 AS services, NULL::float8 AS log FROM (${countedArrivals({ from: '$2', to: '$3' })}) came
    UNION ALL
    SELECT "sceneId", at, 0, 1, ln(greatest(service, 1)) FROM (${decidedVisits({ from: '$2', to: '$3' })}) decided
    WHERE outcome = 'completed' AND service IS NOT NULL) counted
  GROUP BY 1, 2`;
const NUMBERS = ['arrivals', 'services', 'logSum', 'logSquares']
  .map((name) => `coalesce(counted."${name}", 0) AS "${name}"`)
  .join(', ');
const TILLS = 'o."openTillMs" / nullif(o."tillKnownMs", 0)::float8 AS "openTills"';

/** A quarter counts if it was seen for ten of its minutes. */
const LEAST_COVERED_MS = 600_000;

/** The quarters of an hour that were seen in a range, on the clock of a zone. */
export function findQuarters(
  db: Db,
  { timezone, ...range }: Range & { timezone: string },
): Promise<UsualQuarter[]> {
  return queryRows(
    db,
    `SELECT (o.quarter AT TIME ZONE $4)::date::text AS day, extract(dow FROM o.quarter AT TIME ZONE $4)::int AS weekday,
       floor(extract(epoch FROM (o.quarter AT TIME ZONE $4)::time) / 900)::int AS quarter, ${NUMBERS}, ${TILLS}
     FROM "OccupancyQuarter" o LEFT JOIN (${countedBy('15 minutes')}) counted ON counted."sceneId" = o."sceneId" AND counted.start = o.quarter
     WHERE o."sceneId" = ANY($1::uuid[]) AND o.quarter >= $2::timestamptz AND o.quarter < $3::timestamptz
       AND o."coveredMs" >= ${LEAST_COVERED_MS}`,
    [...parametersOf(range), timezone],
  );
}

/** A minute with frames. */
export interface MinuteRow extends Counted {
  readonly sceneId: string;
  readonly startMs: number;
  readonly coveredMs: number;
}

export function findMinutes(db: Db, range: Range): Promise<MinuteRow[]> {
  return queryRows(
    db,
    `SELECT o."sceneId", extract(epoch FROM o.minute)::float8 * 1000 AS "startMs", o."coveredMs", ${NUMBERS}, ${TILLS}
     FROM ${minutesWithin('$2', '$3')} o LEFT JOIN (${countedBy('1 minute')}) counted ON counted."sceneId" = o."sceneId" AND counted.start = o.minute`,
    parametersOf(range),
  );
}

/** What was unusual in scenes since a time, or still is. */
export const findUnusual = (
  db: Db,
  { sceneIds, from }: Pick<Range, 'sceneIds' | 'from'>,
): Promise<UnusualActivity[]> =>
  db.unusualActivity.findMany({
    where: { sceneId: { in: [...sceneIds] }, OR: [{ endedAt: null }, { endedAt: { gt: from } }] },
  });

/** @returns null where another program has noticed it */
export async function insertUnusual(
  tx: Tx,
  data: Prisma.UnusualActivityCreateManyInput,
): Promise<UnusualActivity | null> {
  const [row] = await tx.unusualActivity.createManyAndReturn({ data: [data], skipDuplicates: true });
  return row ?? null;
}

export const keepUnusual = (db: Db, id: string, lastUnusualAt: Date): Promise<unknown> =>
  db.unusualActivity.updateMany({ where: { id, endedAt: null }, data: { lastUnusualAt } });

export const endUnusual = (db: Db, id: string, endedAt: Date): Promise<unknown> =>
  db.unusualActivity.updateMany({ where: { id, endedAt: null }, data: { endedAt } });

/** Ends what nobody has seen since a time, at the last moment at which it was seen. */
export const endUnseen = (db: Db, before: Date): Promise<unknown> =>
  db.$executeRaw`
    UPDATE "UnusualActivity" SET "endedAt" = "lastUnusualAt" WHERE "endedAt" IS NULL AND "lastUnusualAt" < ${before}`;
