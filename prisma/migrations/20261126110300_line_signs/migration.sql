-- How well a line was seen, beside the people of the same minute and quarter of an hour. No column rewrites a table.
DO $$
BEGIN
  SET LOCAL lock_timeout = '300ms';
  FOR attempt IN 1..300 LOOP
    BEGIN
      ALTER TABLE "OccupancyMinute" ADD COLUMN "followedMs" INTEGER, ADD COLUMN "unseenMs" INTEGER, ADD COLUMN "sureMs" INTEGER, ADD COLUMN "stepsMs" INTEGER;
      ALTER TABLE "OccupancyQuarter" ADD COLUMN "followedMs" INTEGER, ADD COLUMN "unseenMs" INTEGER, ADD COLUMN "sureMs" INTEGER, ADD COLUMN "stepsMs" INTEGER;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;

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
    "maxInService", "minuteAverages", "minuteMaxima",
    "tillKnownMs", "openTillMs", "servingTillMs", "waitedWithFreeMs",
    "followedMs", "unseenMs", "sureMs", "stepsMs")
  SELECT c."sceneId", c.quarter, m.*
  FROM (SELECT DISTINCT "sceneId", date_bin('15 minutes', minute, timestamptz '2000-01-01 00:00Z') AS quarter
        FROM changed) c
  CROSS JOIN LATERAL (
    SELECT sum("coveredMs")::int, sum("inQueueMs")::bigint, sum("inServiceMs")::bigint, sum("busyMs")::int,
      max("maxInQueue"), max("maxInService"),
      array_agg(least("inQueueMs" / nullif("coveredMs", 0), 32767)::smallint ORDER BY minute) FILTER (WHERE "coveredMs" > 0),
      array_agg(least("maxInQueue", 32767)::smallint ORDER BY minute) FILTER (WHERE "coveredMs" > 0),
      sum("tillKnownMs")::int, sum("openTillMs")::int, sum("servingTillMs")::int, sum("waitedWithFreeMs")::int,
      sum("followedMs")::int, sum("unseenMs")::int, sum("sureMs")::int, sum("stepsMs")::int
    FROM "OccupancyMinute" o
    WHERE o."sceneId" = c."sceneId" AND o.minute >= c.quarter AND o.minute < c.quarter + interval '15 minutes'
    HAVING count(*) > 0) m
  ON CONFLICT ("sceneId", quarter) DO UPDATE
  SET "coveredMs" = excluded."coveredMs", "inQueueMs" = excluded."inQueueMs", "inServiceMs" = excluded."inServiceMs",
      "busyMs" = excluded."busyMs", "maxInQueue" = excluded."maxInQueue", "maxInService" = excluded."maxInService",
      "minuteAverages" = excluded."minuteAverages", "minuteMaxima" = excluded."minuteMaxima",
      "tillKnownMs" = excluded."tillKnownMs", "openTillMs" = excluded."openTillMs",
      "servingTillMs" = excluded."servingTillMs", "waitedWithFreeMs" = excluded."waitedWithFreeMs",
      "followedMs" = excluded."followedMs", "unseenMs" = excluded."unseenMs", "sureMs" = excluded."sureMs", "stepsMs" = excluded."stepsMs"
  WHERE (q."coveredMs", q."inQueueMs", q."inServiceMs", q."busyMs", q."maxInQueue", q."maxInService", q."minuteAverages",
      q."minuteMaxima", q."tillKnownMs", q."openTillMs", q."servingTillMs", q."waitedWithFreeMs",
      q."followedMs", q."unseenMs", q."sureMs", q."stepsMs")
    IS DISTINCT FROM (excluded."coveredMs", excluded."inQueueMs", excluded."inServiceMs", excluded."busyMs",
      excluded."maxInQueue", excluded."maxInService", excluded."minuteAverages", excluded."minuteMaxima",
      excluded."tillKnownMs", excluded."openTillMs", excluded."servingTillMs", excluded."waitedWithFreeMs",
      excluded."followedMs", excluded."unseenMs", excluded."sureMs", excluded."stepsMs");
  RETURN NULL;
END $$;
