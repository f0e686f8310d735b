-- Sums of the occupancy minutes of each quarter of an hour, so that weeks and months of a scene are read from few rows.
-- All time zones of today are whole quarters of an hour away from UTC, so that quarters add up to local hours and days.

CREATE TABLE "OccupancyQuarter" (
    "sceneId" UUID NOT NULL,
    "quarter" TIMESTAMPTZ(3) NOT NULL,
    "coveredMs" INTEGER NOT NULL,
    "inQueueMs" BIGINT NOT NULL,
    "inServiceMs" BIGINT NOT NULL,
    "busyMs" INTEGER NOT NULL,
    "maxInQueue" INTEGER NOT NULL,
    "maxInService" INTEGER NOT NULL,

    CONSTRAINT "OccupancyQuarter_pkey" PRIMARY KEY ("sceneId","quarter"),
    CONSTRAINT "OccupancyQuarter_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 80);
-- The current row of a scene is written again and again: the space that is left lets it stay on its page.

-- A quarter is always the sum of its minutes: both are written in one transaction, whoever writes the minutes.
CREATE FUNCTION occupancy_quarters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM "OccupancyQuarter" q
    USING (SELECT DISTINCT "sceneId", date_bin('15 minutes', minute, timestamptz '2000-01-01 00:00Z') AS quarter
           FROM changed) c
    WHERE q."sceneId" = c."sceneId" AND q.quarter = c.quarter;
  END IF;
  -- LATERAL: a short index scan for each quarter, whatever the statistics of the table say.
  INSERT INTO "OccupancyQuarter" AS q
  SELECT c."sceneId", c.quarter, m.*
  FROM (SELECT DISTINCT "sceneId", date_bin('15 minutes', minute, timestamptz '2000-01-01 00:00Z') AS quarter
        FROM changed) c
  CROSS JOIN LATERAL (
    SELECT sum("coveredMs")::int, sum("inQueueMs")::bigint, sum("inServiceMs")::bigint, sum("busyMs")::int,
      max("maxInQueue"), max("maxInService")
    FROM "OccupancyMinute" o
    WHERE o."sceneId" = c."sceneId" AND o.minute >= c.quarter AND o.minute < c.quarter + interval '15 minutes'
    HAVING count(*) > 0) m
  ON CONFLICT ("sceneId", quarter) DO UPDATE
  SET "coveredMs" = excluded."coveredMs", "inQueueMs" = excluded."inQueueMs", "inServiceMs" = excluded."inServiceMs",
      "busyMs" = excluded."busyMs", "maxInQueue" = excluded."maxInQueue", "maxInService" = excluded."maxInService"
  WHERE (q."coveredMs", q."inQueueMs", q."inServiceMs", q."busyMs", q."maxInQueue", q."maxInService")
    IS DISTINCT FROM (excluded."coveredMs", excluded."inQueueMs", excluded."inServiceMs", excluded."busyMs",
      excluded."maxInQueue", excluded."maxInService");
  RETURN NULL;
END $$;

CREATE TRIGGER occupancy_quarters_insert AFTER INSERT ON "OccupancyMinute"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION occupancy_quarters();
CREATE TRIGGER occupancy_quarters_update AFTER UPDATE ON "OccupancyMinute"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION occupancy_quarters();
CREATE TRIGGER occupancy_quarters_delete AFTER DELETE ON "OccupancyMinute"
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION occupancy_quarters();
