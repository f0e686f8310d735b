/** Wait and service of a decided visit, seconds: the same as `waitSeconds` and `serviceSeconds` of the vision. */
export const DURATIONS = `
  CASE WHEN outcome <> 'lost' OR "serviceStartedAt" IS NOT NULL
    THEN date_part('epoch', coalesce("serviceStartedAt", "queueLeftAt") - "queueEnteredAt") END AS wait,
  CASE WHEN outcome <> 'lost' THEN date_part('epoch', "serviceEndedAt" - "serviceStartedAt") END AS service`;

/** Entries of the lists of VisitQuarter as rows. */
const ENTRIES = 'unnest(q.outcomes, q."waitMs", q."serviceMs") AS entry(outcome, "waitMs", "serviceMs")';
const seconds = (column: string) => `nullif(entry."${column}", -1) / 1000.0::float8`;

/** Placeholders of a half-open range of time. The scenes are `$1`. */
interface RangePlaceholders {
  readonly from: string;
  readonly to: string;
}

const within = (time: string, { from, to }: RangePlaceholders): string =>
  `"sceneId" = ANY($1::uuid[]) AND ${time} >= ${from}::timestamptz AND ${time} < ${to}::timestamptz`;

/**
 * SQL of the visits that were decided in a range: `"sceneId", at, outcome, wait, service`. Those that were removed after their
 * retention have the start of their quarter of an hour as `at`. Discarded visits (of staff) have no outcome and count nowhere.
 */
export const decidedVisits = (range: RangePlaceholders): string => `
  SELECT "sceneId", "outcomeDecidedAt" AS at, outcome, ${DURATIONS}
  FROM "Visit" WHERE ${within('"outcomeDecidedAt"', range)} AND outcome IS NOT NULL
  UNION ALL
  SELECT "sceneId", quarter, entry.outcome, ${seconds('waitMs')}, ${seconds('serviceMs')}
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
 * SQL of the arrivals in a range: `"sceneId", at, arrivals`. A decided visit without outcome was discarded (staff); its `state`
 * says so too, but is not in the index.
 */
export const countedArrivals = (range: RangePlaceholders): string => `
  SELECT "sceneId", "arrivalDecidedAt" AS at, 1 AS arrivals
  FROM "Visit" WHERE ${within('"arrivalDecidedAt"', range)} AND ("outcomeDecidedAt" IS NULL OR outcome IS NOT NULL)
    AND ${isArrival('$1::uuid[]')}
  UNION ALL
  SELECT "sceneId", quarter, arrivals FROM "VisitQuarter" WHERE ${within('quarter', range)}`;
