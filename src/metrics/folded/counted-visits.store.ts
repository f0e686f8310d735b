import { DURATIONS, VISIT_COUNTS } from '../../catalogue/metrics/counted.ts';
import {
  COUNT_NAMES,
  DURATION_NAMES,
  SHARE_NAMES,
  SHARES,
  type SumName,
} from '../../catalogue/metrics/sums.ts';

/** Wait and service of a decided visit, seconds: the same as `waitSeconds` and `serviceSeconds` of the vision. */
export const MEASURED = `
  CASE WHEN outcome <> 'lost' OR "serviceStartedAt" IS NOT NULL
    THEN date_part('epoch', coalesce("serviceStartedAt", "queueLeftAt") - "queueEnteredAt") END AS wait,
  CASE WHEN outcome <> 'lost' THEN date_part('epoch', "serviceEndedAt" - "serviceStartedAt") END AS service`;

/** Entries of the lists of VisitQuarter as rows. */
const ENTRIES =
  'unnest(q.outcomes, q."waitMs", q."serviceMs", q."inTime") AS entry(outcome, "waitMs", "serviceMs", "inTime")';
const seconds = (column: string) => `nullif(entry."${column}", -1) / 1000.0::float8`;

/** Placeholders of a half-open range of time. The scenes are `$1`. */
interface RangePlaceholders {
  readonly from: string;
  readonly to: string;
}

const within = (time: string, { from, to }: RangePlaceholders): string =>
  `"sceneId" = ANY($1::uuid[]) AND ${time} >= ${from}::timestamptz AND ${time} < ${to}::timestamptz`;

/**
 * SQL of the visits that were decided in a range: `"sceneId", at, outcome, wait, service, "isInTime"`. Those that were removed after their
 * retention have the start of their quarter of an hour as `at`. Discarded visits (of staff) have no outcome and count nowhere.
 */
export const decidedVisits = (range: RangePlaceholders): string => `
  SELECT "sceneId", "outcomeDecidedAt" AS at, outcome, ${MEASURED}, "isInTime"
  FROM "Visit" WHERE ${within('"outcomeDecidedAt"', range)} AND outcome IS NOT NULL
  UNION ALL
  SELECT "sceneId", quarter, entry.outcome, ${seconds('waitMs')}, ${seconds('serviceMs')}, nullif(entry."inTime", -1) = 1
  FROM "VisitQuarter" q CROSS JOIN LATERAL ${ENTRIES} WHERE ${within('quarter', range)}`;

/**
 * SQL condition: a visit is an arrival. It entered the queue, or its scene has no queue zone (now: zones of earlier times are not
 * kept).
 * @param scenes SQL of an array of ids with the visit's scene in it
 */
export const isArrival = (scenes: string): string => `(
  "queueEnteredAt" IS NOT NULL OR "sceneId" = ANY(ARRAY(
    SELECT id FROM "Scene"
    WHERE id = ANY(${scenes}) AND jsonb_typeof(config->'zones'->'queueZone') IS DISTINCT FROM 'object')))`;

/**
 * SQL of the arrivals in a range: `"sceneId", at, arrivals`, whose sums count. A decided visit without outcome was discarded (staff): it
 * is counted and taken back, so that each of the two is read from an index alone, and the index of all visits stays narrow.
 */
export const countedArrivals = (range: RangePlaceholders): string => `
  SELECT "sceneId", "arrivalDecidedAt" AS at, 1 AS arrivals
  FROM "Visit" WHERE ${within('"arrivalDecidedAt"', range)} AND ${isArrival('$1::uuid[]')}
  UNION ALL
  SELECT "sceneId", "arrivalDecidedAt", -1
  FROM "Visit" WHERE ${within('"arrivalDecidedAt"', range)} AND "outcomeDecidedAt" IS NOT NULL AND outcome IS NULL
    AND ${isArrival('$1::uuid[]')}
  UNION ALL
  SELECT "sceneId", quarter, arrivals FROM "VisitQuarter" WHERE ${within('quarter', range)}`;

/** SQL of columns: an inner SELECT groups visits, and an outer one takes the percentiles out of their lists. */
interface SumColumns {
  readonly grouped: string;
  readonly outer: string;
}

/** SQL of the sums of decided visits that are needed. Percentiles of one duration share one sorting. */
export function decidedColumns(needed: ReadonlySet<SumName>): SumColumns {
  const grouped = COUNT_NAMES.filter((name) => needed.has(name)).map(
    (name) => `(count(*) FILTER (WHERE ${VISIT_COUNTS[name].sql}))::int AS "${name}"`,
  );
  const outer = ['*'];
  for (const name of DURATION_NAMES) {
    const { measure, outcome } = DURATIONS[name];
    const only = `FILTER (WHERE outcome = '${outcome}')`;
    if (needed.has(`${name}Count`)) grouped.push(`(count(${measure}) ${only})::int AS "${name}Count"`);
    if (needed.has(`${name}Sum`)) grouped.push(`sum(${measure}) ${only} AS "${name}Sum"`);
    if (needed.has(`${name}Max`)) grouped.push(`max(${measure}) ${only} AS "${name}Max"`);
    const shares = SHARE_NAMES.filter((share) => needed.has(`${name}${share}`));
    if (shares.length === 0) continue;
    // percentile_cont is `percentile.ts`: the value of rank share × (count − 1), interpolated.
    const list = shares.map((share) => SHARES[share]).join();
    grouped.push(
      `percentile_cont(ARRAY[${list}]::float8[]) WITHIN GROUP (ORDER BY ${measure}) ${only} AS "${name}Shares"`,
    );
    outer.push(...shares.map((share, at) => `"${name}Shares"[${at + 1}] AS "${name}${share}"`));
  }
  return { grouped: grouped.join(', '), outer: outer.join(', ') };
}
