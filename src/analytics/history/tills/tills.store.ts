import type { OpenSpan } from '../../../catalogue/hours/opening-hours.ts';
import { type Db, queryRows } from '../../../platform/database/db.ts';
import { spanOf } from '../buckets.ts';
import { openParameter, whileOpen } from '../open-hours.ts';

/** The sums of a till in one bucket. */
export interface TillSumsRow {
  readonly bucket: number;
  readonly tillId: string;
  readonly name: string;
  /** Start of the last quarter of an hour in which it had this name. */
  readonly lastMs: number;
  readonly servingSeconds: number;
  readonly freeSeconds: number;
  readonly closedSeconds: number;
  readonly lostSeconds: number;
}

/** The services of a till in one bucket; -1 is the whole range. */
export interface TillServicesRow {
  readonly bucket: number;
  readonly tillId: string;
  readonly services: number;
  readonly avgServiceSeconds: number;
  readonly p90ServiceSeconds: number;
}

/** A quarter of an hour of a till, with the states of its seconds where they are kept. */
export interface TillSpansRow {
  readonly tillId: string;
  readonly name: string;
  readonly quarterMs: number;
  readonly spans: Uint8Array | null;
}

/** Buckets, and when it is open within them; null: always. */
export interface OpenBuckets {
  readonly edges: readonly number[];
  readonly open: readonly OpenSpan[] | null;
}

/** The edges of the buckets as an array of PostgreSQL, the first and the last of them, and when it is open. */
function parametersOf(sceneId: string, { edges, open }: OpenBuckets): (string | null)[] {
  const timeOf = (ms: number) => new Date(ms).toISOString();
  const { fromMs, toMs } = spanOf(edges);
  return [sceneId, `{${edges.map(timeOf).join()}}`, timeOf(fromMs), timeOf(toMs), openParameter(open)];
}

const bucketOf = (time: string): string => `width_bucket(${time}, $2::timestamptz[]) - 1 AS bucket`;
const within = (time: string): string =>
  `"sceneId" = $1::uuid AND ${time} >= $3::timestamptz AND ${time} < $4::timestamptz AND ${whileOpen(time, '$5')}`;

/** @param buckets at quarters of an hour. @returns a row for each name that a till had in a bucket */
export function sumTills(db: Db, sceneId: string, buckets: OpenBuckets): Promise<TillSumsRow[]> {
  const sums = ['servingSeconds', 'freeSeconds', 'closedSeconds', 'lostSeconds'].map(
    (name) => `sum("${name}")::float8 AS "${name}"`,
  );
  return queryRows<TillSumsRow>(
    db,
    `SELECT bucket, "tillId", name, date_part('epoch', max(quarter)) * 1000 AS "lastMs", ${sums.join()}
     FROM (SELECT *, ${bucketOf('quarter')} FROM "TillQuarter" WHERE ${within('quarter')}) part GROUP BY 1, 2, 3`,
    parametersOf(sceneId, buckets),
  );
}

/** How long any state was known in each bucket: no state is known without frames, for all tills alike. */
export function sumKnown(
  db: Db,
  sceneId: string,
  buckets: OpenBuckets,
): Promise<{ readonly bucket: number; readonly known: number }[]> {
  return queryRows(
    db,
    `SELECT ${bucketOf('quarter')}, sum(known)::float8 AS known FROM (
       SELECT quarter, max("servingSeconds" + "freeSeconds" + "closedSeconds") AS known
       FROM "TillQuarter" WHERE ${within('quarter')} GROUP BY quarter) part GROUP BY 1`,
    parametersOf(sceneId, buckets),
  );
}

/** Completed services by the time of their decision. One of a customer who was sent to another till counts at both. */
export function sumServices(db: Db, sceneId: string, buckets: OpenBuckets): Promise<TillServicesRow[]> {
  return queryRows<TillServicesRow>(
    db,
    `WITH decided AS MATERIALIZED (
       SELECT ${bucketOf('"outcomeDecidedAt"')}, "tillId", "serviceStartedAt", "serviceEndedAt", services
       FROM "Visit" WHERE ${within('"outcomeDecidedAt"')} AND outcome = 'completed' AND "tillId" IS NOT NULL)
     SELECT coalesce(bucket, -1) AS bucket, "tillId" COLLATE "C" AS "tillId", count(*)::float8 AS services, avg(seconds) AS "avgServiceSeconds",
       percentile_cont(0.9) WITHIN GROUP (ORDER BY seconds) AS "p90ServiceSeconds"
     FROM (
       SELECT bucket, "tillId", date_part('epoch', "serviceEndedAt" - "serviceStartedAt") AS seconds
       FROM decided WHERE services IS NULL
       UNION ALL
       SELECT bucket, stay."tillId", date_part('epoch', stay."endedAt" - stay."startedAt")
       FROM decided CROSS JOIN LATERAL
         jsonb_to_recordset(services) AS stay("tillId" text, "startedAt" timestamptz, "endedAt" timestamptz)
       WHERE services IS NOT NULL AND stay."endedAt" IS NOT NULL
       UNION ALL
       SELECT ${bucketOf('quarter')}, entry."tillId", entry."serviceMs" / 1000.0::float8
       FROM "VisitQuarter" CROSS JOIN LATERAL
         unnest(outcomes, "tillIds", "serviceMs") AS entry(outcome, "tillId", "serviceMs")
       WHERE ${within('quarter')} AND entry.outcome = 'completed' AND entry."tillId" <> '' AND entry."serviceMs" >= 0) served
     GROUP BY GROUPING SETS ((bucket, "tillId" COLLATE "C"), ("tillId" COLLATE "C"))`,
    parametersOf(sceneId, buckets),
  );
}

/** The quarters that touch the range, in the order of time. */
export async function findSpans(
  db: Db,
  sceneId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<TillSpansRow[]> {
  const rows = await queryRows<Omit<TillSpansRow, 'spans'> & { readonly spans: string | null }>(
    db,
    `SELECT "tillId", name, date_part('epoch', quarter) * 1000 AS "quarterMs", encode(spans, 'base64') AS spans
     FROM "TillQuarter"
     WHERE "sceneId" = $1::uuid AND quarter > $2::timestamptz - interval '15 minutes' AND quarter < $3::timestamptz
     ORDER BY quarter, "tillId"`,
    [sceneId, new Date(fromMs).toISOString(), new Date(toMs).toISOString()],
  );
  return rows.map((row) => ({ ...row, spans: row.spans === null ? null : Buffer.from(row.spans, 'base64') }));
}
