-- Rows of past days, an hour of a scene in one row: each column of the table is a list there. They take a third to a half of the room. Each day
-- as many hours go as come: their room is free for the next ones when 2 % are dead, and not a fifth.
CREATE TABLE "MinuteHour" (
    "sceneId" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "rows" INTEGER NOT NULL,
    "minute" TIMESTAMPTZ(3)[] NOT NULL,
    "coveredMs" INTEGER[] NOT NULL,
    "inQueueMs" INTEGER[] NOT NULL,
    "inServiceMs" INTEGER[] NOT NULL,
    "busyMs" INTEGER[] NOT NULL,
    "maxInQueue" INTEGER[] NOT NULL,
    "maxInService" INTEGER[] NOT NULL,
    "tillKnownMs" INTEGER[] NOT NULL,
    "openTillMs" INTEGER[] NOT NULL,
    "servingTillMs" INTEGER[] NOT NULL,
    "waitedWithFreeMs" INTEGER[] NOT NULL,
    "followedMs" INTEGER[] NOT NULL,
    "unseenMs" INTEGER[] NOT NULL,
    "sureMs" INTEGER[] NOT NULL,
    "stepsMs" INTEGER[] NOT NULL,
    CONSTRAINT "MinuteHour_pkey" PRIMARY KEY ("sceneId", "hour")
) WITH (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE "SnapshotHour" (
    "sceneId" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "rows" INTEGER NOT NULL,
    "windowEnd" TIMESTAMPTZ(3)[] NOT NULL,
    "id" UUID[] NOT NULL,
    "deviceId" UUID[] NOT NULL,
    "sceneType" "AnalysisType"[] NOT NULL,
    "windowStart" TIMESTAMPTZ(3)[] NOT NULL,
    "durationSeconds" DOUBLE PRECISION[] NOT NULL,
    "numbers" BYTEA[] NOT NULL,
    "computeNodeId" UUID[] NOT NULL,
    "createdAt" TIMESTAMPTZ(3)[] NOT NULL,
    CONSTRAINT "SnapshotHour_pkey" PRIMARY KEY ("sceneId", "hour")
) WITH (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE "RollingHour" (
    "sceneId" UUID NOT NULL,
    "windowType" VARCHAR(8) NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "rows" INTEGER NOT NULL,
    "windowEnd" TIMESTAMPTZ(3)[] NOT NULL,
    "id" UUID[] NOT NULL,
    "deviceId" UUID[] NOT NULL,
    "sceneType" "AnalysisType"[] NOT NULL,
    "windowStart" TIMESTAMPTZ(3)[] NOT NULL,
    "numbers" BYTEA[] NOT NULL,
    "computeNodeId" UUID[] NOT NULL,
    "createdAt" TIMESTAMPTZ(3)[] NOT NULL,
    CONSTRAINT "RollingHour_pkey" PRIMARY KEY ("sceneId", "windowType", "hour")
) WITH (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX "MinuteHour_hour_idx" ON "MinuteHour" USING BRIN ("hour");
CREATE INDEX "SnapshotHour_hour_idx" ON "SnapshotHour" USING BRIN ("hour");
CREATE INDEX "RollingHour_hour_idx" ON "RollingHour" USING BRIN ("hour");

ALTER TABLE "MinuteHour" ADD CONSTRAINT "MinuteHour_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "SnapshotHour" ADD CONSTRAINT "SnapshotHour_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "RollingHour" ADD CONSTRAINT "RollingHour_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The rows of both forms whose time lies in [since, until). PostgreSQL puts the bodies into the statements that use them, so that these
-- use the indexes. The bounds of `hour` keep hours that have no such row from being opened.
CREATE FUNCTION all_minutes(scenes uuid[], since timestamptz, until timestamptz) RETURNS TABLE (
    "sceneId" uuid, minute timestamptz, "coveredMs" integer, "inQueueMs" bigint, "inServiceMs" bigint, "busyMs" integer,
    "maxInQueue" integer, "maxInService" integer, "tillKnownMs" integer, "openTillMs" integer, "servingTillMs" integer,
    "waitedWithFreeMs" integer, "followedMs" integer, "unseenMs" integer, "sureMs" integer, "stepsMs" integer
) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT both_forms.* FROM (
    SELECT m."sceneId", m.minute, m."coveredMs", m."inQueueMs", m."inServiceMs", m."busyMs", m."maxInQueue", m."maxInService",
           m."tillKnownMs", m."openTillMs", m."servingTillMs", m."waitedWithFreeMs", m."followedMs", m."unseenMs", m."sureMs", m."stepsMs"
    FROM "OccupancyMinute" m
    UNION ALL
    -- In FROM the lists would be written to a store of their own each: that takes twice as long.
    SELECT h."sceneId", unnest(h.minute), unnest(h."coveredMs"), unnest(h."inQueueMs")::bigint, unnest(h."inServiceMs")::bigint,
           unnest(h."busyMs"), unnest(h."maxInQueue"), unnest(h."maxInService"), unnest(h."tillKnownMs"), unnest(h."openTillMs"),
           unnest(h."servingTillMs"), unnest(h."waitedWithFreeMs"), unnest(h."followedMs"), unnest(h."unseenMs"), unnest(h."sureMs"),
           unnest(h."stepsMs")
    FROM "MinuteHour" h WHERE h.hour > since - interval '1 hour' AND h.hour < until) both_forms
  WHERE both_forms."sceneId" = ANY(scenes) AND both_forms.minute >= since AND both_forms.minute < until
$$;

-- Only what the length of the queue needs: each further list costs as much again.
CREATE FUNCTION all_queue_minutes(scenes uuid[], since timestamptz, until timestamptz) RETURNS TABLE (
    "sceneId" uuid, minute timestamptz, "coveredMs" integer, "inQueueMs" bigint, "maxInQueue" integer
) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT both_forms.* FROM (
    SELECT m."sceneId", m.minute, m."coveredMs", m."inQueueMs", m."maxInQueue" FROM "OccupancyMinute" m
    UNION ALL
    SELECT h."sceneId", unnest(h.minute), unnest(h."coveredMs"), unnest(h."inQueueMs")::bigint, unnest(h."maxInQueue")
    FROM "MinuteHour" h WHERE h.hour > since - interval '1 hour' AND h.hour < until) both_forms
  WHERE both_forms."sceneId" = ANY(scenes) AND both_forms.minute >= since AND both_forms.minute < until
$$;

CREATE FUNCTION all_snapshots(scene uuid, since timestamptz, until timestamptz) RETURNS TABLE (
    id uuid, "sceneId" uuid, "deviceId" uuid, "sceneType" "AnalysisType", "windowStart" timestamptz, "windowEnd" timestamptz,
    "durationSeconds" double precision, numbers bytea, "currentMetrics" jsonb, "computeNodeId" uuid, "createdAt" timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT s.id, s."sceneId", s."deviceId", s."sceneType", s."windowStart", s."windowEnd", s."durationSeconds", s.numbers,
         s."currentMetrics", s."computeNodeId", s."createdAt"
  FROM "MetricSnapshot" s
  WHERE s."sceneId" = scene AND s."windowEnd" >= since AND s."windowEnd" < until
  UNION ALL
  SELECT s.id, h."sceneId", s."deviceId", s."sceneType", s."windowStart", s."windowEnd", s."durationSeconds", s.numbers,
         NULL::jsonb, s."computeNodeId", s."createdAt"
  FROM "SnapshotHour" h CROSS JOIN LATERAL unnest(
    h.id, h."deviceId", h."sceneType", h."windowStart", h."windowEnd", h."durationSeconds", h.numbers, h."computeNodeId", h."createdAt")
    AS s(id, "deviceId", "sceneType", "windowStart", "windowEnd", "durationSeconds", numbers, "computeNodeId", "createdAt")
  WHERE h."sceneId" = scene AND h.hour > since - interval '1 hour' AND h.hour < until AND s."windowEnd" >= since AND s."windowEnd" < until
$$;

CREATE FUNCTION all_rolling(scene uuid, types text[], since timestamptz, until timestamptz) RETURNS TABLE (
    id uuid, "sceneId" uuid, "deviceId" uuid, "sceneType" "AnalysisType", "windowType" varchar, "windowStart" timestamptz,
    "windowEnd" timestamptz, numbers bytea, metrics jsonb, "computeNodeId" uuid, "createdAt" timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT r.id, r."sceneId", r."deviceId", r."sceneType", r."windowType", r."windowStart", r."windowEnd", r.numbers, r.metrics,
         r."computeNodeId", r."createdAt"
  FROM "RollingRecord" r
  WHERE r."sceneId" = scene AND r."windowType" = ANY(types) AND r."windowEnd" >= since AND r."windowEnd" < until
  UNION ALL
  SELECT r.id, h."sceneId", r."deviceId", r."sceneType", h."windowType", r."windowStart", r."windowEnd", r.numbers, NULL::jsonb,
         r."computeNodeId", r."createdAt"
  FROM "RollingHour" h CROSS JOIN LATERAL unnest(
    h.id, h."deviceId", h."sceneType", h."windowStart", h."windowEnd", h.numbers, h."computeNodeId", h."createdAt")
    AS r(id, "deviceId", "sceneType", "windowStart", "windowEnd", numbers, "computeNodeId", "createdAt")
  WHERE h."sceneId" = scene AND h."windowType" = ANY(types) AND h.hour > since - interval '1 hour' AND h.hour < until
    AND r."windowEnd" >= since AND r."windowEnd" < until
$$;

-- A minute that comes when others of its quarter of an hour are packed already counts with them.
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
    FROM all_minutes(ARRAY[c."sceneId"], c.quarter, c.quarter + interval '15 minutes')
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
