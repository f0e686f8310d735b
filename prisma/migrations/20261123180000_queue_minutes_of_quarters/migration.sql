-- How long the queue was in each minute of a quarter, so that minutes with a long queue are counted from few rows. The minutes of
-- one scene lie on nearly as many pages as there are minutes, because all scenes write in turns.
ALTER TABLE "OccupancyQuarter" ADD COLUMN "minuteAverages" SMALLINT[], ADD COLUMN "minuteMaxima" SMALLINT[];

CREATE OR REPLACE FUNCTION occupancy_quarters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM "OccupancyQuarter" q
    USING (SELECT DISTINCT "sceneId", date_bin('15 minutes', minute, timestamptz '2000-01-01 00:00Z') AS quarter
           FROM changed) c
    WHERE q."sceneId" = c."sceneId" AND q.quarter = c.quarter;
  END IF;
  -- LATERAL: a short index scan for each quarter, whatever the statistics of the table say.
  INSERT INTO "OccupancyQuarter" AS q ("sceneId", quarter, "coveredMs", "inQueueMs", "inServiceMs", "busyMs", "maxInQueue",
    "maxInService", "minuteAverages", "minuteMaxima")
  SELECT c."sceneId", c.quarter, m.*
  FROM (SELECT DISTINCT "sceneId", date_bin('15 minutes', minute, timestamptz '2000-01-01 00:00Z') AS quarter
        FROM changed) c
  CROSS JOIN LATERAL (
    SELECT sum("coveredMs")::int, sum("inQueueMs")::bigint, sum("inServiceMs")::bigint, sum("busyMs")::int,
      max("maxInQueue"), max("maxInService"),
      array_agg(least("inQueueMs" / nullif("coveredMs", 0), 32767)::smallint ORDER BY minute) FILTER (WHERE "coveredMs" > 0),
      array_agg(least("maxInQueue", 32767)::smallint ORDER BY minute) FILTER (WHERE "coveredMs" > 0)
    FROM "OccupancyMinute" o
    WHERE o."sceneId" = c."sceneId" AND o.minute >= c.quarter AND o.minute < c.quarter + interval '15 minutes'
    HAVING count(*) > 0) m
  ON CONFLICT ("sceneId", quarter) DO UPDATE
  SET "coveredMs" = excluded."coveredMs", "inQueueMs" = excluded."inQueueMs", "inServiceMs" = excluded."inServiceMs",
      "busyMs" = excluded."busyMs", "maxInQueue" = excluded."maxInQueue", "maxInService" = excluded."maxInService",
      "minuteAverages" = excluded."minuteAverages", "minuteMaxima" = excluded."minuteMaxima"
  WHERE (q."coveredMs", q."inQueueMs", q."inServiceMs", q."busyMs", q."maxInQueue", q."maxInService", q."minuteAverages",
      q."minuteMaxima")
    IS DISTINCT FROM (excluded."coveredMs", excluded."inQueueMs", excluded."inServiceMs", excluded."busyMs",
      excluded."maxInQueue", excluded."maxInService", excluded."minuteAverages", excluded."minuteMaxima");
  RETURN NULL;
END $$;
